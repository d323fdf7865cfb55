// A camera's calibration on its own picture: a still, the felt's corners, the
// layout's template, zones dragged into place, chips shown. Nothing holds before
// it is saved; every version can be brought back.
import { get, put, post, hear } from './api.js';
import { locale, t, money } from './words.js';
import { make } from './dom.js';
import { header } from './header.js';
import * as rounds from './rounds.js';
import { connect } from './whep.js';
import { toImage, toTable } from './geometry.js';
import { LensMeter } from './lens.js';
import { Sight } from './sight.js';

const $ = (s) => document.querySelector(s);
const camera = decodeURIComponent(location.pathname.split('/').pop());
const url = `/api/v1/cameras/${encodeURIComponent(camera)}/calibration`;
const order = ['far_left', 'far_right', 'near_right', 'near_left', 'far_middle', 'near_middle', 'left_middle', 'right_middle'];
const canvas = $('#picture');
const still = document.createElement('canvas');
let have, cal = null, points = [], chip = -1, hold = null, lens = null;

const say = (text, bad = false) => { $('#said').textContent = text; $('#said').className = bad ? 'bad' : ''; };
const attempt = (f) => async (...a) => { try { await f(...a); } catch (err) { say(err.message, true); } };

// The still, and what lies over it.

function takeStill() {
  const v = $('#video');
  if (!v.videoWidth) return false;
  still.width = v.videoWidth;
  still.height = v.videoHeight;
  still.getContext('2d').drawImage(v, 0, 0);
  canvas.width = still.width;
  canvas.height = still.height;
  canvas.hidden = false;
  v.hidden = true;
  stale();
  draw();
  return true;
}

function draw() {
  const g = canvas.getContext('2d');
  g.drawImage(still, 0, 0);
  const unit = canvas.width / 960;
  g.lineWidth = 1.5 * unit;
  g.font = `${11 * unit}px system-ui, sans-serif`;
  const chosen = $('#zone').value;
  for (const z of cal?.zones ?? []) {
    const p = z.polygon.map((mm) => toImage(cal, mm));
    g.strokeStyle = z.name === chosen ? '#fff' : z.reads?.length ? '#7fd4ff' : '#ffd47988';
    g.beginPath();
    p.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.closePath();
    g.stroke();
    if (z.name !== chosen) continue;
    for (const [x, y] of p) { g.fillStyle = '#fff'; g.fillRect(x - 4 * unit, y - 4 * unit, 8 * unit, 8 * unit); }
    g.fillText(rounds.place(z.name), p[0][0], p[0][1] - 8 * unit);
  }
  points.forEach((p, i) => {
    g.strokeStyle = '#ff6b5e';
    g.beginPath();
    g.arc(p.px[0], p.px[1], 6 * unit, 0, 7);
    g.moveTo(p.px[0] - 10 * unit, p.px[1]); g.lineTo(p.px[0] + 10 * unit, p.px[1]);
    g.moveTo(p.px[0], p.px[1] - 10 * unit); g.lineTo(p.px[0], p.px[1] + 10 * unit);
    g.stroke();
    g.fillStyle = '#ff6b5e';
    g.fillText(String(i + 1), p.px[0] + 8 * unit, p.px[1] - 8 * unit);
  });
  $('#corner').textContent = points.length < order.length ? `${t('click')}: ${t(order[points.length])}${points.length >= 4 ? ` (${t('optional')})` : ''}` : '';
}

const pixel = (e) => {
  const box = canvas.getBoundingClientRect();
  const k = Math.min(box.width / canvas.width, box.height / canvas.height);
  return [(e.clientX - box.left - (box.width - canvas.width * k) / 2) / k, (e.clientY - box.top - (box.height - canvas.height * k) / 2) / k];
};

// Clicks: a chip's colour, a corner of the chosen zone, else the next point.

const learn = (px) => {
  const r = 3;
  const d = still.getContext('2d').getImageData(Math.round(px[0]) - r, Math.round(px[1]) - r, 2 * r + 1, 2 * r + 1).data;
  const sum = [0, 0, 0];
  for (let i = 0; i < d.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += d[i + c];
  return `#${sum.map((s) => Math.round(s / (d.length / 4)).toString(16).padStart(2, '0')).join('')}`;
};

canvas.addEventListener('pointerdown', (e) => {
  const px = pixel(e);
  const near = canvas.width / 60;
  if (chip >= 0) {
    cal.palette[Math.floor(chip / 2)][chip % 2 ? 'edge' : 'face'] = learn(px);
    chip = -1;
    stale();
    showChips();
    return;
  }
  const z = cal?.zones.find((x) => x.name === $('#zone').value);
  const corner = z ? z.polygon.findIndex((mm) => Math.hypot(...toImage(cal, mm).map((v, i) => v - px[i])) < near) : -1;
  if (corner >= 0) { hold = { z, corner }; canvas.setPointerCapture(e.pointerId); return; }
  if (z && points.length >= 4) { hold = { z, from: toTable(cal, px) }; canvas.setPointerCapture(e.pointerId); return; }
  if (points.length < order.length) {
    points.push({ corner: order[points.length], px });
    draw();
    if (points.length >= 4) fit();
  }
});
canvas.addEventListener('pointermove', (e) => {
  if (!hold) return;
  const mm = toTable(cal, pixel(e));
  if (hold.corner !== undefined) hold.z.polygon[hold.corner] = mm;
  else {
    hold.z.polygon = hold.z.polygon.map(([x, y]) => [x + mm[0] - hold.from[0], y + mm[1] - hold.from[1]]);
    hold.from = mm;
  }
  changed();
});
canvas.addEventListener('pointerup', () => { hold = null; });
// By keyboard the chosen zone moves a millimetre, with shift ten.
canvas.addEventListener('keydown', (e) => {
  const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
  const z = cal?.zones.find((x) => x.name === $('#zone').value);
  if (!d || !z) return;
  e.preventDefault();
  const k = e.shiftKey ? 10 : 1;
  z.polygon = z.polygon.map(([x, y]) => [x + d[0] * k, y + d[1] * k]);
  changed();
});

const unknown = { fx: 0, fy: 0, cx: 0, cy: 0, dist: [0, 0, 0, 0, 0] };

// The lens: the board's corners show over the live picture while it is waved.
const meter = new LensMeter(camera, $('#video'), {
  view: (view, all) => {
    const g = canvas.getContext('2d');
    [canvas.width, canvas.height] = view.size;
    g.drawImage(meter.still, 0, 0);
    const unit = canvas.width / 960;
    for (const [v, colour] of [...all.map((x) => [x, '#7fd4ff88']), [view, '#ff6b5e']]) {
      g.fillStyle = colour;
      for (const c of v.corners) g.fillRect(c.px[0] - 2 * unit, c.px[1] - 2 * unit, 4 * unit, 4 * unit);
    }
    $('#lens').textContent = `${all.length} ${t('views')}`;
  },
  result: (got, missing) => {
    if (!got) { say(missing); return; }
    lens = got.lens;
    points = [];
    $('#lens').textContent = `${got.rms_px.toFixed(2)} px · ${got.rms_mm.toFixed(2)} mm`;
    say(t('lens_done'));
  },
});
$('#wave').addEventListener('click', attempt(async () => {
  const on = !meter.running;
  $('#wave').setAttribute('aria-pressed', on);
  if (!on) { meter.stop(); return; }
  $('#video').hidden = true;
  canvas.hidden = false;
  say(t('wave'));
  try {
    await meter.start(Number($('#square').value));
  } finally {
    meter.stop();
    $('#wave').setAttribute('aria-pressed', false);
  }
}));

// What the readers see: by the calibration in force in the live picture, by the one
// on the page in the still.
const sight = new Sight({ overlay: $('#overlay'), video: $('#video'), list: $('#readings'), figure: $('#sight') });
$('#try').addEventListener('click', attempt(async () => {
  $('#try').disabled = true;
  say(t('trying'));
  try {
    const jpeg = still.toDataURL('image/jpeg', 0.95);
    sight.tried((await post(`${url}/try`, { calibration: cal, image: jpeg.slice(jpeg.indexOf(',') + 1) })).zones);
    sight.zone($('#zone').value);
    say('');
  } finally {
    stale(false);
  }
}));
// stale drops what was read by a calibration that is another now.
function stale(drop = true) {
  if (drop) sight.tried(null);
  $('#try').disabled = !cal || canvas.hidden;
}

function changed() { $('#save').disabled = false; stale(); draw(); }

const fit = attempt(async () => {
  const got = await post(`${url}/fit`, {
    game: $('#game').value, seats: Number($('#seats').value), width: Number($('#width').value), card: $('#card').value.split(',').map(Number),
    die: cal?.die ?? 20, deck: cal?.deck || 'french', size: [still.width, still.height],
    lens: lens ?? unknown,
    points: points.map((p) => ({ corner: p.corner, px: p.px })),
  });
  take(got.calibration);
  $('#residual').textContent = points.length > 4 ? `${t('residual')}: ${got.residual.toFixed(1)} mm` : t('exact');
  say(got.heights ? '' : t('no_heights'));
  $('#save').disabled = false;
});

// take shows a calibration; it is not in force before it is saved.
function take(c) {
  cal = c;
  const was = $('#zone').value;
  $('#zone').replaceChildren(...cal.zones.map((z) => make('option', { value: z.name, textContent: `${rounds.place(z.name)}${z.reads?.length ? ` (${z.reads.map((r) => t(`reads_${r}`)).join(', ')})` : ''}` })));
  $('#zone').value = was;
  stale();
  showChips();
  draw();
}

function showChips() {
  const colour = (i, name) => {
    const b = make('button', { type: 'button', ariaLabel: `${cal.palette[i].id} ${name}`, title: t('learn'), textContent: cal.palette[i][name] });
    b.style.background = cal.palette[i][name];
    b.addEventListener('click', () => { chip = 2 * i + (name === 'edge' ? 1 : 0); say(t('learn')); });
    return b;
  };
  $('#chips tbody').replaceChildren(...cal.palette.map((c, i) => {
    const value = make('input', { type: 'number', min: 0, step: 0.5, value: c.value / 100, ariaLabel: `${c.id} €` });
    value.addEventListener('change', () => { c.value = Math.round(value.value * 100); changed(); });
    return make('tr', {}, make('th', { textContent: c.id, title: money(c.value) }), make('td', {}, colour(i, 'face')), make('td', {}, colour(i, 'edge')), make('td', {}, value));
  }));
  if (chip < 0 && have) $('#save').disabled = false;
}

function showVersions(list) {
  $('#no-versions').hidden = list.length > 0;
  $('#versions').replaceChildren(...list.map((v) => {
    const b = make('button', { type: 'button', textContent: t('restore'), disabled: v.current });
    b.addEventListener('click', attempt(async () => {
      take(await get(`${url}/versions/${encodeURIComponent(v.id)}`));
      points = [];
      say(t('restored'));
      $('#save').disabled = false;
      draw();
    }));
    return make('li', {}, `${new Date(v.saved).toLocaleString(locale())} ${v.current ? `· ${t('in_force')} ` : ''}`, b);
  }));
}

$('#save').addEventListener('click', attempt(async () => {
  const got = await put(url, cal);
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
$('#again').addEventListener('click', () => { points = []; $('#residual').textContent = ''; draw(); });
for (const id of ['game', 'seats', 'width', 'card']) $(`#${id}`).addEventListener('change', () => points.length >= 4 && fit());
$('#zone').addEventListener('change', () => { sight.zone($('#zone').value); draw(); });
$('#confirm').addEventListener('click', attempt(async () => { await post(`/api/v1/cameras/${encodeURIComponent(camera)}/confirm`, {}); say(t('confirmed')); }));

const me = await get('/api/v1/me');
header(me, () => { sight.refresh(); draw(); if (cal) take(cal); showVersions(have.versions); });
have = await get(url);
$('#name').textContent = `${have.table.name} · ${camera}`;
$('#game').replaceChildren(...have.games.map((g) => make('option', { value: g, textContent: g.replaceAll('_', ' ') })));
$('#game').value = have.games.includes(have.table.game) ? have.table.game : have.games[0];
canvas.hidden = true;
if (have.calibration) {
  lens = have.calibration.lens;
  take(have.calibration);
  $('#save').disabled = true;
}
showVersions(have.versions);
sight.size = have.table.cameras.find((c) => c.name === camera)?.size;
hear((m) => { if (m.type === 'overlay' && m.key === camera) sight.live(m.body); });
connect([camera], {
  stream: (_, stream) => { $('#video').srcObject = stream; },
  message: () => {},
  state: (up) => say(up ? '' : t('connecting')),
}, me.ice_servers);
draw();
