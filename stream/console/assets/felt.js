// The felt on a camera's picture: a still, the points that were clicked on it, the zones of
// a calibration, dragged into place, and chips whose colours are taken. Whoever makes one
// says what comes of it; it asks no server.
import { t } from './words.js';
import * as rounds from './rounds.js';
import { toImage, toTable } from './geometry.js';

// order is that in which a layout's points are clicked; the first four are needed.
export const order = ['far_left', 'far_right', 'near_right', 'near_left', 'far_middle', 'near_middle', 'left_middle', 'right_middle'];
const needed = 4;

export class Felt {
  cal = null; // the calibration that shows
  points = []; // {corner, px} as they were clicked
  learning = null; // takes a colour; null: a click is a point
  picking = null; // takes the pixels that are clicked; null: a click is a point
  picked = []; // pixels and outlines that are shown beside the points
  cursor = null; // where the keyboard points to
  hold = null; // what is being dragged

  // canvas shows it; zone is the <select> of the zones, corner says which point is next.
  // on.points() is told that there are enough points or others, on.changed() that a zone
  // was moved.
  constructor({ canvas, zone, corner, on }) {
    this.canvas = canvas;
    this.zone = zone;
    this.corner = corner;
    this.on = on;
    this.still = document.createElement('canvas');
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.move(e));
    canvas.addEventListener('pointerup', () => this.up());
    canvas.addEventListener('keydown', (e) => this.key(e));
  }

  // picture takes a still of a <video> or an <img>; whether there was one.
  picture(from) {
    const w = from.videoWidth || from.naturalWidth;
    const h = from.videoHeight || from.naturalHeight;
    if (!w) return false;
    [this.still.width, this.still.height] = [w, h];
    this.still.getContext('2d').drawImage(from, 0, 0);
    [this.canvas.width, this.canvas.height] = [w, h];
    this.draw();
    return true;
  }

  get size() { return [this.still.width, this.still.height]; }
  get chosen() { return this.cal?.zones.find((z) => z.name === this.zone.value); }

  // jpeg is the still for the server, in base64.
  jpeg() { const s = this.still.toDataURL('image/jpeg', 0.95); return s.slice(s.indexOf(',') + 1); }

  // clicks are what the server makes a calibration of.
  clicks() { return this.points.map((p) => ({ corner: p.corner, px: p.px })); }

  show(cal) {
    this.cal = cal;
    const was = this.zone.value;
    this.zone.replaceChildren(...cal.zones.map((z) => Object.assign(document.createElement('option'), {
      value: z.name, textContent: `${rounds.place(z.name)}${z.reads?.length ? ` (${z.reads.map((r) => t(`reads_${r}`)).join(', ')})` : ''}`,
    })));
    this.zone.value = was;
    this.draw();
  }

  // forget drops the calibration, as for another layout.
  forget() { this.cal = null; this.zone.replaceChildren(); this.again(); }

  again() { this.points = []; this.cursor = null; this.draw(); }

  draw() {
    const { canvas, cal } = this;
    const g = canvas.getContext('2d');
    g.drawImage(this.still, 0, 0);
    const unit = canvas.width / 960;
    g.lineWidth = 1.5 * unit;
    g.font = `${11 * unit}px system-ui, sans-serif`;
    for (const z of cal?.zones ?? []) this.outline(g, z, unit);
    const cross = ([x, y], r) => { g.moveTo(x - r, y); g.lineTo(x + r, y); g.moveTo(x, y - r); g.lineTo(x, y + r); };
    this.points.forEach((p, i) => {
      g.strokeStyle = g.fillStyle = '#ff6b5e';
      g.beginPath();
      g.arc(p.px[0], p.px[1], 6 * unit, 0, 7);
      cross(p.px, 10 * unit);
      g.stroke();
      g.fillText(String(i + 1), p.px[0] + 8 * unit, p.px[1] - 8 * unit);
    });
    g.strokeStyle = '#e8a5f0';
    for (const outline of this.picked) {
      g.beginPath();
      outline.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
      if (outline.length > 1) g.closePath();
      else cross(outline[0], 10 * unit);
      g.stroke();
    }
    if (this.cursor) {
      g.strokeStyle = '#fff';
      g.beginPath();
      cross(this.cursor, 24 * unit);
      g.stroke();
    }
    const next = order[this.points.length];
    this.corner.textContent = next ? `${t('click')}: ${t(next)}${this.points.length >= needed ? ` (${t('optional')})` : ''}` : '';
  }

  outline(g, z, unit) {
    const chosen = z === this.chosen;
    const p = z.polygon.map((mm) => toImage(this.cal, mm));
    g.strokeStyle = chosen ? '#fff' : z.reads?.length ? '#7fd4ff' : '#ffd47988';
    g.beginPath();
    p.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.closePath();
    g.stroke();
    if (!chosen) return;
    g.fillStyle = '#fff';
    for (const [x, y] of p) g.fillRect(x - 4 * unit, y - 4 * unit, 8 * unit, 8 * unit);
    g.fillText(rounds.place(z.name), p[0][0], p[0][1] - 8 * unit);
  }

  // pixel is where on the picture a pointer is.
  pixel(e) {
    const { canvas } = this;
    const box = canvas.getBoundingClientRect();
    const k = Math.min(box.width / canvas.width, box.height / canvas.height);
    return [(e.clientX - box.left - (box.width - canvas.width * k) / 2) / k, (e.clientY - box.top - (box.height - canvas.height * k) / 2) / k];
  }

  // colour is the mean of the still's pixels around a point, as #rrggbb.
  colour(px) {
    const r = 3;
    const d = this.still.getContext('2d').getImageData(Math.round(px[0]) - r, Math.round(px[1]) - r, 2 * r + 1, 2 * r + 1).data;
    const sum = [0, 0, 0];
    for (let i = 0; i < d.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += d[i + c];
    return `#${sum.map((s) => Math.round(s / (d.length / 4)).toString(16).padStart(2, '0')).join('')}`;
  }

  // down is a click: a colour, a corner of the chosen zone, a point that was set before,
  // the zone itself, else the next point.
  down(e) {
    const px = this.pixel(e);
    const reach = this.canvas.width / 60;
    const near = (at) => Math.hypot(at[0] - px[0], at[1] - px[1]) < reach;
    this.cursor = null;
    if (this.learning) { this.learn(px); return; }
    if (this.picking) { this.picking(px); return; }
    const z = this.chosen;
    const corner = z ? z.polygon.findIndex((mm) => near(toImage(this.cal, mm))) : -1;
    const point = this.points.find((p) => near(p.px));
    if (corner >= 0) this.hold = { z, corner };
    else if (point) this.hold = { point };
    else if (z && this.points.length >= needed) this.hold = { z, from: toTable(this.cal, px) };
    else { this.place(px); return; }
    this.canvas.setPointerCapture(e.pointerId);
  }

  learn(px) {
    const take = this.learning;
    this.learning = null;
    take(this.colour(px));
  }

  place(px) {
    if (this.points.length >= order.length) return;
    this.points.push({ corner: order[this.points.length], px });
    this.draw();
    if (this.points.length >= needed) this.on.points();
  }

  move(e) {
    const { hold } = this;
    if (!hold) return;
    const px = this.pixel(e);
    if (hold.point) { hold.point.px = px; this.draw(); return; }
    const mm = toTable(this.cal, px);
    if (hold.corner !== undefined) hold.z.polygon[hold.corner] = mm;
    else {
      hold.z.polygon = hold.z.polygon.map(([x, y]) => [x + mm[0] - hold.from[0], y + mm[1] - hold.from[1]]);
      hold.from = mm;
    }
    this.changed();
  }

  up() {
    const moved = this.hold?.point;
    this.hold = null;
    if (moved && this.points.length >= needed) this.on.points();
  }

  changed() { this.on.changed(); this.draw(); }

  // key: arrows move the chosen zone by a millimetre, with shift ten; without one they move
  // a cross over the picture, and Enter clicks where it is.
  key(e) {
    const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    const z = this.points.length >= needed || !this.points.length ? this.chosen : null;
    const far = e.shiftKey ? 10 : 1;
    if (d && z && !this.learning && !this.picking) {
      z.polygon = z.polygon.map(([x, y]) => [x + d[0] * far, y + d[1] * far]);
      this.changed();
    } else if (d) {
      const [x, y] = this.cursor ?? this.size.map((s) => s / 2);
      const step = far * this.canvas.width / 640;
      this.cursor = [Math.min(Math.max(x + d[0] * step, 0), this.canvas.width), Math.min(Math.max(y + d[1] * step, 0), this.canvas.height)];
      this.draw();
    } else if (e.key === 'Enter' && this.cursor) {
      const at = this.cursor;
      if (this.learning) this.learn(at); else if (this.picking) this.picking(at); else this.place(at);
    } else return;
    e.preventDefault();
  }
}
