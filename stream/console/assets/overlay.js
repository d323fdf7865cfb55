// What the system reads, drawn over the picture. Confidence is opacity.

import { card } from './rounds.js';
import { locale, t } from './words.js';

// label is a reading in as few letters as it goes.
export const label = (r) => (r.kind === 'card' ? card(r.label) : r.amount ? euros(r.amount) : r.label);

// words are a reading for people: what, how much, how sure.
export const words = (r) => [t(`read_${r.kind}`), label(r), r.chip ?? (r.amount ? r.label : ''), r.abstain ? t('unsure') : `${Math.round(r.p * 100)} %`].filter(Boolean).join(' · ');

const colour = { card: '#7fd4ff', die: '#ffd479', chip: '#9fe88d', tube: '#e8a5f0' };

// shared is how much of two boxes is in both, in pixels.
const shared = (a, b) => Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

// Corners and middles of edges, as shares of the way from left and from top; the usual ones first.
export const places = [[1, 0], [1, 1], [0, 1], [1, 0.5], [0, 0.5], [0.5, 1], [0.5, 0], [0, 0]];

// place is where a banner covers least of some boxes in a picture, and how much, in pixels. It leaves
// where it is (an index of places) only for half of that or less.
export function place(banner, picture, boxes, is = -1) {
  const cover = places.map(([x, y]) => {
    const b = { x: x * (picture.w - banner.w), y: y * (picture.h - banner.h), ...banner };
    return boxes.reduce((sum, o) => sum + shared(b, o), 0);
  });
  const best = cover.indexOf(Math.min(...cover));
  const at = is < 0 || cover[best] < cover[is] / 2 ? best : is;
  return { at, covers: cover[at] };
}

// drawOverlay draws readings over a picture; sure has how sure they are stand with them,
// pointed is one that stands out. It gives the boxes that readings and labels cover, in pixels of the page.
export function drawOverlay(canvas, video, size, readings, { sure = false, pointed = null } = {}) {
  const box = canvas.getBoundingClientRect();
  const scale = devicePixelRatio || 1;
  const w = Math.round(box.width * scale);
  const h = Math.round(box.height * scale);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const g = canvas.getContext('2d');
  g.clearRect(0, 0, w, h);
  const vw = size?.[0] || video.videoWidth;
  const vh = size?.[1] || video.videoHeight;
  if (!vw || !vh) return [];
  const k = Math.min(w / vw, h / vh); // as object-fit: contain
  const ox = (w - vw * k) / 2;
  const oy = (h - vh * k) / 2;
  const high = 0.85 * parseFloat(getComputedStyle(document.documentElement).fontSize) * scale;
  g.font = `${high}px system-ui, sans-serif`;
  const taken = []; // by labels
  const lain = []; // by what was read
  for (const r of readings) {
    const p = r.quad.map(([x, y]) => [ox + x * k, oy + y * k]);
    g.globalAlpha = 0.35 + 0.65 * (r.p ?? 0);
    g.strokeStyle = g.fillStyle = colour[r.kind] ?? '#fff';
    g.lineWidth = (r === pointed ? 5 : 2) * scale;
    g.setLineDash(r.abstain ? [4 * scale, 4 * scale] : []);
    g.beginPath();
    p.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.closePath();
    g.stroke();
    const [xs, ys] = [0, 1].map((i) => p.map((at) => at[i]));
    lain.push({ x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) });
    const top = p.reduce((a, b) => (b[1] < a[1] ? b : a));
    const share = r.kind === 'tube' ? '' : r.abstain ? '?' : `${Math.round(r.p * 100)} %`; // a tube's interval says it
    const text = sure && share ? `${label(r)} ${share}` : label(r);
    const width = g.measureText(text).width + high / 2;
    const tag = { x: top[0] - width / 2, y: top[1] - 1.4 * high, w: width, h: 1.2 * high };
    let step = -tag.h; // up, and under what was read where there is no room above
    while (tag.y < oy || taken.some((o) => shared(o, tag))) {
      tag.y = step < 0 && tag.y + step < oy ? Math.max(oy, ...p.map((at) => at[1])) + 0.2 * high : tag.y + step;
      if (tag.y > top[1]) step = tag.h;
    }
    if (r.kind === 'tube' && step > 0) continue; // under the rack lie the cards
    taken.push(tag);
    g.globalAlpha = 0.75;
    g.fillStyle = '#000';
    g.fillRect(tag.x, tag.y, tag.w, tag.h);
    g.globalAlpha = 1;
    g.fillStyle = colour[r.kind] ?? '#fff';
    g.fillText(text, tag.x + high / 4, tag.y + 0.95 * high);
  }
  g.globalAlpha = 1;
  return [...lain, ...taken].map((o) => ({ x: o.x / scale, y: o.y / scale, w: o.w / scale, h: o.h / scale }));
}

// euros writes cents as short as it goes: labels lie close together.
const euros = (cents) => `${(cents / 100).toLocaleString(locale(), { minimumFractionDigits: cents % 100 ? 2 : 0 })} €`;

// cutOut is the part of a picture that a reading is of, large enough to be compared with
// what was read; size is that of the camera's picture.
export function cutOut(video, size, r) {
  const [vw, vh] = [size?.[0] || video.videoWidth, size?.[1] || video.videoHeight];
  const [xs, ys] = [0, 1].map((i) => r.quad.map((p) => p[i]));
  const edge = 0.15 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const x = Math.max(0, Math.min(...xs) - edge);
  const y = Math.max(0, Math.min(...ys) - edge);
  const w = Math.min(vw, Math.max(...xs) + edge) - x;
  const h = Math.min(vh, Math.max(...ys) + edge) - y;
  const high = 96; // pixels
  const canvas = Object.assign(document.createElement('canvas'), { width: Math.max(1, Math.round((w / h) * high)), height: high, ariaHidden: 'true' });
  const k = video.videoWidth / vw; // a substream's picture is smaller
  if (w > 0 && h > 0) canvas.getContext('2d').drawImage(video, x * k, y * k, w * k, h * k, 0, 0, canvas.width, canvas.height);
  return canvas;
}
