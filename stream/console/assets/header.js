// The header that every page has: where one may go, the language, the way out.
import { setLanguage, language, t } from './words.js';

const pages = [
  ['/', 'wall'], ['/review', 'review'], ['/supervision', 'supervision'], ['/sessions', 'sessions_of_tables'], ['/actas', 'actas'], ['/statistics', 'statistics'], ['/health', 'health'],
  ['/audit', 'audit', 'audit'], ['/thresholds', 'thresholds', 'tune'], ['/users', 'users', 'administer'], ['/configuration', 'configuration', 'administer'], ['/account', 'account'],
];

// header fills the page's <nav>, behind what it has of its own, for who is there
// (/api/v1/me; without it only the account is offered), chooses the language, and
// tells changed() of every other choice.
export function header(me, changed) {
  const nav = document.querySelector('nav');
  const other = Object.assign(document.createElement('button'), { type: 'button', id: 'language' });
  const links = pages.filter(([path, , right]) => (me ? !right || me[right] : path === '/account')).map(([path, word]) => {
    const a = Object.assign(document.createElement('a'), { href: path });
    a.dataset.t = word;
    if (path === location.pathname) a.setAttribute('aria-current', 'page');
    return a;
  });
  const out = Object.assign(document.createElement('form'), { method: 'post', action: '/logout' });
  const leave = document.createElement('button');
  leave.dataset.t = 'logout';
  out.append(leave);
  nav.append(...links, other, out);
  const choose = (lang) => {
    setLanguage(lang);
    other.textContent = t('other');
  };
  choose(localStorage.getItem('lang') ?? me?.language ?? 'es');
  other.addEventListener('click', () => { choose(language() === 'es' ? 'en' : 'es'); changed(); });
}
