// A camera's calibration on its own picture: a still, the felt's corners, the
// layout's template, zones dragged into place, chips shown. Nothing holds before
// it is saved; every version can be brought back.
import { get, put, post } from './api.js';
import { hear } from './line.js';
import { figure, locale, t } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { connect } from './whep.js';
import { Felt } from './felt.js';
import { Chips } from './chips.js';
import { offer } from './pack.js';
import { lensPanel } from './lens.js';
import { Sight } from './sight.js';
import { rackPanel } from './rack.js';
import { said } from './details.js';

const $ = (s) => document.querySelector(s);
const camera = decodeURIComponent(location.pathname.split('/').pop());
const url = `/api/v1/cameras/${encodeURIComponent(camera)}/calibration`;
const canvas = $('#picture');
let have, lens = null;

const say = (text, bad = false) => { $('#said').textContent = text; $('#said').className = bad ? 'bad' : ''; };
const attempt = (f) => async (...a) => { try { await f(...a); } catch (err) { say(err.message, true); } };

const felt = new Felt({ canvas, zone: $('#zone'), corner: $('#corner'), on: { points: () => fit(), changed: () => changed() } });

function takeStill() {
  const v = $('#video');
  if (!felt.picture(v)) return false;
  canvas.hidden = false;
  v.hidden = true;
  stale();
  return true;
}

const unknown = { fx: 0, fy: 0, cx: 0, cy: 0, dist: [0, 0, 0, 0, 0] };

lensPanel({ camera: () => camera, video: $('#video'), canvas, say, again: () => {}, done: (l) => { lens = l; felt.again(); } });

// What the readers see: by the calibration in force in the live picture, by the one
// on the page in the still.
const sight = new Sight({ overlay: $('#overlay'), video: $('#video'), list: $('#readings'), figure: $('#sight') });
$('#try').addEventListener('click', attempt(async () => {
  $('#try').disabled = true;
  say(t('trying'));
  try {
    sight.tried((await post(`${url}/try`, { calibration: felt.cal, image: felt.jpeg() })).zones);
    sight.zone($('#zone').value);
    say('');
  } finally {
    stale(false);
  }
}));
const chips = new Chips({ body: $('#chips tbody'), felt, say, changed });

const showRack = rackPanel({ felt, url, say, placed: (c) => { take(c); changed(); } });

function showEmpty() {
  $('#bare img').src = `/api/v1/cameras/${encodeURIComponent(camera)}/empty?${Date.now()}`;
  $('#bare').hidden = false;
}

// stale drops what was read by a calibration that is another now.
function stale(drop = true) {
  if (drop) sight.tried(null);
  $('#try').disabled = !felt.cal || canvas.hidden;
}

function changed() { $('#save').disabled = false; stale(); }

const fit = attempt(async () => {
  const got = await post(`${url}/fit`, {
    game: $('#game').value, seats: Number($('#seats').value), width: Number($('#width').value), card: $('#card').value.split(',').map(Number),
    die: felt.cal?.die ?? 20, deck: $('#pack').value || felt.cal?.deck || 'french', size: felt.size,
    lens: lens ?? unknown,
    points: felt.clicks(),
  });
  take(got.calibration);
  $('#residual').textContent = felt.points.length > 4 ? `${t('residual')}: ${figure(got.residual, 1)} mm` : t('exact');
  say(got.warning ? said(got.warning) : got.heights ? '' : t('no_heights'), !!got.warning);
  $('#save').disabled = false;
});

// take shows a calibration; it is not in force before it is saved.
function take(c) {
  felt.show(c);
  stale();
  chips.show(c.palette);
  showRack(c.rack);
}

function showVersions(list) {
  $('#no-versions').hidden = list.length > 0;
  $('#versions').replaceChildren(...list.map((v) => {
    const b = make('button', { type: 'button', textContent: t('restore'), disabled: v.current });
    b.addEventListener('click', attempt(async () => {
      take(await get(`${url}/versions/${encodeURIComponent(v.id)}`));
      felt.again();
      say(t('restored'));
      $('#save').disabled = false;
    }));
    return make('li', {}, `${new Date(v.saved).toLocaleString(locale())} ${v.current ? `· ${t('in_force')} ` : ''}`, b);
  }));
}

$('#save').addEventListener('click', attempt(async () => {
  const got = await put(url, felt.cal);
  showVersions(got.versions);
  $('#save').disabled = true;
  say(t('saved'));
}));
$('#still').addEventListener('click', () => {
  if (canvas.hidden || !$('#video').hidden) { if (!takeStill()) say(t('connecting')); return; }
  $('#video').hidden = false;
  canvas.hidden = true;
  requestAnimationFrame(() => takeStill());
});
$('#live').addEventListener('click', () => {
  $('#video').hidden = false;
  canvas.hidden = true;
  stale(false);
  sight.refresh();
});
$('#empty').addEventListener('click', attempt(async () => {
  say(t('taking'));
  await post(`/api/v1/cameras/${encodeURIComponent(camera)}/empty`, {});
  say(t('empty_taken'));
  showEmpty();
}));
$('#again').addEventListener('click', () => { felt.again(); $('#residual').textContent = ''; });
for (const id of ['game', 'seats', 'width', 'card', 'pack']) $(`#${id}`).addEventListener('change', () => felt.points.length >= 4 && fit());
$('#zone').addEventListener('change', () => { sight.zone($('#zone').value); felt.draw(); });
$('#confirm').addEventListener('click', attempt(async () => { await post(`/api/v1/cameras/${encodeURIComponent(camera)}/confirm`, {}); say(t('confirmed')); }));

const me = await get('/api/v1/me');
header(me, () => { sight.refresh(); felt.draw(); if (felt.cal) take(felt.cal); showVersions(have.versions); });
have = await get(url);
$('#name').textContent = `${have.table.name} · ${camera}`;
$('#game').replaceChildren(...have.games.map((g) => make('option', { value: g, textContent: g.replaceAll('_', ' ') })));
offer($('#pack'), have.packs, have.calibration?.deck);
$('#of-pack').hidden = !have.packs.length;
$('#game').value = have.games.includes(have.table.game) ? have.table.game : have.games[0];
canvas.hidden = true;
if (have.calibration) {
  lens = have.calibration.lens;
  take(have.calibration);
  $('#save').disabled = true;
}
showVersions(have.versions);
const mine = have.table.cameras.find((c) => c.name === camera);
if (!mine?.lacks?.includes('empty')) showEmpty();
sight.size = mine?.size;
hear((m) => { if (m.type === 'overlay' && m.key === camera) sight.live(m.body); });
connect([camera], {
  stream: (_, stream) => { $('#video').srcObject = stream; },
  message: () => {},
  state: (up) => say(up ? '' : t('connecting')),
}, me.ice_servers);
felt.draw();
arrived();
