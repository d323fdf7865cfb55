// The surveillance room's review: a queue of alerts or rounds gone through by keyboard,
// the camera's recording with its timeline, other cameras in step with it, and the round
// beside the picture.
import { get, put, post } from './api.js';
import { hear } from './line.js';
import { locale, t, money, sentence, spoken, standing, sure } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { icon, say } from './icons.js';
import { Player } from './player.js';
import { cutOut, drawOverlay, words as inWords } from './overlay.js';
import { Timeline } from './timeline.js';
import { Together } from './together.js';
import { Glance } from './glance.js';
import { Queue } from './queue.js';
import { Cases } from './cases.js';
import { Marks } from './marks.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const preRoll = 10_000;
/** @type {Queue} */ let queue;
/** @type {Cases} */ let cases;
/** @type {Marks} */ let marks;
let me, tables, current = null;
const fail = (err) => { $('#error').hidden = !err; $('#error').textContent = err?.message ?? ''; };
const attempt = (f) => async (...a) => { try { await f(...a); fail(null); } catch (err) { fail(err); } };

const strip = new Timeline($('#timeline'), (wall) => player.seek(wall).then(() => place(wall)));
let shown = null; // table whose cameras follow in step
let foreign = false; // this browser does not play what the camera sends
const player = new Player($('#video'), { time: (wall) => place(wall), state: showControls, unplayable: () => { foreign = true; }, found: (is) => {
  $('#gone').hidden = is;
  $('#gone').textContent = t(foreign ? 'no_codec' : 'no_recording');
  foreign = false;
}, missing: (wall) => strip.missing(wall) });
const together = new Together(player, $('#together'));
new Glance($('#glance'), $('#timeline'), strip, () => player.camera);
Object.assign(window, { visionPlayer: player, visionStrip: strip, visionTogether: together }); // for the page's own measurements

function place(wall) {
  $('#now').textContent = `${player.camera} · ${new Date(wall).toLocaleString(locale())}.${String(Math.floor(wall % 1000)).padStart(3, '0')}`;
  if (strip.place(wall)) loadStrip();
}

// What was read in the picture that shows lies over it, and stands beside it in words.

let listed = null; // of which time the words are
let pointed = null; // the reading whose words somebody points at
function paint() {
  const of = $('#video').readyState >= 2 && !$('#video').classList.contains('off') ? player.readings() : null;
  const size = tables.flatMap((x) => x.cameras).find((c) => c.name === player.camera)?.size;
  drawOverlay($('#overlay'), $('#video'), size, $('#layer').ariaPressed === 'true' ? of?.readings ?? [] : [], { sure: true, pointed });
  if (listed !== (of?.at ?? 0)) listReadings(of);
  requestAnimationFrame(paint);
}

function listReadings(of) {
  listed = of?.at ?? 0;
  const all = of?.readings ?? [];
  const size = tables.flatMap((x) => x.cameras).find((c) => c.name === player.camera)?.size;
  $('#readings').replaceChildren(...(all.length ? [] : [make('li', { className: 'empty', textContent: t(of ? 'read_nothing' : 'no_readings') })]), ...all.map((r) => {
    const li = make('li', { className: r.abstain ? 'unsure' : '' }, cutOut($('#video'), size, r), make('span', { textContent: inWords(r) }));
    for (const [event, is] of [['pointerenter', r], ['pointerleave', null]]) li.addEventListener(event, () => { pointed = is; });
    return li;
  }));
}

let stripTurn = 0;
const loadStrip = attempt(async () => {
  const turn = ++stripTurn;
  const pad = strip.length / 2; // the neighbours too: gaps are jumped over
  const q = new URLSearchParams({ camera: player.camera, from: new Date(strip.from - pad / 2).toISOString(), to: new Date(strip.to + Math.min(pad, 1800_000)).toISOString() });
  const got = await get(`/api/v1/timeline?${q}`);
  if (turn !== stripTurn) return;
  strip.show(got);
  marks.show(got.marks);
});

function showControls() {
  say($('#play'), $('#video').paused ? 'play' : 'pause');
  $('#rate').textContent = `${$('#video').playbackRate}×`;
}

async function show(camera, wall, play = true) {
  $('#camera').value = camera;
  const [w, h] = tables.flatMap((x) => x.cameras).find((c) => c.name === camera)?.size ?? [];
  $('.picture').style.aspectRatio = w && h ? `${w} / ${h}` : '';
  player.camera ??= null;
  strip.middle = wall;
  strip.at = wall;
  const opened = player.open(camera, wall, play);
  loadStrip();
  others();
  await opened;
  showControls();
}

// others has those cameras follow that are asked for.
function others() {
  const asked = [...document.querySelectorAll('#others input')];
  for (const box of asked) box.disabled = box.value === player.camera;
  together.show(asked.filter((x) => x.checked && !x.disabled).map((x) => x.value));
}

// beside has all cameras of a table that was not shown yet follow in step, and no more those of the one before.
function beside(table) {
  const of = (one, camera) => one?.cameras.some((c) => c.name === camera);
  if (table?.id === shown?.id) return;
  for (const box of document.querySelectorAll('#others input')) if (of(table, box.value) || of(shown, box.value)) box.checked = !!of(table, box.value);
  shown = table;
}

// The queue.

// stretch is the time that an alert or a round is about, in ms; from some before.
function stretch(x) {
  const from = x.alert ? x.alert.clip?.from ?? x.alert.at : x.round.start ?? x.round.time;
  const to = x.alert ? x.alert.clip?.to ?? x.alert.at : x.round.end ?? x.round.time;
  return [Date.parse(from) - preRoll, Date.parse(to)];
}

const refresh = attempt(async () => {
  await queue.load();
  $('#count').textContent = String(queue.items.length);
  $('#unsift').hidden = !queue.sifted;
  $('#empty').hidden = queue.items.length > 0;
  $('#empty').textContent = t(queue.sifted ? 'no_queue' : 'queue_empty');
  queue.mark(current?.id);
});

const select = attempt(async (x) => {
  current = x;
  history.replaceState(null, '', `#${encodeURIComponent(x.id)}`); // a reload shows it again, in the same search
  queue.mark(x.id);
  const li = queue.at(x.id);
  li?.focus({ preventScroll: true });
  li?.scrollIntoView({ block: 'nearest' });
  scrollTo(0, 0); // where the page scrolls, the picture is above
  detail();
  const table = tables.find((y) => y.id === x.table);
  const camera = x.alert?.clip?.camera ?? table?.cameras[0]?.name;
  beside(table);
  $('#now').hidden = !camera;
  $('#video').classList.toggle('off', !camera); // what is not of a table has no recording
  if (!camera) $('#video').pause();
  const moment = x.alert && x.alert.kind !== 'health' && Date.parse(x.alert.at); // a camera's trouble has no picture
  strip.decides = moment ? x.parts.map((y) => Date.parse(y.alert.at)) : [];
  if (camera) await (moment ? show(camera, moment, false) : show(camera, stretch(x)[0]));
});

// again plays what is chosen from some before.
const again = attempt(() => show($('#camera').value || player.camera, stretch(current)[0]));

function move(n) {
  const next = queue.beside(current?.id, n);
  if (next && next.id !== current?.id) select(next);
}

// setMark marks what shows now, by what is chosen.
const setMark = attempt(() => marks.set(player.camera, player.now(), current?.alert ? sentence(current.alert) : ''));

// One button takes the clip away: of what is chosen, or a moment before and after now.
function takeAway() {
  const [from, to] = current && player.now() >= stretch(current)[0] && player.now() <= stretch(current)[1] + preRoll ? stretch(current) : [player.now() - preRoll, player.now()];
  const q = new URLSearchParams({ camera: player.camera, from: new Date(from).toISOString(), to: new Date(to + preRoll).toISOString() });
  make('a', { href: `/api/v1/clips?${q}&download`, download: '' }).click();
}

// The alert or the round that is chosen.

function detail() {
  $('#detail').hidden = false;
  $('#pick').hidden = true;
  $('#of-alert').hidden = !current.alert;
  if (current.alert) ofAlert(current.alert);
  else $('#what').textContent = `${queue.name(current.table)} · ${new Date(current.round.start ?? current.round.time).toLocaleString(locale())}`;
  showRound();
  cases.fill(current, stretch(current)[0] + preRoll, stretch(current)[1]);
}

function ofAlert(a) {
  const parts = current.parts.slice(1).map((y) => make('small', { className: 'part', textContent: `+ ${sentence(y.alert)}` }));
  $('#what').replaceChildren(sentence(a), ...parts);
  $('#rule').textContent = [a.rule, spoken(me.codes.find((c) => c.code === a.code)), a.probability && ['finding', 'variance'].includes(a.kind) ? sure(a.probability) : ''].filter(Boolean).join(' · ');
  $('#accounts').replaceChildren(...(a.accounts ?? []).map((x) => make('li', { className: x.holds ? 'holds' : '', textContent: spoken(x) })));
  $('#ack').textContent = [standing(a), a.ack && new Date(a.ack.at).toLocaleString(locale()), a.ack?.note].filter(Boolean).join(' · ');
  const open = !a.ack && me.acknowledge;
  $('#acts').replaceChildren(...(open ? [make('p', { className: 'brief', textContent: sentence(a) })] : []), ...(open ? me.outcomes : []).map((o, i) => {
    const b = make('button', { type: 'button', className: `outcome ${o}` }, make('kbd', { textContent: `${i + 1}` }), ` ${t(o)}`);
    b.addEventListener('click', () => outcome(o));
    return b;
  }));
  $('#reviewed').checked = current.reviewed;
  $('#reviewed').disabled = !me.acknowledge;
  showNotes();
}

const mine = new Map(); // alert → notes of this page that the server may not list yet

function listNotes(list) {
  const key = (n) => `${n.person} ${n.text}`;
  const all = [...list, ...(mine.get(current.id) ?? []).filter((n) => !list.some((x) => key(x) === key(n)))];
  $('#notes').replaceChildren(...(all.length ? [] : [make('li', { className: 'empty', textContent: t('no_notes') })]), ...all.map((n) => make('li', { textContent: `${n.person} · ${new Date(n.time).toLocaleString(locale())}: ${n.text}` })));
}

const showNotes = attempt(async () => {
  const of = current;
  const lists = await Promise.all(of.parts.map((x) => get(`/api/v1/alerts/${encodeURIComponent(x.id)}/notes`)));
  if (of === current) listNotes(lists.flat());
});

const showRound = attempt(async () => {
  const of = current;
  $('#round').replaceChildren();
  $('#round').append(make('p', { className: 'empty', textContent: t('no_round_here') }));
  const id = of.alert ? of.alert.round : of.round.id;
  if (!id) return;
  const r = await get(`/api/v1/tables/${encodeURIComponent(of.table)}/rounds/${encodeURIComponent(id)}`)
    .catch((err) => { if (err.status === 404) return null; throw err; }); // it is still being played
  if (of !== current || !r) return;
  $('#round').replaceChildren();
  const start = Date.parse(r.start);
  const events = make('ol', { className: 'events' }, ...(r.record?.events ?? []).map((e) => {
    const b = make('button', { type: 'button', textContent: `${e.t.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s · ${rounds.event(e)}` });
    b.addEventListener('click', () => player.seek(start + e.t * 1000));
    const decides = Boolean(of.alert) && of.parts.some((x) => rounds.decides(e, x.alert));
    if (decides) strip.decides.push(start + e.t * 1000);
    return make('li', { className: decides ? 'decides' : '' }, b);
  }));
  const findings = make('ul', {}, ...(r.verdict?.findings ?? []).map((f) => make('li', { textContent: `${spoken(me.codes.find((c) => c.code === f.code)) ?? f.code} · ${f.rule}${f.delta ? ` · ${money(f.delta)}` : ''}` })));
  strip.draw();
  $('#round').append(make('p', {}, r.id, ...(r.not_verifiable ? [' · ', icon('major'), ` ${t('unverified')}: ${rounds.doubt(r.not_verifiable)}`] : [])), findings, events);
});

const outcome = attempt(async (o) => {
  const of = current; // another may have been chosen when the answer comes
  const note = $('#note [name=text]').value;
  for (const x of of.parts) { // those that were shown
    const ack = await post(`/api/v1/alerts/${encodeURIComponent(x.id)}/ack`, { outcome: o, note });
    x.alert = { ...x.alert, ...ack, state: 'acknowledged' };
  }
  of.alert = of.parts[0].alert;
  if (of === current) {
    $('#note').reset();
    detail();
  }
  await setReviewed(true, of);
});

const setReviewed = attempt(async (is, of = current) => {
  for (const x of of.parts) await put(`/api/v1/alerts/${encodeURIComponent(x.id)}/reviewed`, { reviewed: is });
  of.reviewed = is;
  if (of === current) $('#reviewed').checked = is;
  queue.anew(of);
  queue.mark(current?.id);
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
  p: () => current && again(), v: () => current?.alert && me.acknowledge && setReviewed(!current.reviewed), n: () => $('#note [name=text]').focus(),
  f: () => { $('#sift').open = true; $('#filters select').focus(); }, c: () => $('#case [name=title]').focus(), l: () => $('#layer').click(), b: () => me.acknowledge && player.camera && setMark(), d: () => me.export && player.camera && takeAway(), '+': () => $('#closer').click(), '-': () => $('#wider').click(),
};
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const at = /** @type {HTMLElement} */ (e.target);
  if (at.matches('input:not([type=checkbox]), textarea, select')) { if (e.key === 'Escape') at.blur(); return; }
  const n = Number(e.key);
  if (n >= 1 && n <= 4 && current?.alert && !current.alert.ack && me.acknowledge) outcome(me.outcomes[n - 1]);
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
$('#filters').addEventListener('reset', () => setTimeout(refresh)); // after the fields are empty

me = await get('/api/v1/me');
tables = await get('/api/v1/tables');
const fingers = matchMedia('(max-width: 1100px), (pointer: coarse)'); // there the queue comes first
$('#sift').open = !fingers.matches;
fingers.addEventListener('change', () => { if (!fingers.matches) $('#sift').open = true; }); // where nothing opens it
queue = new Queue({ form: $('#filters'), list: $('#list'), me, tables, chosen: select });
cases = new Cases({ form: $('#case'), list: $('#cases'), said: $('#case-said'), me, tables, attempt, made: loadStrip });
header(me, () => { queue.words(); refresh(); listed = null; if (current) detail(); });
queue.words();
queue.recall(location.search);
if (queue.sifted) $('#sift').open = true;
$('#camera').replaceChildren(...tables.flatMap((x) => x.cameras.map((c) => make('option', { value: c.name, textContent: `${x.name} · ${c.name}` }))));
$('#others div').append(...tables.flatMap((x) => x.cameras.map((c) => make('label', {}, make('input', { type: 'checkbox', value: c.name }), ` ${x.name} · ${c.name}`))));
$('#others').addEventListener('change', others);
marks = new Marks({ box: $('#marks'), me, go: (wall) => player.seek(wall), changed: loadStrip, attempt });
$('#mark').hidden = !me.acknowledge;
$('#mark').addEventListener('click', setMark);
$('#away').hidden = !me.export;
$('#away').addEventListener('click', takeAway);
requestAnimationFrame(paint);
await refresh();
showControls();
const asked = decodeURIComponent(location.hash.slice(1));
const chosen = queue.items.find((x) => x.id === asked || x.parts?.some((y) => y.id === asked));
if (chosen) select(chosen);
else if ($('#camera').value) show($('#camera').value, Date.now() - 60_000, false); // nobody chose yet: what was a minute ago
cases.show();
let soon = 0;
hear((m) => { if (m.type === 'alert') { clearTimeout(soon); soon = setTimeout(refresh, 500); } });
arrived();
