// What the system reads, drawn over the picture. Confidence is opacity.

import { card } from './rounds.js';

const colour = { card: '#7fd4ff', die: '#ffd479', chip: '#9fe88d' };

export function drawOverlay(canvas, video, size, readings) {
  const box = canvas.getBoundingClientRect();
  const scale = devicePixelRatio || 1;
  const w = Math.round(box.width * scale);
  const h = Math.round(box.height * scale);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const g = canvas.getContext('2d');
  g.clearRect(0, 0, w, h);
  const vw = size?.[0] || video.videoWidth;
  const vh = size?.[1] || video.videoHeight;
  if (!vw || !vh) return;
  const k = Math.min(w / vw, h / vh); // as object-fit: contain
  const ox = (w - vw * k) / 2;
  const oy = (h - vh * k) / 2;
  g.lineWidth = 2 * scale;
  g.font = `${13 * scale}px system-ui, sans-serif`;
  for (const r of readings) {
    const p = r.quad.map(([x, y]) => [ox + x * k, oy + y * k]);
    g.globalAlpha = 0.35 + 0.65 * (r.p ?? 0);
    g.strokeStyle = g.fillStyle = colour[r.kind] ?? '#fff';
    g.setLineDash(r.abstain ? [4 * scale, 4 * scale] : []);
    g.beginPath();
    p.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.closePath();
    g.stroke();
    const top = p.reduce((a, b) => (b[1] < a[1] ? b : a));
    const text = r.kind === 'card' ? card(r.label) : r.label;
    const width = g.measureText(text).width;
    g.globalAlpha = 0.75;
    g.fillStyle = '#000';
    g.fillRect(top[0] - width / 2 - 3 * scale, top[1] - 18 * scale, width + 6 * scale, 16 * scale);
    g.globalAlpha = 1;
    g.fillStyle = colour[r.kind] ?? '#fff';
    g.fillText(text, top[0] - width / 2, top[1] - 5 * scale);
  }
  g.globalAlpha = 1;
}
