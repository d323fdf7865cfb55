// The header that every page has: where one may go, how this screen shows the pages, the
// language, the way out. What somebody has nothing to do with is not offered.
import { setLanguage, language, languages, names, t } from './words.js';
import { make } from './dom.js';
import { icon } from './icons.js';
import { columns } from './columns.js';

// Pages as [path, word, icon, rights]: who has one of the rights is offered them; without
// rights everybody is. The first are always at hand, the others in the menu.
/** @type {[string, string, string, string[]?][]} */
const main = [
  ['/', 'wall', 'wall'], ['/review', 'review', 'review'], ['/supervision', 'supervision', 'supervision', ['supervise', 'audit']], ['/sessions', 'sessions_of_tables', 'session', ['supervise', 'audit']],
];
/** @type {[string, string, string, string[]?][]} */
const more = [
  ['/actas', 'actas', '', ['export', 'audit', 'supervise']], ['/statistics', 'statistics', '', ['export', 'audit', 'technical']], ['/health', 'health', '', ['export', 'audit', 'technical']],
  ['/audit', 'audit', '', ['audit']], ['/thresholds', 'thresholds', '', ['tune']], ['/setup', 'setup', '', ['install']], ['/users', 'users', '', ['administer']], ['/configuration', 'configuration', '', ['administer']], ['/api', 'api', '', ['technical', 'administer']], ['/tour', 'tour', '', ['tour']], ['/account', 'account', ''],
];

// offered reports whether somebody (/api/v1/me) is offered a page.
export const offered = (path, me) => [...main, ...more].some(([p, , , rights]) => p === path && (!rights || rights.some((x) => me[x])));

// links are those of some pages that somebody is offered; without me only the account.
function links(pages, me) {
  return pages.filter(([path]) => (me ? offered(path, me) : path === '/account')).map(([path, word, drawn]) => {
    const words = make('span');
    words.dataset.t = word;
    const a = make('a', { href: path }, ...(drawn ? [icon(drawn)] : []), words);
    if (path === location.pathname) a.setAttribute('aria-current', 'page');
    return a;
  });
}

// choice is one of the menu's choices for this screen: a button that turns it over.
function choice(what, values) {
  const b = make('button', { type: 'button', id: what });
  const say = () => {
    const [now] = values.filter((v) => v !== document.documentElement.dataset[what]);
    b.dataset.t = `${what}_${now}`; // what it would become
    b.textContent = t(b.dataset.t);
  };
  b.addEventListener('click', () => {
    const to = b.dataset.t.slice(what.length + 1);
    localStorage.setItem(what, to);
    document.documentElement.dataset[what] = to;
    say();
    dispatchEvent(new Event('resize')); // pages that measure themselves do so again
  });
  say();
  return b;
}

// header fills the page's <nav>, behind what it has of its own, for who is there
// (/api/v1/me; without it only the account is offered), chooses the language, and
// tells changed() of every other choice.
export function header(me, changed) {
  const nav = document.querySelector('nav');
  const speaks = make('select', { id: 'language', ariaLabel: 'Idioma · Language · Llengua' }, ...languages.map((l) => make('option', { value: l, lang: l, textContent: names[l] })));
  const out = make('form', { method: 'post', action: '/logout' });
  const leave = make('button');
  leave.dataset.t = 'logout';
  out.append(leave);
  const menu = make('div', { id: 'menu', popover: 'auto' }, ...links(more, me), make('hr'), choice('density', ['wall', 'compact']), choice('theme', ['dark', 'light']), speaks, out);
  const open = make('button', { type: 'button', id: 'open-menu', popoverTargetElement: menu }, icon('menu'));
  open.dataset.label = 'menu';
  nav.append(make('span', { className: 'places' }, ...links(main, me)), open, menu);
  setLanguage(localStorage.getItem('lang') ?? me?.language ?? 'es');
  speaks.value = language();
  columns();
  speaks.addEventListener('change', () => { setLanguage(speaks.value); changed(); });
}
