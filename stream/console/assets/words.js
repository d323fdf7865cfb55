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
  },
  en: {
    alerts: 'Alerts', health: 'Health', logout: 'Log out', mute: 'Mute', close: 'Close', other: 'Español',
    play: 'Play recording', corrected: 'Corrected', false_alarm: 'False alarm', escalated: 'Escalate', noted: 'Noted',
    blind: 'No picture', connecting: 'Connecting…', unverified: 'not verifiable', round: 'round', fine: 'All in order',
    problems: 'problems', byWhom: 'by', critical: 'CRITICAL', major: 'MAJOR', minor: 'MINOR', perhour: 'rounds/h', age: 'picture age',
    advice: 'What to do', since: 'since', none: 'No problems.', sent: 'Sent', waiting: 'Offline: will be sent', seat: 'Seat',
    bet: 'bets', pay: 'pays', collect: 'collects', last: 'last', noted_alert: 'note', token: 'This terminal needs its key: open the page with #key at the end.',
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
