// The wall: up to four tables live at once, their overlays, and the alerts.
import { t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { header, offered } from './header.js';
import { Alerts } from './alerts.js';
import { Tile } from './tile.js';
import { connect } from './whep.js';
import { get } from './api.js';
import { hear as listen } from './line.js';
import { say } from './icons.js';
import { fit } from './grid.js';

const $ = (s) => document.querySelector(s);
const most = 4; // tables at once
const known = new Map(); // table id → what was heard of it: {state, duty, overlays, ages}
const tiles = []; // by slot of the peer connection
let room = null; // who supervises which tables
let problems = null; // not known yet
let page = 0; // which four of the tables
/** @type {(slot: number, camera: string) => void} */
let show = () => {};

const of = (id) => tiles.find((x) => x.table?.id === id && !x.root.hidden);

// fill puts the page's tables into the tiles.
function fill() {
  const here = tables.slice(page * most, (page + 1) * most);
  tiles.forEach((tile, i) => {
    tile.root.hidden = !here[i];
    if (here[i]) {
      tile.show(here[i], known.get(here[i].id));
      tile.trouble(problems ?? []);
    }
    show(i, here[i] ? small(tile) : '');
  });
  alone(null);
  const pages = Math.ceil(tables.length / most);
  $('#pages').hidden = pages < 2;
  $('#pages output').textContent = `${page + 1}/${pages}`;
}

function turn(n) {
  const pages = Math.ceil(tables.length / most);
  page = (page + n + pages) % pages;
  fill();
}

function showHealth(list) {
  problems = list;
  showStanding();
  for (const tile of shown()) tile.trouble(list);
}

// Whether all is in order: the node has no problem, no alert waits, and the norm allows
// things as they are.
function showStanding() {
  if (!problems) return;
  const bad = problems.filter((p) => p.severity !== 'info');
  const p = $('#health');
  if (bad.length) {
    const last = bad.findLast((x) => x.severity === bad[0].severity); // of the gravest, which come first
    const words = `${bad.length} ${t(bad.length === 1 ? 'problem' : 'problems')}: ${spoken(last)}${last.table ? ` (${last.object})` : ''}`;
    p.className = last.severity;
    say(p, last.severity === 'critical' ? 'critical' : 'major', offered('/health', me) ? make('a', { href: '/health', textContent: words }) : words);
  } else if (alerts.waiting) {
    p.className = 'warning';
    say(p, 'major', `${alerts.waiting} ${t(alerts.waiting === 1 ? 'alert_waits' : 'alerts_wait')}`);
  } else if (room.findings.some((x) => x.jefe)) {
    p.className = 'warning';
    say(p, 'no', t('forbidden'));
  } else {
    p.className = '';
    say(p, 'ok', t('fine'));
  }
}

// The banner says who supervises which tables and, at once, what the norm no
// longer allows.
function showSupervision(st) {
  room = st;
  const banner = $('#banner');
  const no = st.findings.filter((x) => x.jefe);
  banner.classList.toggle('forbidden', no.length > 0);
  const part = (drawn, words) => { const s = document.createElement('span'); say(s, drawn, words); return s; };
  banner.replaceChildren(...no.map((x) => part('no', `${spoken(x)} (${x.rule})`)), ...st.assignments.map((a) => part(a.allowed ? 'ok' : 'no', `${a.jefe}: ${a.tables.join(' ')}`)));
  banner.hidden = !banner.textContent;
  showStanding();
  for (const x of st.tables) {
    const k = known.get(x.id);
    if (!k) continue;
    k.duty = x;
    of(x.id)?.render();
  }
}

function hear(m) {
  const k = known.get(m.table);
  const tile = of(m.table);
  switch (m.type) {
    case 'overlay': if (k && !tile?.frozen) k.overlays.set(m.key, m.body); break;
    case 'state': if (k) { k.state = m.body; tile?.render(); } break;
    case 'age': if (k) { k.ages.set(m.key, m.body); tile?.render(); } break;
    case 'alert': alerts.put(m.body); break;
    case 'supervision': showSupervision(m.body); break;
    case 'health': showHealth(m.body); break;
  }
}

// Events come on the data channel; where that is not to be had, by SSE.
let sse = null;
function fallback(on) {
  if (on) sse ??= listen(hear);
  else { sse?.close(); sse = null; }
}

// alone shows one table, null all. One alone has its full picture; the others,
// unseen, send nothing.
function alone(tile) {
  for (const x of tiles) x.root.classList.toggle('full', x === tile);
  document.body.classList.toggle('one', Boolean(tile));
  for (const x of tiles) if (!x.root.hidden) show(x.slot, !tile ? small(x) : x === tile ? x.camera.name : '');
  arrange();
}

// arrange gives the pictures as much of the screen as they can fill; the alerts have what
// is left beside them (style.css: on narrow screens all stands in one column).
function arrange() {
  const all = document.body.classList.contains('one') ? tiles.filter((x) => x.root.classList.contains('full')) : shown();
  const main = $('#tables');
  if (!all.length) return;
  const aspect = all.map((x) => x.aspect).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  const bar = all[0].part('now').offsetHeight + all[0].root.offsetHeight - all[0].root.clientHeight; // with the border
  const { columns, tile } = fit(all.length, { width: innerWidth - parseFloat(getComputedStyle($('aside')).minWidth), height: main.clientHeight, aspect, bar, gap: parseFloat(getComputedStyle(main).columnGap) });
  main.style.setProperty('--columns', String(columns));
  main.style.setProperty('--tile', `${tile}px`);
}
new ResizeObserver(arrange).observe($('#tables'));
addEventListener('resize', arrange); // another density
const toggle = (tile) => alone(tile.root.classList.contains('full') ? null : tile);

// Machines hand tables over: the picture comes from whoever runs the table now.
const nodeOf = (camera) => tables.find((x) => x.cameras.some((c) => c.name === camera.split('~')[0]))?.node ?? '';
async function follow() {
  let moved = false;
  for (const x of await get('/api/v1/tables')) {
    const old = tables.find((y) => y.id === x.id);
    if (!old || !x.node || old.node === x.node) continue;
    old.node = x.node;
    moved = true;
  }
  if (moved) for (const x of shown()) show(x.slot, small(x));
}

// small is the camera's picture for a tile: its substream where it has one.
const small = ({ camera }) => (camera.low && tables.length > 1 ? `${camera.name}~low` : camera.name);

const shown = () => tiles.filter((x) => !x.root.hidden);
const current = () => of(/** @type {HTMLElement} */ (document.activeElement?.closest?.('.tile'))?.dataset.table) ?? of($('.tile.full')?.dataset.table) ?? shown()[0];

const keys = {
  Escape: () => alone(null), f: () => current()?.freeze(), r: () => alerts.replayRound(current()),
  a: () => alerts.focusFirst(), m: () => $('#mute').click(),
  PageDown: () => tables.length > most && turn(1), PageUp: () => tables.length > most && turn(-1),
};
document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || /** @type {HTMLElement} */ (e.target).matches('input, textarea, select') || $('dialog[open]') || $('#menu:popover-open')) return;
  const tile = shown()[Number(e.key) - 1];
  if (tile) toggle(tile);
  else if (keys[e.key]) keys[e.key]();
  else return;
  e.preventDefault();
});
// An iPhone that saves power plays nothing by itself.
document.addEventListener('pointerup', () => { for (const x of shown()) if (!x.frozen && x.video.paused) x.video.play().catch(() => {}); });
$('#prev').addEventListener('click', () => turn(-1));
$('#following').addEventListener('click', () => turn(1));

const me = await get('/api/v1/me');
header(me, () => {
  shown().forEach((x) => x.render());
  showSupervision(room);
  showHealth(problems);
  alerts.refresh();
  arrange();
});
room = await get('/api/v1/supervision');
const own = (x) => room.tables.some((y) => y.id === x.id && y.jefe === me.user);
const tables = (await get('/api/v1/tables')).sort((a, b) => own(b) - own(a));
for (const x of tables) known.set(x.id, { overlays: new Map(), ages: new Map(), alarms: [] });
const alerts = new Alerts({ list: $('#alerts'), count: $('#open'), dialog: $('#clip'), reason: $('#reason'), mute: $('#mute'), tables, person: me, tell: (id, open) => {
  if (!id) { showStanding(); return; }
  known.get(id).alarms = open;
  of(id)?.alarms(open);
} });
for (let slot = 0; slot < Math.min(most, tables.length); slot++) {
  tiles.push(new Tile(slot, me, (a) => alerts.shown(a)));
  $('#tables').append(tiles[slot].root);
}
fill();
if (!tables.length && me.install) { location.replace('/setup'); await new Promise(() => {}); } // nothing more happens here
if (!tables.length) $('#tables').append(Object.assign(document.createElement('p'), { className: 'empty', textContent: t('no_tables') }));
showSupervision(room);
alerts.load(await get('/api/v1/alerts'));
const month = 30 * 24 * 3600e3;
get(`/api/v1/statistics?by=table&from=${new Date(Date.now() - month).toISOString()}`).then((x) => alerts.judge(x)).catch(() => {}); // the wall does without
showHealth((await get('/api/v1/health')).problems);
fallback(true);
show = connect(tiles.map(small), {
  stream: (i, stream) => { tiles[i].video.srcObject = stream; },
  message: hear,
  state: (up, slots) => {
    fallback(!up);
    if (!up) for (const slot of slots) tiles[slot].say(t('connecting'));
  },
}, me.ice_servers, nodeOf);
if (tables.some((x) => 'node' in x)) setInterval(() => follow().catch(console.error), 3000);
function paint() {
  for (const tile of shown()) tile.paint();
  requestAnimationFrame(paint);
}
requestAnimationFrame(paint);
setInterval(() => {
  for (const tile of shown()) {
    if (!tile.look() || document.body.classList.contains('one')) continue;
    tile.camera.low = false;
    show(tile.slot, small(tile));
  }
}, 1000);
arrived();
