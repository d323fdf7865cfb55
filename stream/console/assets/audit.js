// What people did, as the ledger has it, newest first. The ledger itself is what
// proves it: `vision verify`.
import { get, post } from './api.js';
import { locale, t, spoken } from './words.js';
import { arrived } from './dom.js';
import { asks, instant } from './times.js';
import { header } from './header.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const page = 100;
const kinds = ['operator', 'alert', 'supervision', 'case', 'seal', 'session', 'acta', 'retention', 'health', 'node', 'repair'];
const entries = [];
let turn = 0; // of load: what was asked for before does not replace what was asked for since
let me;

// person is who did it, where somebody did.
const person = (p) => p.user ?? p.ack?.by ?? p.by ?? '';

const word = (key) => { const w = t(`act_${key}`); return w.startsWith('act_') ? key.replaceAll('_', ' ') : w; };

// what is the deed in a word or two.
function what(e) {
  const p = e.payload;
  if (e.kind === 'operator') return word(p.action ?? '');
  if (e.kind === 'alert') return `${t('kind_alert')}: ${p.ack ? t(`was_${p.ack.outcome}`) : t(`state_${p.state}`)}`;
  return t(p.action === 'relief' ? 'relief' : `kind_${e.kind}`);
}

// about is what an alert's id says in words: the round, what was found, and where;
// other names stay as they are.
function about(object = '') {
  const [table, round, code, seat, spot, zone] = object.split('/');
  const kind = me.codes.find((c) => c.code === code || c.code === `camera_${round}` || c.code === `${round}_${code}`);
  if (!kind) return { text: object };
  const begun = rounds.begun(round);
  return { table, text: [spoken(kind), rounds.place(zone, Number(seat) || 0, spot), begun && `${t('round').toLowerCase()} ${begun.toLocaleTimeString(locale())}`].filter(Boolean).join(' · ') };
}

// How somebody came in, as the ledger has it.
const ways = { password: 'way_password', 'identity provider': 'way_provider', 'second factor': 'way_factor' };
const came = (text) => text.split(', ').map((w) => (ways[w] ? t(ways[w]) : w)).join(', ');

function detail(e) {
  const p = e.payload;
  if (p.relieved) return p.relieved.map((r) => [`${r.from}: ${r.tables.join(' ')}`, `${r.open.length} ${t('left_open')}`, ...r.open.map((id) => about(id).text)].join(' · ')).join(' · ');
  const said = spoken(p) ?? [about(p.object).text, p.action === 'login' && p.text ? came(p.text) : p.text, p.title, p.why, p.file, p.detail].filter((x) => typeof x === 'string' && x).join(' · ');
  return [said, p.ack?.note].filter(Boolean).join(' · ');
}

function show() {
  $('#empty').hidden = entries.length > 0;
  $('#more').hidden = entries.length === 0 || entries.length % page !== 0;
  $('#entries tbody').replaceChildren(...entries.map((e) => {
    const tr = document.createElement('tr');
    for (const v of [e.seq, new Date(e.time).toLocaleString(locale()), person(e.payload), e.table || about(e.payload.object).table || '', what(e), detail(e)]) {
      tr.append(Object.assign(document.createElement('td'), { textContent: v }));
    }
    return tr;
  }));
}

async function load(more = false) {
  const mine = ++turn;
  const q = new URLSearchParams({ limit: String(page), offset: String(more ? entries.length : 0) });
  for (const [k, v] of new FormData($('#asked'))) {
    const value = k === 'from' || k === 'to' ? instant($(`#asked [name=${k}]`)) : String(v);
    if (value) q.set(k, value);
  }
  try {
    const got = await get(`/api/v1/audit?${q}`);
    if (mine !== turn) return;
    entries.splice(more ? entries.length : 0, Infinity, ...got);
    $('#error').hidden = true;
  } catch (err) {
    $('#error').hidden = false;
    $('#error').textContent = err.message;
  }
  show();
}

function words() {
  const select = $('[name=kind]');
  const had = select.value || kinds[0];
  select.replaceChildren(...kinds.map((k) => new Option(t(`kind_${k}`), k)));
  select.value = had;
  show();
}

// The ledger proves itself: the head and the key's fingerprint are for comparing with
// what was noted down outside.
let proof;
function showProof() {
  const p = proof ?? {};
  $('#verify').disabled = Boolean(p.running);
  const bad = p.error || p.report?.problems.length;
  $('#proof').className = bad ? 'bad' : '';
  $('#proof').textContent = p.running ? t('verifying')
    : p.error ?? (p.report && [`${bad ? t('verify_bad') : t('verify_good')}: ${p.report.entries}`,
      ...p.report.problems.slice(0, 5).map((x) => `${x.what} #${x.from ?? '?'} ${x.detail ?? ''}`), `${t('verify_head')} ${p.report.head.slice(0, 24)}…`, `${t('verify_key')} ${p.report.key}`,
      `${p.by}, ${new Date(p.ended).toLocaleString(locale())}`].join(' · ')) ?? '';
}
async function follow() {
  proof = await get('/api/v1/verify');
  showProof();
  if (proof.running) setTimeout(follow, 1000);
}
$('#verify').addEventListener('click', async () => {
  try { proof = await post('/api/v1/verify', {}); } catch (err) { $('#proof').textContent = err.message; return; }
  showProof();
  setTimeout(follow, 300);
});
asks($('#asked'));
$('#asked').addEventListener('change', () => load());
$('#asked').addEventListener('submit', (e) => { e.preventDefault(); load(); });
$('#more').addEventListener('click', () => load(true));
me = await get('/api/v1/me');
header(me, () => { words(); showProof(); });
words();
await follow();
await load();
arrived();
