// One's own account: password, second factor, and where one is logged in.
import { get, put, post, call } from './api.js';
import { locale, t, spoken } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
let me;

function say(text, bad) {
  const p = $('#said');
  p.textContent = text;
  p.className = bad ? 'bad' : '';
}

// attempt does something and says how it went.
async function attempt(f, done) {
  try {
    const got = await f();
    say(done ? t(done) : '');
    await refresh();
    return got;
  } catch (err) {
    say(spoken(err) ?? err.message, true);
    return null;
  }
}

const when = (s) => new Date(s).toLocaleString(locale());

function cell(tr, content) {
  const td = document.createElement('td');
  td.append(content);
  tr.append(td);
}

function sessions() {
  $('#sessions tbody').replaceChildren(...me.sessions.map((s) => {
    const tr = document.createElement('tr');
    for (const v of [when(s.begun), s.this ? t('this_one') : when(s.seen), s.host, s.agent]) cell(tr, v);
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: t('end') });
    b.onclick = () => attempt(() => call('DELETE', `/api/v1/account/sessions/${s.id}`), 'ended');
    cell(tr, b);
    return tr;
  }));
}

function show() {
  $('#who').textContent = `${me.user} · ${t(`role_${me.role}`)}${me.issuer ? ` · ${me.issuer}` : ''}`;
  $('#held').hidden = !me.held;
  $('#held').textContent = me.held ? t(`held_${me.held}`) : '';
  $('#password-part').hidden = Boolean(me.issuer);
  $('#password [name=user]').value = me.user;
  $('#offer-password').hidden = Boolean(me.issuer);
  $('#factor-state').textContent = me.factor ? `${t('factor_on')} · ${t('recovery_left')}: ${me.recovery}` : t(me.needs ? 'factor_needed' : 'factor_off');
  $('#offer').hidden = me.factor || me.held === 'password' || !$('#enrol').hidden;
  $('#change').hidden = !me.factor;
  sessions();
}

async function refresh() {
  me = await get('/api/v1/account');
  show();
}

function codes(list) {
  if (!list) return;
  $('#codes').replaceChildren(...list.map((c) => Object.assign(document.createElement('li'), { textContent: c })));
  $('#recovery').hidden = false;
  $('#recovery').scrollIntoView();
}

$('#password').onsubmit = async (e) => {
  e.preventDefault();
  const f = e.target;
  if (f.new.value !== f.again.value) { say(t('password_differs'), true); return; }
  if (await attempt(() => put('/api/v1/account/password', { old: f.old.value, new: f.new.value }), 'password_done')) f.reset();
};

$('#offer').onsubmit = async (e) => {
  e.preventDefault();
  const got = await attempt(() => post('/api/v1/account/factor', { password: e.target.password.value }));
  if (!got) return;
  $('#picture').src = got.picture;
  $('#picture').alt = t('factor_picture');
  $('#secret').textContent = got.secret.match(/.{1,4}/g).join(' ');
  $('#enrol').hidden = false;
  $('#offer').hidden = true;
  e.target.reset();
  $('#enrol [name=code]').focus();
};

$('#enrol').onsubmit = async (e) => {
  e.preventDefault();
  const got = await attempt(() => put('/api/v1/account/factor', { code: e.target.code.value }), 'factor_done');
  if (!got) return;
  e.target.reset();
  $('#enrol').hidden = true;
  $('#picture').removeAttribute('src');
  $('#secret').textContent = '';
  codes(got.recovery);
  show();
};

$('#change').onsubmit = async (e) => {
  e.preventDefault();
  const body = { code: e.target.code.value };
  e.target.reset();
  $('#recovery').hidden = true;
  if (e.submitter?.value === 'drop') await attempt(() => call('DELETE', '/api/v1/account/factor', body), 'factor_dropped');
  else codes((await attempt(() => post('/api/v1/account/recovery', body)))?.recovery);
};

$('#others').onclick = () => attempt(() => call('DELETE', '/api/v1/account/sessions'), 'ended');

me = await get('/api/v1/account');
header(me.held ? null : await get('/api/v1/me'), show); // until then nothing else may be done
show();
arrived();
