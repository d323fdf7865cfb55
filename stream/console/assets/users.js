// The accounts, for administrators. Those that stand in vision.yaml are changed
// there; here they can be reset and logged out.
import { get, put, post, call } from './api.js';
import { t } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
let data;

function say(text, bad) {
  $('#said').textContent = text;
  $('#said').className = bad ? 'bad' : '';
}

async function attempt(f) {
  try {
    const got = await f();
    say(t('done'));
    await refresh();
    return got;
  } catch (err) {
    say(err.message, true);
    return null;
  }
}

// first shows a password that is shown once.
function first(got) {
  $('#first').hidden = !got?.password;
  $('#first-user').textContent = got?.user ?? '';
  $('#first-password').textContent = got?.password ?? '';
}

const tables = (text) => text.split(/[\s,]+/).filter(Boolean);
const path = (u, rest = '') => `/api/v1/users/${encodeURIComponent(u.user)}${rest}`;

function button(word, f) {
  const b = Object.assign(document.createElement('button'), { type: 'button', textContent: t(word) });
  b.onclick = f;
  return b;
}

// sure asks before what cannot be taken back.
const sure = (u, word, f) => button(word, () => { if (confirm(`${t(word)}: ${u.user}?`)) attempt(f).then(first); });

function state(u) {
  if (u.disabled) return t('shut');
  if (u.initial) return t('initial');
  return u.issuer || (u.configured ? 'vision.yaml' : '');
}

function roles(select, chosen) {
  select.replaceChildren(...data.roles.map((r) => new Option(t(`role_${r}`), r, false, r === chosen)));
}

function row(u) {
  const tr = document.createElement('tr');
  const cell = (...content) => { const td = document.createElement('td'); td.append(...content); tr.append(td); return td; };
  const fixed = u.configured || Boolean(u.issuer);
  const role = document.createElement('select');
  role.setAttribute('aria-label', `${t('role')} ${u.user}`);
  roles(role, u.role);
  role.disabled = fixed;
  const own = Object.assign(document.createElement('input'), { value: (u.tables ?? []).join(' '), disabled: fixed, size: 12, placeholder: t('all_of_them') });
  own.setAttribute('aria-label', `${t('tables')} ${u.user}`);
  const change = (more) => attempt(() => put(path(u), { role: role.value, tables: tables(own.value), disabled: Boolean(u.disabled), ...more }));
  role.onchange = () => change();
  own.onchange = () => change();
  cell(u.user);
  cell(role);
  cell(own);
  cell(t(u.factor ? 'yes' : u.needs ? 'missing' : 'no'));
  cell(String(u.sessions));
  cell(state(u));
  const acts = cell();
  acts.className = 'acts';
  if (u.sessions) acts.append(sure(u, 'sessions_end', () => call('DELETE', path(u, '/sessions'))));
  if (!u.issuer) acts.append(sure(u, 'password_reset', () => post(path(u, '/reset'), { password: true })));
  if (u.factor) acts.append(sure(u, 'factor_reset', () => post(path(u, '/reset'), { factor: true })));
  if (!u.configured) acts.append(button(u.disabled ? 'reopen' : 'shut_do', () => change({ disabled: !u.disabled })), sure(u, 'remove', () => call('DELETE', path(u))));
  return tr;
}

function show() {
  $('#list tbody').replaceChildren(...data.users.map(row));
  roles($('#add [name=role]'), 'jefe');
}

async function refresh() {
  data = await get('/api/v1/users');
  show();
}

$('#add').onsubmit = async (e) => {
  e.preventDefault();
  const f = e.target;
  const got = await attempt(() => post('/api/v1/users', { user: f.user.value, role: f.role.value, tables: tables(f.tables.value) }));
  first(got);
  if (got) f.reset();
};

data = await get('/api/v1/users');
header(await get('/api/v1/me'), show);
show();
arrived();
