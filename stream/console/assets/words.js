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
    calibrate: 'Calibración', still: 'Imagen fija', take_still: 'Tomar imagen', confirm_camera: 'La cámara está en su sitio', points: 'Esquinas del tapete', seats: 'Puestos', width: 'Ancho del tapete', card: 'Cartas',
    click: 'Pulse en la imagen', optional: 'si quiere, mide el error', again: 'Otra vez', residual: 'Error', exact: 'Cuatro puntos: pulse alguno más para medir el error', zones: 'Zonas', drag: 'Elija una zona; arrástrela, o arrastre sus esquinas; flechas: 1 mm.',
    chips: 'Fichas', learn: 'Pulse en la ficha para tomar su color', save: 'Guardar', save_calibration: 'Guardar y usar', saved: 'Guardada: vale desde ahora', restore: 'Recuperar', restored: 'Recuperada; no vale hasta guardarla', in_force: 'en uso', confirmed: 'Confirmado',
    far_left: 'esquina lejana izquierda', far_right: 'esquina lejana derecha', near_right: 'esquina cercana derecha', near_left: 'esquina cercana izquierda', far_middle: 'medio del borde lejano', near_middle: 'medio del borde cercano', left_middle: 'medio del borde izquierdo', right_middle: 'medio del borde derecho',
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
    calibrate: 'Calibration', still: 'Still', take_still: 'Take a still', confirm_camera: 'The camera stands as it should', points: "The felt's corners", seats: 'Seats', width: "Felt's width", card: 'Cards',
    click: 'Click in the picture', optional: 'if you like, it measures the error', again: 'Again', residual: 'Error', exact: 'Four points: click another to measure the error', zones: 'Zones', drag: 'Choose a zone; drag it, or its corners; arrows: 1 mm.',
    chips: 'Chips', learn: 'Click on the chip to take its colour', save: 'Save', save_calibration: 'Save and use', saved: 'Saved: it holds from now on', restore: 'Bring back', restored: 'Brought back; does not hold before it is saved', in_force: 'in force', confirmed: 'Confirmed',
    far_left: 'far left corner', far_right: 'far right corner', near_right: 'near right corner', near_left: 'near left corner', far_middle: 'middle of the far edge', near_middle: 'middle of the near edge', left_middle: 'middle of the left edge', right_middle: 'middle of the right edge',
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
