// The words of the pages, Spanish first. Sentences of alerts come from the server
// in both languages.
const words = {
  es: {
    alerts: 'Alertas', health: 'Estado', logout: 'Salir', mute: 'Silenciar', close: 'Cerrar', other: 'English',
    play: 'Ver grabación', corrected: 'Corregido', false_alarm: 'Falsa alarma', escalated: 'Elevar', noted: 'Anotado',
    blind: 'Sin imagen', connecting: 'Conectando…', unverified: 'no verificable', round: 'jugada', fine: 'Todo en orden',
    problems: 'problemas', byWhom: 'por', critical: 'CRÍTICA', major: 'GRAVE', minor: 'LEVE', perhour: 'jugadas/h', age: 'imagen hace',
    advice: 'Qué hacer', since: 'desde', none: 'Sin problemas.', sent: 'Enviado', waiting: 'Sin conexión: se enviará', seat: 'Puesto',
    bet: 'apuesta', pay: 'paga', collect: 'cobra', last: 'última', noted_alert: 'nota', token: 'Este terminal necesita su clave: abra la página con #clave al final.',
    supervision: 'Supervisión', verdict: 'Qué dice la norma', tables: 'Mesas', table: 'Mesa', game: 'Juego', recording: 'Grabación', open: 'Abierta', staff: 'Personal',
    allowed: 'La norma permite lo que hay ahora.', forbidden: 'La norma no lo permite', take: 'Tomar', release: 'Dejar', unsaid: 'sin declarar', nobody: 'sin jefe',
    rec_ok: '● graba', rec_degraded: '◐ graba a medias', rec_down: '✗ no graba', rec_none: '✗ sin grabación',
    case: 'Caso', make_case: 'Sellar y hacer el caso', sealed: 'Sellado', title: 'Título', storage: 'Grabaciones', days: 'días', perday: 'por día',
    review: 'Revisión', queue: 'Cola', severity: 'Gravedad', code: 'Qué', state: 'Situación', reviewed: 'Vista por mí', person: 'Atendida por', amount: 'Desde €', from: 'Desde', to: 'Hasta',
    state_open: 'abierta', state_escalated: 'elevada', state_resolved: 'ya no se da', state_acknowledged: 'atendida', yes: 'sí', no: 'no', notes: 'Notas', note: 'Nota nueva (Intro guarda)',
    keys: 'j k cola · espacio reproduce · , . fotograma · [ ] velocidad · 1–4 resultado · v vista · n nota · c caso · f filtros · p otra vez · + − tiempo',
  },
  en: {
    alerts: 'Alerts', health: 'Health', logout: 'Log out', mute: 'Mute', close: 'Close', other: 'Español',
    play: 'Play recording', corrected: 'Corrected', false_alarm: 'False alarm', escalated: 'Escalate', noted: 'Noted',
    blind: 'No picture', connecting: 'Connecting…', unverified: 'not verifiable', round: 'round', fine: 'All in order',
    problems: 'problems', byWhom: 'by', critical: 'CRITICAL', major: 'MAJOR', minor: 'MINOR', perhour: 'rounds/h', age: 'picture age',
    advice: 'What to do', since: 'since', none: 'No problems.', sent: 'Sent', waiting: 'Offline: will be sent', seat: 'Seat',
    bet: 'bets', pay: 'pays', collect: 'collects', last: 'last', noted_alert: 'note', token: 'This terminal needs its key: open the page with #key at the end.',
    supervision: 'Supervision', verdict: 'What the norm says', tables: 'Tables', table: 'Table', game: 'Game', recording: 'Recording', open: 'Open', staff: 'Staff',
    allowed: 'The norm allows things as they are.', forbidden: 'The norm does not allow it', take: 'Take', release: 'Give up', unsaid: 'not stated', nobody: 'no jefe',
    rec_ok: '● recording', rec_degraded: '◐ partly recording', rec_down: '✗ not recording', rec_none: '✗ no recording',
    case: 'Case', make_case: 'Seal and make the case', sealed: 'Sealed', title: 'Title', storage: 'Recordings', days: 'days', perday: 'per day',
    review: 'Review', queue: 'Queue', severity: 'Severity', code: 'What', state: 'State', reviewed: 'Seen by me', person: 'Taken by', amount: 'From €', from: 'From', to: 'To',
    state_open: 'open', state_escalated: 'escalated', state_resolved: 'no longer so', state_acknowledged: 'acknowledged', yes: 'yes', no: 'no', notes: 'Notes', note: 'New note (Enter keeps it)',
    keys: 'j k queue · space plays · , . frame · [ ] speed · 1–4 outcome · v seen · n note · c case · f filters · p again · + − time',
  },
};

let lang = localStorage.getItem('lang') ?? 'es';

export const language = () => lang;
export const t = (key) => words[lang][key] ?? key;

export function setLanguage(l) {
  lang = words[l] ? l : 'es';
  localStorage.setItem('lang', lang);
  document.documentElement.lang = lang;
  for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
}

// money writes cents as the cloth does.
export const money = (cents) =>
  (cents / 100).toLocaleString(lang === 'es' ? 'es-ES' : 'en-GB', { style: 'currency', currency: 'EUR' });
