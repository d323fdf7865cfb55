// The wall: up to four tables live, their overlays, and the alerts.
import { setLanguage, language, t, money } from './words.js';
import { Alerts } from './alerts.js';
import { connect } from './whep.js';
import { drawOverlay } from './overlay.js';
import { get } from './api.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const tiles = new Map(); // table id → {root, video, canvas, round, table, overlays, state}
let room = null; // who supervises which tables

function addTile(table) {
  const root = $('#tile').content.firstElementChild.cloneNode(true);
  root.dataset.table = table.id;
  root.setAttribute('aria-label', table.name);
  $('#tables').append(root);
  const tile = {
    slot: -1, root, table, overlays: new Map(), state: null,
    video: root.querySelector('video'), canvas: root.querySelector('canvas'),
    round: root.querySelector('.round'), blind: root.querySelector('.blind'),
  };
  tile.blind.textContent = t('connecting');
  tile.blind.hidden = false;
  tile.video.addEventListener('playing', () => { tile.blind.hidden = true; });
  tiles.set(table.id, tile);
  showState(tile);
}

function showState(tile) {
  const { table, state, room: duty } = tile;
  const part = (name) => tile.root.querySelector(`.${name}`);
  part('name').textContent = table.name;
  part('phase').textContent = state?.phase ? rounds.phase(state.phase) : '';
  part('doubt').hidden = !state?.not_verifiable;
  part('doubt').textContent = state?.not_verifiable ? `⚠ ${t('unverified')}: ${rounds.doubt(state.not_verifiable)}` : '';
  part('who').textContent = duty ? `${t(`rec_${duty.recording}`)} · ${duty.jefe ?? t('nobody')}` : '';
  part('who').className = `who rec ${duty?.recording ?? ''}`;
  const facts = [rounds.game(table), table.norm, `${money(table.min)} – ${money(table.max)}`];
  if (state?.per_hour) facts.push(`${state.per_hour} ${t('perhour')}`);
  if (state?.round && !state.round.includes('-0001')) facts.push(state.round);
  part('facts').textContent = facts.join(' · ');
  // The newest first: the end of a long line is cut off.
  const events = (state?.events ?? []).slice(-6).map(rounds.event).reverse();
  tile.round.textContent = events.join(' · ') || t('no_round');
  tile.root.classList.toggle('unverified', Boolean(state?.not_verifiable));
}

function paint() {
  for (const tile of tiles.values()) {
    const camera = tile.table.cameras[0];
    drawOverlay(tile.canvas, tile.video, camera?.size, tile.overlays.get(camera?.name) ?? []);
  }
  requestAnimationFrame(paint);
}

function showHealth(problems) {
  const bad = problems.filter((p) => p.severity !== 'info');
  $('#health').textContent = bad.length ? `⚠ ${bad.length} ${t(bad.length === 1 ? 'problem' : 'problems')}: ${bad[0][language()]}${bad[0].table ? ` (${bad[0].object})` : ''}` : t('fine');
  $('#health').className = bad.length ? bad[0].severity : '';
  for (const tile of tiles.values()) {
    const blind = problems.find((p) => p.code === 'camera_blind' && tile.table.cameras.some((c) => c.name === p.object));
    if (blind) tile.blind.textContent = `${t('blind')}: ${blind.detail}`;
    tile.blind.hidden = !blind && tile.video.readyState >= 2;
  }
}

// The banner says who supervises which tables and, at once, what the norm no
// longer allows.
function showSupervision(st) {
  const banner = $('#banner');
  const no = st.findings.filter((x) => x.jefe);
  banner.classList.toggle('forbidden', no.length > 0);
  const who = st.assignments.map((a) => `${a.allowed ? '✓' : '⛔'} ${a.jefe}: ${a.tables.join(' ')}`);
  banner.textContent = [...no.map((x) => `⛔ ${x[language()]} (${x.rule})`), ...who].join(' · ');
  banner.hidden = !banner.textContent;
  for (const x of st.tables) {
    const tile = tiles.get(x.id);
    if (!tile) continue;
    tile.room = x;
    showState(tile);
  }
}

const alerts = new Alerts($('#alerts'), $('#open'), $('#clip'));

function hear(m) {
  const tile = tiles.get(m.table);
  switch (m.type) {
    case 'overlay': if (tile && !tile.frozen) tile.overlays.set(m.key, m.body); break;
    case 'state': if (tile) { tile.state = m.body; showState(tile); } break;
    case 'alert': alerts.put(m.body); break;
    case 'supervision': room = m.body; showSupervision(room); break;
    case 'health': showHealth(m.body); break;
  }
}

// Events come on the data channel; where that is not to be had, by SSE.
let sse = null;
function fallback(on) {
  if (on && !sse) {
    sse = new EventSource('/api/v1/events');
    sse.onmessage = (e) => hear(JSON.parse(e.data));
  } else if (!on && sse) {
    sse.close();
    sse = null;
  }
}

function toggleFull(tile) {
  const on = !tile.root.classList.contains('full');
  for (const x of tiles.values()) x.root.classList.remove('full');
  tile.root.classList.toggle('full', on);
  document.body.classList.toggle('one', on);
  // One table alone has its full picture; the others, unseen, send nothing.
  for (const x of tiles.values()) if (x.slot >= 0) show(x.slot, on ? (x === tile ? x.table.cameras[0].name : '') : small(x.table.cameras[0]));
}

// small is the camera's picture for a tile: its substream where it has one.
const small = (camera) => (camera.low && tables.length > 1 ? `${camera.name}~low` : camera.name);

function freeze(tile) {
  tile.frozen = !tile.frozen;
  tile.root.classList.toggle('frozen', tile.frozen);
  if (tile.frozen) tile.video.pause(); else tile.video.play();
}

function current() {
  const focused = document.activeElement?.closest?.('.tile');
  return tiles.get(focused?.dataset.table) ?? tiles.get($('.tile.full')?.dataset.table) ?? [...tiles.values()][0];
}

document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input, textarea, select') || $('#clip').open) return;
  const n = Number(e.key);
  const list = [...tiles.values()];
  if (n >= 1 && n <= list.length) toggleFull(list[n - 1]);
  else if (e.key === 'Escape') document.querySelectorAll('.full').forEach((x) => toggleFull(tiles.get(x.dataset.table)));
  else if (e.key === 'f') freeze(current());
  else if (e.key === 'r') alerts.replayRound(current());
  else if (e.key === 'a') alerts.focusFirst();
  else if (e.key === 'm') $('#mute').click();
  else return;
  e.preventDefault();
});

$('#mute').addEventListener('click', (e) => {
  alerts.muted = !alerts.muted;
  e.currentTarget.setAttribute('aria-pressed', alerts.muted);
});
$('#language').addEventListener('click', () => {
  setLanguage(language() === 'es' ? 'en' : 'es');
  $('#language').textContent = t('other');
  tiles.forEach(showState);
  if (room) showSupervision(room);
  alerts.refresh();
});

const me = await get('/api/v1/me');
if (!localStorage.getItem('lang')) localStorage.setItem('lang', me.language);
setLanguage(localStorage.getItem('lang'));
$('#language').textContent = t('other');
alerts.person = me;
room = await get('/api/v1/supervision');
const own = (x) => room.tables.some((y) => y.id === x.id && y.jefe === me.user);
const tables = (await get('/api/v1/tables')).sort((a, b) => own(b) - own(a)).slice(0, 4);
tables.forEach(addTile);
if (!tables.length) $('#tables').append(Object.assign(document.createElement('p'), { className: 'empty', textContent: t('no_tables') }));
showSupervision(room);
$('#tables').dataset.count = tables.length;
for (const a of (await get('/api/v1/alerts')).reverse()) alerts.put(a, true);
showHealth((await get('/api/v1/health')).problems);
fallback(true);
const watched = tables.filter((x) => x.cameras.length);
watched.forEach((x, slot) => { tiles.get(x.id).slot = slot; });
const show = connect(watched.map((x) => small(x.cameras[0])), {
  stream: (i, stream) => { tiles.get(watched[i].id).video.srcObject = stream; },
  message: hear,
  state: (up) => {
    fallback(!up);
    if (!up) for (const tile of tiles.values()) { tile.blind.textContent = t('connecting'); tile.blind.hidden = false; }
  },
}, me.ice_servers);
requestAnimationFrame(paint);
// A picture that stands still is worse than none: say so.
setInterval(() => {
  for (const tile of tiles.values()) {
    const now = tile.video.currentTime;
    if (tile.frozen || !tile.video.srcObject) continue;
    const still = tile.lastTime === now;
    tile.stillFor = still ? (tile.stillFor ?? 0) + 1 : 0;
    if (tile.stillFor >= 3) { tile.blind.textContent = t('blind'); tile.blind.hidden = false; }
    // A substream that fails is not the camera: its full picture may be there.
    if (tile.stillFor === 5 && tile.table.cameras[0].low && !document.body.classList.contains('one')) {
      tile.table.cameras[0].low = false;
      show(tile.slot, small(tile.table.cameras[0]));
    }
    else if (tile.stillFor === 0 && tile.video.readyState >= 2) tile.blind.hidden = true;
    tile.lastTime = now;
  }
}, 1000);
