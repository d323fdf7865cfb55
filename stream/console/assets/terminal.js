// The croupier's terminal: one touch says one thing. What cannot be sent at once
// is kept, with the time at which it was said, and sent when the line is back.
import { setLanguage, language, languages, names, spoken, t } from './words.js';
import { arrived } from './dom.js';
import { said } from './details.js';
import { say as draw } from './icons.js';

const table = decodeURIComponent(location.pathname.split('/').pop());
const keyName = `terminal ${table}`;
if (location.hash.length > 1) {
  localStorage.setItem(keyName, decodeURIComponent(location.hash.slice(1)));
  history.replaceState(null, '', location.pathname);
}
const token = localStorage.getItem(keyName);
const identified = token ? { Authorization: `Bearer ${token}` } : {}; // else by the log-in
const queueName = `queue ${table}`;
let queue = JSON.parse(localStorage.getItem(queueName) ?? '[]');
let sending = null; // the promise of it, while it goes on
const status = document.querySelector('#sent');

function say(kind, args, label) {
  queue.push({ id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, time: new Date().toISOString(), source: 'terminal', kind, args });
  queue = queue.slice(-500);
  localStorage.setItem(queueName, JSON.stringify(queue));
  status.textContent = label;
  flush(label);
}

function flush(label = '') {
  sending ??= send(label).finally(() => { sending = null; });
}

async function send(label) {
  try {
    while (queue.length) {
      const batch = queue.slice(0, 50);
      const r = await fetch(`/api/v1/tables/${encodeURIComponent(table)}/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...identified },
        body: JSON.stringify(batch),
      });
      if (r.status === 401 || r.status === 403) { status.textContent = t('token'); return; }
      if (r.status >= 500 || r.status === 429) throw new Error(String(r.status)); // the next time they are taken
      queue = queue.filter((x) => !batch.includes(x)); // a refused line will not be better the next time
      localStorage.setItem(queueName, JSON.stringify(queue));
      if (r.ok) draw(status, 'ok', `${t('sent')}: ${label}`);
      else draw(status, 'no', said((await r.json()).error));
    }
  } catch {
    status.textContent = `${t('waiting')} (${queue.length})`;
  }
}
setInterval(flush, 1000);

const ask = document.querySelector('#ask');
const main = document.querySelector('#buttons');

function choose(title, options, then) {
  ask.querySelector('h2').textContent = title;
  ask.querySelector('div').replaceChildren(...options.map((o) => {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: o.label, className: o.cls ?? '' });
    b.addEventListener('click', () => then(o));
    return b;
  }));
  ask.hidden = false;
  main.hidden = true;
  ask.querySelector('button')?.focus();
}

function home() { ask.hidden = true; main.hidden = false; }
document.querySelector('#back').addEventListener('click', home);

// touch leads through seat, zone and value, each one touch, and sends.
function touch(call, seats) {
  const args = { ...call.args };
  let label = spoken(call);
  const steps = [];
  if (call.per_seat) steps.push({ options: seats.map((n) => ({ label: `${t('seat')} ${n}`, args: call.kind === 'action' ? { seat: n } : { seat: n, zone: `seat:${n}` } })) });
  if (call.zones) steps.push({ options: call.zones.map((z) => ({ label: spoken(z), args: { zone: z.zone } })) });
  if (call.choices) steps.push({ options: call.choices.map((c) => ({ label: c.label, args: c.args, cls: c.class })) });
  const step = () => {
    const s = steps.shift();
    if (!s) { home(); say(call.kind, args, label); return; }
    choose(label, s.options, (o) => { Object.assign(args, o.args); label += ` ${o.label}`; step(); });
  };
  step();
}

async function start() {
  const r = await fetch(`/api/v1/tables/${encodeURIComponent(table)}/calls`, { headers: identified });
  if (r.status === 401) { status.textContent = t('token'); return; }
  const got = await r.json();
  if (!r.ok) {
    if (r.status >= 500) throw new Error(String(r.status));
    status.textContent = said(got.error);
    return;
  }
  document.querySelector('#name').textContent = got.table.name;
  const other = document.querySelector('#language');
  const following = () => languages[(languages.indexOf(language()) + 1) % languages.length];
  const speak = (lang) => { setLanguage(lang); other.textContent = names[following()]; home(); show(got); };
  other.addEventListener('click', () => speak(following()));
  speak(localStorage.getItem('lang') ?? got.language);
}

function show(got) {
  if (!got.calls.length) status.textContent = t('no_calls');
  main.replaceChildren(...got.calls.map((c) => {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: spoken(c), className: c.main ? 'main' : '' });
    b.addEventListener('click', () => touch(c, got.table.seats));
    return b;
  }));
}
await start();
arrived();
