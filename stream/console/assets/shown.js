// A chip that is shown to the camera: what lies on the felt and not on the picture of the
// empty table is looked for in a clip; once it rests, the colours of its field and of its
// inserts are taken from all its pictures.
import { toTable, toImage } from './geometry.js';

/** @typedef {{width: number, height: number, data: Uint8ClampedArray}} Pixels */
/** @typedef {[number, number]} Point */

const differs = 70; // of a pixel's three channels in sum, from which it shows something else
const small = 0.25; // of a chip's area, below which a spot is noise
const fits = [0.5, 2.2]; // of a chip's area, what a chip with its side and its shadow covers
const steady = 2; // mm that a chip at rest may seem to move
const band = [0.62, 0.72]; // of its radius, where a chip shows its field
const rim = [0.86, 0.94]; // and where its inserts are
const apart = 60; // of three channels, from which an insert is not the field's colour
const share = 0.08; // of the rim that inserts cover at least

const channels = [0, 1, 2];
const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const hex = (rgb) => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, '0')).join('')}`;

// circle is the outline in the picture of a disc on the felt.
const circle = (cal, [x, y], r) => Array.from({ length: 16 }, (_, i) => toImage(cal, [x + r * Math.cos(i * Math.PI / 8), y + r * Math.sin(i * Math.PI / 8)]));
const area = (p) => Math.abs(p.reduce((sum, [x, y], i) => { const [u, v] = p[(i + 1) % p.length]; return sum + x * v - y * u; }, 0)) / 2;

// light is how much brighter one picture is than another, by channel.
function light(empty, now) {
  const sum = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < now.data.length; i += 4 * 61) for (const c of channels) { sum[c] += now.data[i + c]; sum[3 + c] += empty.data[i + c]; }
  return channels.map((c) => sum[c] / Math.max(1, sum[3 + c]));
}

// spots are the connected areas that differ from the empty table.
function spots(empty, now) {
  const { width, height } = now;
  const gain = light(empty, now);
  const other = new Uint8Array(width * height);
  for (let i = 0, p = 0; i < other.length; i++, p += 4) {
    other[i] = Math.abs(now.data[p] - gain[0] * empty.data[p]) + Math.abs(now.data[p + 1] - gain[1] * empty.data[p + 1]) + Math.abs(now.data[p + 2] - gain[2] * empty.data[p + 2]) > differs ? 1 : 0;
  }
  const out = [];
  const todo = [];
  for (let start = 0; start < other.length; start++) {
    if (!other[start]) continue;
    let [n, sx, sy] = [0, 0, 0];
    todo.push(start);
    other[start] = 0;
    while (todo.length) {
      const i = todo.pop();
      const x = i % width;
      n++;
      sx += x;
      sy += (i - x) / width;
      for (const k of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
        if (k >= 0 && k < other.length && other[k]) { other[k] = 0; todo.push(k); }
      }
    }
    out.push({ n, px: [sx / n, sy / n] });
  }
  return out;
}

// find is where on the felt, in mm, the one chip of a diameter lies that is not on the empty
// table's picture; null where there is none; 'more' where there is more than that.
/** @param {any} cal @param {Pixels} empty @param {Pixels} now @param {number} diameter
    @returns {Point | 'more' | null} */
export function find(cal, empty, now, diameter) {
  const all = cal.zones.flatMap((z) => z.polygon);
  const [xs, ys] = [0, 1].map((i) => all.map((p) => p[i]));
  const on = ([x, y]) => x > Math.min(...xs) - diameter && x < Math.max(...xs) + diameter && y > Math.min(...ys) - diameter && y < Math.max(...ys) + diameter;
  let chip = null;
  for (const s of spots(empty, now)) {
    const mm = toTable(cal, s.px);
    if (!on(mm)) continue;
    const k = s.n / area(circle(cal, mm, diameter / 2));
    if (k < small) continue;
    if (k < fits[0] || k > fits[1] || chip) return 'more';
    chip = mm;
  }
  return chip;
}

// colours are those of the field and of the inserts of the chip that lies there.
/** @param {any} cal @param {Pixels[]} clip @param {Point} at @param {number} diameter */
export function colours(cal, clip, at, diameter) {
  const p = circle(cal, at, diameter / 2);
  const [xs, ys] = [0, 1].map((i) => p.map((q) => q[i]));
  const field = [[], [], []];
  const edge = [];
  for (let y = Math.floor(Math.min(...ys)); y <= Math.max(...ys); y++) {
    for (let x = Math.floor(Math.min(...xs)); x <= Math.max(...xs); x++) {
      const [u, v] = toTable(cal, [x + 0.5, y + 0.5]);
      const r = Math.hypot(u - at[0], v - at[1]) / (diameter / 2);
      const there = r > band[0] && r < band[1] ? field : r > rim[0] && r < rim[1] ? edge : null;
      if (!there) continue;
      const rgb = channels.map((c) => middle(clip.map((f) => f.data[4 * (y * f.width + x) + c])));
      if (there === field) channels.forEach((c) => field[c].push(rgb[c])); else edge.push(rgb);
    }
  }
  const face = field.map((list) => middle(list) ?? 0);
  const off = (rgb) => channels.reduce((sum, c) => sum + Math.abs(rgb[c] - face[c]), 0);
  const far = edge.filter((rgb) => off(rgb) > apart);
  const inserts = far.length < share * edge.length ? face : channels.map((c) => middle(far.map((rgb) => rgb[c])));
  return { face: hex(face), edge: hex(inserts) };
}

// Clip watches pictures until a chip has come and lies still in so many of them.
export class Clip {
  /** @type {Pixels[]} */
  pictures = [];
  /** @type {Point | null} */
  at = null;

  constructor(cal, empty, diameter, enough = 6) {
    this.cal = cal;
    this.empty = empty;
    this.diameter = diameter;
    this.enough = enough;
  }

  // see takes the next picture: what it shows, or the chip's colours.
  /** @param {Pixels} now */
  see(now) {
    const found = find(this.cal, this.empty, now, this.diameter);
    if (!Array.isArray(found)) {
      this.pictures = [];
      this.at = null;
      return { none: found === null, more: found === 'more' };
    }
    const { at } = this;
    if (!at || Math.hypot(found[0] - at[0], found[1] - at[1]) > steady) { this.at = found; this.pictures = []; }
    this.pictures.push(now);
    return this.pictures.length < this.enough ? {} : colours(this.cal, this.pictures, this.at ?? found, this.diameter);
  }
}
