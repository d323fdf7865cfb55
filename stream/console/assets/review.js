// The surveillance room's review: a queue of alerts gone through by keyboard, the
// camera's recording with its timeline, and the round beside the picture.
import { get, put, post, hear } from './api.js';
import { locale, t, money, spoken } from './words.js';
import { header } from './header.js';
import { icon, say } from './icons.js';
import { standing, sentence } from './alerts.js';
import { Player } from './player.js';
import { drawOverlay, words as inWords } from './overlay.js';
import { Timeline } from './timeline.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const preRoll = 10_000;
let me, tables, queue = [], current = null;

function make(tag, props = {}, ...children) {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
}
const fail = (err) => { $('#error').hidden = !err; $('#error').textContent = err?.message ?? ''; };
const attempt = (f) => async (...a) => { try { await f(...a); fail(null); } catch (err) { fail(err); } };

const strip = new Timeline($('#timeline'), (wall) => player.seek(wall).then(() => place(wall)));
const player = new Player($('#video'), { time: (wall) => place(wall), state: showControls, found: (is) => { $('#gone').hidden = is; }, missing: (wall) => strip.missing(wall) });
Object.assign(window, { visionPlayer: player, visionStrip: strip }); // for the page's own measurements

function place(wall) {
  $('#now').textContent = `${player.camera} · ${new Date(wall).toLocaleString(locale())}.${String(Math.floor(wall % 1000)).padStart(3, '0')}`;
  if (strip.place(wall)) loadStrip();
}

// What was read in the picture that shows lies over it, and stands beside it in words.

let listed = null; // of which time the words are
function paint() {
  const of = $('#video').readyState >= 2 && !$('#video').classList.contains('off') ? player.readings() : null;
  const size = tables.flatMap((x) => x.cameras).find((c) => c.name === player.camera)?.size;
  drawOverlay($('#overlay'), $('#video'), size, $('#layer').ariaPressed === 'true' ? of?.readings ?? [] : []);
  if (listed !== (of?.at ?? 0)) listReadings(of);
  requestAnimationFrame(paint);
}

function listReadings(of) {
  listed = of?.at ?? 0;
  const all = of?.readings ?? [];
  $('#readings').replaceChildren(...(all.length ? [] : [make('li', { className: 'empty', textContent: t(of ? 'read_nothing' : 'no_readings') })]), ...all.map((r) => make('li', { className: r.abstain ? 'unsure' : '', textContent: inWords(r) })));
}

let stripTurn = 0;
const loadStrip = attempt(async () => {
  const turn = ++stripTurn;
  const pad = strip.length / 2; // the neighbours too: gaps are jumped over
  const q = new URLSearchParams({ camera: player.camera, from: new Date(strip.from - pad / 2).toISOString(), to: new Date(strip.to + Math.min(pad, 1800_000)).toISOString() });
  const got = await get(`/api/v1/timeline?${q}`);
  if (turn === stripTurn) strip.show(got);
});

function showControls() {
  say($('#play'), $('#video').paused ? 'play' : 'pause');
  $('#rate').textContent = `${$('#video').playbackRate}×`;
}

async function show(camera, wall, play = true) {
  $('#camera').value = camera;
  player.camera ??= null;
  strip.middle = wall;
  strip.at = wall;
  const opened = player.open(camera, wall, play);
  loadStrip();
  await opened;
  showControls();
}

// The queue.

function filters() {
  const q = new URLSearchParams({ limit: '200' });
  for (const [k, v] of new FormData($('#filters'))) {
    if (!v) continue;
    if (k === 'from' || k === 'to') q.set(k, new Date(String(v)).toISOString());
    else q.set(k, k === 'amount' ? String(Math.round(Number(v) * 100)) : String(v));
  }
  return q;
}

const refresh = attempt(async () => {
  queue = await get(`/api/v1/review?${filters()}`);
  $('#count').textContent = queue.length;
  $('#empty').hidden = queue.length > 0;
  const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.id;
  $('#list').replaceChildren(...queue.map(item));
  if (focused) $(`#list [data-id="${CSS.escape(focused)}"]`)?.focus();
  mark();
});

function item(x) {
  const a = x.alert;
  const amount = a.amount ? ` · ${money(a.amount)}` : '';
  const li = make('li', { className: `alert ${a.severity}${x.reviewed ? ' done' : ''}`, tabIndex: 0 },
    make('p', { className: 'head' }, ...(x.reviewed ? [icon('ok', t('reviewed')), ' '] : []), icon(a.severity, t(a.severity)), ` ${a.table ? `${tables.find((y) => y.id === a.table)?.name ?? a.table} · ` : ''}${new Date(a.at).toLocaleString(locale())}${amount}`),
    make('p', { className: 'what', textContent: sentence(a) }),
    make('p', { className: 'ack' }, standing(a), ...(x.notes ? [' · ', icon('note', t('notes')), ` ${x.notes}`] : [])));
  li.dataset.id = a.id;
  li.addEventListener('click', () => select(x));
  return li;
}

function mark() {
  for (const li of $('#list').children) li.setAttribute('aria-current', String(li.dataset.id === current?.id));
}

const select = attempt(async (x) => {
  current = x;
  mark();
  const li = $(`#list [data-id="${CSS.escape(x.id)}"]`);
  li?.focus({ preventScroll: true });
  li?.scrollIntoView({ block: 'nearest' });
  detail();
  const table = tables.find((y) => y.id === x.table);
  const camera = x.alert.clip?.camera ?? table?.cameras[0]?.name;
  $('#now').hidden = !camera;
  $('#video').classList.toggle('off', !camera); // what is not of a table has no recording
  if (!camera) $('#video').pause();
  if (camera) await show(camera, Date.parse(x.alert.clip?.from ?? x.alert.at) - preRoll);
});

function move(n) {
  const i = queue.findIndex((x) => x.id === current?.id);
  const next = queue[Math.max(0, Math.min(queue.length - 1, i + n))];
  if (next && next.id !== current?.id) select(next);
}

// The alert and its round.

function detail() {
  const a = current.alert;
  $('#detail').hidden = false;
  $('#pick').hidden = true;
  $('#what').textContent = sentence(a);
  $('#rule').textContent = [a.rule, spoken(me.codes.find((c) => c.code === a.code)), a.probability && ['finding', 'variance'].includes(a.kind) ? `${Math.round(a.probability * 100)} %` : ''].filter(Boolean).join(' · ');
  $('#accounts').replaceChildren(...(a.accounts ?? []).map((x) => make('li', { className: x.holds ? 'holds' : '', textContent: spoken(x) })));
  $('#ack').textContent = [standing(a), a.ack && new Date(a.ack.at).toLocaleString(locale()), a.ack?.note].filter(Boolean).join(' · ');
  $('#acts').replaceChildren(...(a.ack || !me.acknowledge ? [] : me.outcomes.map((o, i) => {
    const b = make('button', { type: 'button', className: `outcome ${o}`, textContent: `${i + 1} ${t(o)}` });
    b.addEventListener('click', () => outcome(o));
    return b;
  })));
  $('#reviewed').checked = current.reviewed;
  $('#reviewed').disabled = !me.acknowledge;
  showNotes();
  showRound();
  fillCase();
}

// A case: several tables over the same time, sealed, and one zip to take away.

const local = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

function fillCase() {
  const form = $('#case');
  form.hidden = !me.export;
  if (form.hidden) return;
  const a = current.alert;
  form.elements.from.value = local(Date.parse(a.clip?.from ?? a.at) - 30_000);
  form.elements.to.value = local(Date.parse(a.clip?.to ?? a.at) + 30_000);
  form.elements.title.value = `${spoken(a)} · ${a.table}`.slice(0, 200);
  for (const box of form.querySelectorAll('[name=table]')) box.checked = box.value === current.table;
}

const showCases = attempt(async () => {
  const list = await get('/api/v1/cases');
  $('#cases').replaceChildren(...(list.length ? [] : [make('li', { className: 'empty', textContent: t('no_cases') })]), ...list.slice(0, 20).map((c) => make('li', {},
    me.export ? make('a', { href: `/api/v1/cases/${encodeURIComponent(c.id)}/zip`, download: '' }, icon('download'), ` ${c.title}`) : c.title,
    ` · ${c.tables.join(' ')} · ${c.by} · ${new Date(c.made).toLocaleString(locale())}`)));
});

$('#case').addEventListener('submit', (e) => {
  e.preventDefault();
  const f = new FormData(e.target);
  attempt(async () => {
    const c = await post('/api/v1/cases', { title: f.get('title'), tables: f.getAll('table'), note: '', from: new Date(String(f.get('from'))).toISOString(), to: new Date(String(f.get('to'))).toISOString() });
    $('#case-said').textContent = `${t('sealed')}: ${c.id}`;
    setTimeout(showCases, 300); // the index follows the ledger
    loadStrip();
  })();
});

const mine = new Map(); // alert → notes of this page that the server may not list yet

function listNotes(list) {
  const key = (n) => `${n.person} ${n.text}`;
  const all = [...list, ...(mine.get(current.id) ?? []).filter((n) => !list.some((x) => key(x) === key(n)))];
  $('#notes').replaceChildren(...(all.length ? [] : [make('li', { className: 'empty', textContent: t('no_notes') })]), ...all.map((n) => make('li', { textContent: `${n.person} · ${new Date(n.time).toLocaleString(locale())}: ${n.text}` })));
}

const showNotes = attempt(async () => {
  const of = current;
  const list = await get(`/api/v1/alerts/${encodeURIComponent(of.id)}/notes`);
  if (of === current) listNotes(list);
});

const showRound = attempt(async () => {
  const of = current;
  $('#round').replaceChildren();
  $('#round').append(make('p', { className: 'empty', textContent: t('no_round_here') }));
  if (!of.alert.round) return;
  const r = await get(`/api/v1/tables/${encodeURIComponent(of.table)}/rounds/${encodeURIComponent(of.alert.round)}`)
    .catch((err) => { if (err.status === 404) return null; throw err; }); // it is still being played
  if (of !== current || !r) return;
  $('#round').replaceChildren();
  const start = Date.parse(r.start);
  const events = make('ol', { className: 'events' }, ...(r.record?.events ?? []).map((e) => {
    const b = make('button', { type: 'button', textContent: `${e.t.toFixed(1)} s · ${rounds.event(e)}` });
    b.addEventListener('click', () => player.seek(start + e.t * 1000));
    return make('li', {}, b);
  }));
  const findings = make('ul', {}, ...(r.verdict?.findings ?? []).map((f) => make('li', { textContent: `${spoken(me.codes.find((c) => c.code === f.code)) ?? f.code} · ${f.rule}${f.delta ? ` · ${money(f.delta)}` : ''}` })));
  $('#round').append(make('p', {}, r.id, ...(r.not_verifiable ? [' · ', icon('major'), ` ${t('unverified')}: ${rounds.doubt(r.not_verifiable)}`] : [])), findings, events);
});

const outcome = attempt(async (o) => {
  const of = current; // another may have been chosen when the answer comes
  const ack = await post(`/api/v1/alerts/${encodeURIComponent(of.id)}/ack`, { outcome: o, note: $('#note [name=text]').value });
  of.alert = { ...of.alert, ...ack, state: 'acknowledged' };
  if (of === current) {
    $('#note').reset();
    detail();
  }
  await setReviewed(true, of);
});

const setReviewed = attempt(async (is, of = current) => {
  await put(`/api/v1/alerts/${encodeURIComponent(of.id)}/reviewed`, { reviewed: is });
  of.reviewed = is;
  if (of === current) $('#reviewed').checked = is;
  $(`#list [data-id="${CSS.escape(of.id)}"]`)?.replaceWith(item(of));
  mark();
});

$('#reviewed').addEventListener('change', (e) => setReviewed(e.target.checked));
$('#note').addEventListener('submit', (e) => {
  e.preventDefault();
  const text = e.target.elements.text.value;
  attempt(async () => {
    const of = current;
    const n = await post(`/api/v1/alerts/${encodeURIComponent(of.id)}/notes`, { text });
    mine.set(of.id, [...(mine.get(of.id) ?? []), n]);
    showNotes();
    e.target.reset();
    /** @type {HTMLElement} */ (document.activeElement).blur();
  })();
});

// Controls and keys.

const keys = {
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
  ' ': () => player.toggle(), ',': () => player.step(-1), '.': () => player.step(1), '[': () => player.faster(-1), ']': () => player.faster(1),
  p: () => current && select(current), v: () => current && me.acknowledge && setReviewed(!current.reviewed), n: () => $('#note [name=text]').focus(),
  f: () => $('#filters select').focus(), c: () => $('#case [name=title]').focus(), l: () => $('#layer').click(), '+': () => $('#closer').click(), '-': () => $('#wider').click(),
};
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const at = /** @type {HTMLElement} */ (e.target);
  if (at.matches('input:not([type=checkbox]), textarea, select')) { if (e.key === 'Escape') at.blur(); return; }
  const n = Number(e.key);
  if (n >= 1 && n <= 4 && current && !current.alert.ack && me.acknowledge) outcome(me.outcomes[n - 1]);
  else if (keys[e.key] && !(e.key === ' ' && at.matches('button'))) keys[e.key]();
  else return;
  e.preventDefault();
});
const press = { back: () => player.step(-1), next: () => player.step(1), play: () => player.toggle(), slower: () => player.faster(-1), faster: () => player.faster(1),
  wider: () => strip.zoom(1) && loadStrip(), closer: () => strip.zoom(-1) && loadStrip() };
$('#layer').addEventListener('click', (e) => { e.target.ariaPressed = String(e.target.ariaPressed !== 'true'); });
for (const [id, f] of Object.entries(press)) $(`#${id}`).addEventListener('click', f);
for (const name of ['play', 'pause', 'ratechange']) $('#video').addEventListener(name, showControls);
$('#camera').addEventListener('change', attempt((e) => show(e.target.value, player.camera ? player.now() : Date.now() - 60_000)));
$('#filters').addEventListener('change', refresh);
$('#filters').addEventListener('submit', (e) => { e.preventDefault(); refresh(); });

function words() {
  const fill = (name, values) => {
    const s = $(`#filters [name=${name}]`);
    const had = s.value;
    s.replaceChildren(make('option', { value: '', textContent: '–' }), ...values.map(([v, w]) => make('option', { value: v, textContent: w })));
    s.value = had;
  };
  fill('table', tables.map((x) => [x.id, x.name]));
  fill('severity', ['critical', 'major', 'minor'].map((x) => [x, t(x)]));
  fill('state', ['open', 'escalated', 'resolved', 'acknowledged'].map((x) => [x, t(`state_${x}`)]));
  fill('reviewed', [['false', t('no')], ['true', t('yes')]]);
  fill('code', me.codes.map((c) => [c.code, spoken(c)]));
}

me = await get('/api/v1/me');
tables = await get('/api/v1/tables');
header(me, () => { words(); refresh(); listed = null; if (current) detail(); });
words();
$('#camera').replaceChildren(...tables.flatMap((x) => x.cameras.map((c) => make('option', { value: c.name, textContent: `${x.name} · ${c.name}` }))));
$('#case-tables').append(...tables.map((x) => make('label', {}, make('input', { type: 'checkbox', name: 'table', value: x.id }), ` ${x.name} `)));
requestAnimationFrame(paint);
await refresh();
showCases();
let again = 0;
hear((m) => { if (m.type === 'alert') { clearTimeout(again); again = setTimeout(refresh, 500); } });
