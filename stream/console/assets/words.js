// The words of the pages. words.json has each in every language, Spanish first; a test
// holds it complete. Sentences of alerts and names of the norm come from the server, in
// its languages; what has no Catalan there is told in Spanish.
const file = await fetch('/assets/words.json');
if (!file.ok) throw new Error(`words.json: ${file.status}`);
const words = await file.json();

// languages are those that the pages speak, in the order of words.json.
export const languages = ['es', 'en', 'ca'];
// names are theirs, each in itself.
export const names = { es: 'Español', en: 'English', ca: 'Català' };

let lang = languages.find((l) => l === localStorage.getItem('lang')) ?? 'es';

export const language = () => lang;
// locale is how dates and numbers are written: days before months, 24 hours.
export const locale = () => ({ es: 'es-ES', en: 'en-GB', ca: 'ca-ES' })[lang];
export const t = (key) => words[key]?.[languages.indexOf(lang)] ?? key;

// spoken is what the server says in several languages: {es, en}, or fields that begin
// alike, as advice_es. An amount stays with its unit where the line breaks.
export const spoken = (x, field = '') => (x?.[field + lang] || x?.[`${field}es`])?.replace(/(\d) (?=[€%])/g, '$1\u00a0');

// phases are the words of all phases in a language.
export const phases = (l) => Object.keys(words).filter((k) => k.startsWith('phase_')).map((k) => words[k][languages.indexOf(l)]);

export function setLanguage(l) {
  lang = languages.includes(l) ? l : 'es';
  localStorage.setItem('lang', lang);
  document.documentElement.lang = lang;
  for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
  for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', e.title = t(e.dataset.label));
  const page = document.documentElement.dataset.page;
  if (page) document.title = `vision · ${t(page)}`;
}

// sure says in a word how sure something is, and by what probability.
export const sure = (p) => `${t(level(p))} · ${Math.round(p * 100)}\u00a0%`;
const level = (p) => (p >= 0.95 ? 'firm' : p >= 0.75 ? 'likely' : 'possible');

// firmness is how sure an alert is, as a word's name; '' where nothing was weighed.
export const firmness = (a) => (a.probability && ['finding', 'variance'].includes(a.kind) ? level(a.probability) : '');

// advice is what speaks for and against an alert, and what to do.
export function advice(a) {
  const against = (a.accounts ?? []).find((x) => !x.holds);
  const times = a.evidence >= 0.5 ? Number((10 ** Math.min(a.evidence, 6)).toPrecision(1)) : 0;
  return [
    times && t('speaks_for').replace('{n}', times.toLocaleString(locale())),
    against && `${t('speaks_against')} ${spoken(against).replace(/^([^:]*%): /, '($1): ')}.`,
    t(`do_${firmness(a)}`),
  ].filter(Boolean).join(' ');
}

// sentence is what is wrong, without the article, which is shown on demand.
export const sentence = (a) => spoken(a).replace(` (${a.rule})`, '');

// standing is how far an alert has come, in a word.
export const standing = (a) => {
  if (a.ack) return `${t(`was_${a.ack.outcome}`)} · ${a.ack.by}`;
  if (a.resolved) return t(a.kind === 'finding' ? 'state_righted' : 'state_resolved');
  return t(a.escalated ? 'state_escalated' : 'state_open');
};

// figure writes a number with so many decimals.
export const figure = (n, decimals) => n.toLocaleString(locale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

// money writes cents as the sentences of the server do: 1.000,00 €.
export const money = (cents) =>
  (cents / 100).toLocaleString(locale(), { style: 'currency', currency: 'EUR', useGrouping: 'always' });
