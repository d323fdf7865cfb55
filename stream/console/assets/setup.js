// A table is set up step by step: camera, table, empty table, felt, chips, what is read,
// live. What was done is kept by the server as a draft: whoever leaves goes on where they
// were, on any machine. Nothing is live before the last step.
import { get, put, post, call } from './api.js';
import { hear } from './line.js';
import { figure, t } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { connect } from './whep.js';
import { said } from './details.js';
import { Felt } from './felt.js';
import { Chips } from './chips.js';
import { lensPanel } from './lens.js';
import { offer } from './pack.js';
import { chosen, offerGames, showSummary, showTable } from './choice.js';
import { Sight } from './sight.js';
import { awaited, newcomer } from './first.js';
import { planPanel } from './plan.js';

const $ = (s) => document.querySelector(s);
const steps = ['camera', 'table', 'empty', 'felt', 'chips', 'sight', 'go'];
const at = new URLSearchParams(location.search);
const video = $('#video');
const canvas = $('#picture');
let lens = null; // as measured
let leaving = false; // it goes live: it may be no draft any more
let room, draft = null, line = null, step = 'camera', reached = 0;

const say = (text, bad = false) => { $('#said').textContent = text; $('#said').className = bad ? 'bad' : ''; };

// attempt does what a button is for, once at a time, and says what was wrong.
const attempt = (f) => async (e) => {
  e?.preventDefault();
  const b = e?.submitter ?? e?.currentTarget;
  if (b?.matches?.('button')) b.disabled = true;
  try { await f(e); } catch (err) { say(err.message, true); }
  if (b?.matches?.('button')) b.disabled = false;
};

const felt = new Felt({ canvas, zone: $('#zone'), corner: $('#corner'), on: { points: () => fit(), changed: () => { $('#save').disabled = false; } } });
const chips = new Chips({ body: $('#chips tbody'), felt, say, changed: () => {} });
const sight = new Sight({ overlay: $('#overlay'), video, list: $('#readings'), figure: $('#sight') });
const api = (rest = '') => `/api/v1/setup/${draft.id}${rest}`;
const of = (rest) => `/api/v1/cameras/${encodeURIComponent(draft.camera)}/${rest}`;

// Steps: which are done, and which one shows.

function done(s) {
  switch (s) {
    case 'camera': return Boolean(draft);
    case 'table': return Boolean(draft?.chosen);
    case 'empty': return draft && !draft.lacks.includes('empty');
    case 'felt': return draft && !draft.lacks.includes('calibration');
    case 'chips': return done('felt') && !draft.lacks.includes('chips');
    case 'sight': return done('felt') && reached > steps.indexOf('sight');
    default: return false;
  }
}

// open reports whether a step may be gone to: all that it stands on is done.
const open = (s) => steps.slice(0, steps.indexOf(s)).every((x) => done(x) || x === 'chips' || x === 'sight');

function showSteps() {
  $('#steps').replaceChildren(...steps.map((s, i) => {
    const b = make('button', { type: 'button', disabled: !open(s) || (s === 'camera' && draft) }, `${i + 1} · ${t(`stage_${s}`)}`);
    if (s === step) b.setAttribute('aria-current', 'step');
    b.classList.toggle('done', done(s));
    b.addEventListener('click', () => go(s));
    return make('li', {}, b);
  }));
}

// live shows the camera's picture as it comes, or else what is on the canvas.
function live(on) {
  video.hidden = !on;
  canvas.hidden = on;
  sight.refresh();
}

const enter = {
  async table() { live(true); showTable(room, draft); },
  async empty() { live(done('empty') === false); if (done('empty')) await showEmpty(); },
  async felt() { showPacks(); await showEmpty(); await load(); },
  async chips() { await load(); live(true); felt.again(); showChips(); },
  async sight() { await load(); live(true); },
  async go() { live(true); showSummary(room, draft); },
};

async function go(s) {
  step = s;
  reached = Math.max(reached, steps.indexOf(s));
  for (const x of document.querySelectorAll('section[data-step]')) x.hidden = x.dataset.step !== s;
  showSteps();
  say('');
  felt.learning = null;
  chips.showing = false;
  board.stop();
  await enter[s]?.();
  $(`section[data-step=${s}] h2`).scrollIntoView({ block: 'nearest' });
}

const next = () => go(steps[steps.indexOf(step) + 1]);
for (const b of document.querySelectorAll('[data-next]')) b.addEventListener('click', attempt(next));

// took has a draft as the server has it now.
function took(d) {
  draft = d;
  $('#name').textContent = d.choice.id ? `· ${d.choice.name || d.choice.id}` : '';
  $('#trouble').hidden = !d.problem;
  $('#trouble').textContent = d.problem ? said(d.problem) : '';
  sight.size = d.size?.[0] ? d.size : undefined;
  showSteps();
}

// Camera.

const choice = (text, more, f) => {
  const b = make('button', { type: 'button' }, text, ...(more ? [make('small', { textContent: more })] : []));
  b.addEventListener('click', f);
  return make('li', {}, b);
};
const fill = (url) => () => { $('#camera').url.value = url; $('#camera').user.focus(); };

function showRoom() {
  planPanel(room);
  $('#readonly').hidden = !room.problem;
  $('#readonly').textContent = room.problem ? said(room.problem) : '';
  $('#found').replaceChildren(...room.devices.map((d) => choice(d, t('usb'), fill(d))), ...room.files.map((f) => choice(f, t('recorded_file'), fill(f))));
  $('#drafted').hidden = !room.drafts.length;
  $('#drafts').replaceChildren(...room.drafts.map((d) => choice(d.choice.id || d.address, d.lacks.map((x) => t(`lacks_${x}`)).join(', '), () => location.assign(`/setup?draft=${d.id}`))));
}

$('#find').addEventListener('click', attempt(async () => {
  say(t('searching'));
  const found = await get('/api/v1/cameras/discover');
  $('#found').replaceChildren(...found.map((f) => choice(f.name || f.address, `${f.hardware} ${f.address}`.trim(), fill(f.address))));
  say(found.length ? '' : t('none_found'), !found.length);
}));

$('#camera').addEventListener('submit', attempt(async () => {
  const f = $('#camera');
  say(t('trying_camera'));
  const d = await post('/api/v1/setup', { url: f.url.value.trim(), user: f.user.value, password: f.password.value, udp: f.udp.checked });
  f.password.value = '';
  history.replaceState(null, '', `/setup?draft=${d.id}`);
  took(d);
  watch();
  await go('table');
}));

// watch plays the draft's camera and hears what is read.
function watch() {
  $('#blank').hidden = true;
  line = connect([draft.camera], { stream: (_, stream) => { video.srcObject = stream; }, message: () => {}, state: () => {} }, me.ice_servers);
  hear((m) => { if (m.type === 'overlay' && m.key === draft.camera) sight.live(m.body); });
  setInterval(async () => { // as long as somebody is at it, its camera runs
    if (leaving) return;
    try { took(await get(api())); } catch (err) { say(err.message, true); }
  }, 15000);
}

// Table.

$('#table').norm.addEventListener('change', () => offerGames(room, draft));
$('#table').addEventListener('submit', attempt(async () => {
  took(await put(api(), chosen()));
  if (done('felt') === false) felt.forget(); // the layout may be another
  await next();
}));

// The empty table, and the felt on its picture.

async function showEmpty() {
  const img = new Image();
  img.src = `${of('empty')}?${Date.now()}`;
  await img.decode();
  felt.picture(img);
  live(false);
}

$('#empty').addEventListener('click', attempt(async () => {
  say(t('taking'));
  await post(of('empty'), {});
  took(await get(api()));
  await showEmpty();
  say(t('empty_taken'));
}));

// load has the draft's calibration on the page.
async function load() {
  if (felt.cal) return;
  const { calibration } = await get(of('calibration'));
  if (!calibration) return;
  felt.show(calibration);
  if (calibration.lens.fx) ({ lens } = calibration);
  showPacks();
}

// showPacks offers the packs that the norm allows for the game.
function showPacks() {
  const games = room.norms.find((n) => n.code === draft.choice.norm)?.games ?? [];
  const packs = games.find((g) => g.code === draft.choice.game)?.packs ?? [];
  offer($('#pack'), packs, felt.cal?.deck ?? $('#pack').value);
  $('#of-pack').hidden = !packs.length;
}

const board = lensPanel({ camera: () => draft.camera, video, canvas, say, again: () => step === 'felt' && showEmpty(),
  done: (l) => { lens = l; felt.again(); $('#save').disabled = true; } });

const unknown = { fx: 0, fy: 0, cx: 0, cy: 0, dist: [0, 0, 0, 0, 0] };
const fit = attempt(async () => {
  const got = await post(of('calibration/fit'), {
    game: draft.choice.game, seats: Number($('#seats').value), width: Number($('#width').value), card: $('#card').value.split(',').map(Number),
    die: 20, deck: $('#pack').value || 'french', size: felt.size, lens: lens ?? unknown, points: felt.clicks(),
  });
  felt.show(got.calibration);
  $('#residual').textContent = felt.points.length > 4 ? `${t('residual')}: ${figure(got.residual, 1)} mm` : t('exact');
  say(got.heights ? '' : t('no_heights'));
  $('#save').disabled = false;
});
for (const id of ['seats', 'width', 'card', 'pack']) $(`#${id}`).addEventListener('change', () => felt.points.length >= 4 && fit());
$('#again').addEventListener('click', () => { felt.again(); $('#residual').textContent = ''; $('#save').disabled = true; });
$('#zone').addEventListener('change', () => { felt.draw(); });

async function keep() {
  await put(of('calibration'), felt.cal);
  took(await get(api()));
}
$('#save').addEventListener('click', attempt(async () => { await keep(); await next(); }));

// Chips.

function showChips() {
  const wanted = felt.cal?.zones.some((z) => z.reads?.includes('chips'));
  $('#no-chips').hidden = Boolean(wanted);
  $('#with-chips').hidden = !wanted;
  if (felt.cal) chips.show(felt.cal.palette);
}
$('#still').addEventListener('click', () => { if (felt.picture(video)) { live(false); chips.ask(chips.palette[0], 'face'); } else say(t('connecting')); });
$('#show').addEventListener('click', attempt(async () => {
  live(true);
  felt.learning = null;
  $('#show').disabled = false; // a second click ends it
  $('#show').setAttribute('aria-pressed', String(!chips.showing));
  const bare = new Image();
  bare.src = `${of('empty')}?${Date.now()}`;
  await bare.decode();
  await chips.shown(video, bare, felt.cal);
  $('#show').setAttribute('aria-pressed', 'false');
}));
$('#live').addEventListener('click', () => { felt.learning = null; live(true); });
$('#chip').addEventListener('click', () => chips.add());
$('#save-chips').addEventListener('click', attempt(async () => { await keep(); await next(); }));

// Live.

$('#go').addEventListener('click', attempt(async () => {
  say(t('going_live'));
  const { begun } = draft;
  leaving = true;
  const { table } = await post(api('/live'), {}).catch((err) => { leaving = false; throw err; });
  line?.end();
  await awaited(table); // a page that loads while the node is closing comes in pieces
  location.assign(`/setup?table=${encodeURIComponent(table)}&begun=${encodeURIComponent(begun)}`);
}));

$('#drop').addEventListener('click', attempt(async () => {
  if (!confirm(t('drop_sure'))) return;
  await call('DELETE', api());
  location.assign('/setup');
}));

async function showUnfinished() {
  const tables = (await get('/api/v1/tables')).flatMap((x) => x.cameras.filter((c) => c.lacks?.length).map((c) => ({ x, c })));
  $('#unfinished').hidden = !tables.length;
  $('#lacking').replaceChildren(...tables.map(({ x, c }) => choice(x.name, c.lacks.map((l) => t(`lacks_${l}`)).join(', '), () => location.assign(`/calibrate/${encodeURIComponent(c.name)}`))));
}

const me = await get('/api/v1/me');
header(me, () => { if (room) showRoom(); showSteps(); if (felt.cal) felt.show(felt.cal); if (draft) enter[step]?.(); sight.refresh(); });
if (at.has('table')) {
  $('#steps').hidden = true;
  arrived(); // what is waited for is told there
  await newcomer(at.get('table'), at.get('begun'), { me, say, sight });
} else {
  room = await get('/api/v1/setup');
  showRoom();
  if (at.has('draft')) {
    try {
      draft = room.drafts.find((d) => d.id === at.get('draft')) ?? { id: at.get('draft') };
      took(await get(api()));
      watch();
    } catch (err) { draft = null; say(err.message, true); }
  }
  $('#leave').hidden = !draft;
  await go(steps.find((s) => !done(s)) ?? 'go');
  await showUnfinished();
}
arrived();
