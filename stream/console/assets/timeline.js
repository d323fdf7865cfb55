// A camera's time as a strip: what was recorded, what is missing, the rounds and
// the alerts; click or keys go there.
import { locale } from './words.js';

const colours = { recorded: '#3f7d4e', lost: '#ffb454', missing: '#5a1f1c', round: '#4d92b5', critical: '#ff6b5e', major: '#ffb454', minor: '#7fc7ff' };
export const spans = [2, 10, 60, 360, 1440].map((m) => m * 60_000);

export class Timeline {
  constructor(canvas, seek) {
    this.canvas = canvas;
    this.data = null;
    this.decides = []; // moments of what is chosen that decide it, ms
    this.at = 0;
    this.length = spans[0]; // the moments of a round lie apart
    this.middle = Date.now();
    canvas.addEventListener('click', (e) => seek(this.time(e.offsetX)));
    // A finger that is drawn along it goes to where it is lifted; a tap is a click.
    let drawn = false;
    canvas.addEventListener('pointerdown', () => { drawn = false; });
    canvas.addEventListener('pointermove', (e) => { drawn ||= e.pointerType === 'touch'; });
    canvas.addEventListener('pointerup', (e) => { if (drawn) seek(this.time(Math.max(0, Math.min(canvas.clientWidth, e.offsetX)))); });
    canvas.addEventListener('keydown', (e) => {
      const d = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!d) return;
      e.preventDefault();
      e.stopPropagation();
      seek(this.at + d * (e.shiftKey ? 10_000 : 1000));
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  get from() { return this.middle - this.length / 2; }
  get to() { return this.middle + this.length / 2; }
  time(x) { return this.from + (x / this.canvas.clientWidth) * this.length; }

  show(data) { this.data = data; this.draw(); }

  // place moves the mark; it tells whether the strip has to be loaded anew.
  place(wall) {
    this.at = wall;
    const away = wall < this.from || wall > this.to;
    if (away) this.middle = wall;
    this.draw();
    return away;
  }

  zoom(n) {
    const i = spans.indexOf(this.length) + n;
    if (!spans[i]) return false;
    this.length = spans[i];
    this.middle = this.at || this.middle;
    return true;
  }

  // missing is where the next recording begins, if wall lies in a gap.
  missing(wall) {
    const next = this.data?.spans.find((s) => s.kind === 'recorded' && Date.parse(s.to) > wall + 300);
    return next ? Math.max(Date.parse(next.from), wall) : null;
  }

  draw() {
    const { canvas, data } = this;
    const scale = devicePixelRatio || 1;
    const w = (canvas.width = canvas.clientWidth * scale);
    const h = (canvas.height = canvas.clientHeight * scale);
    const g = canvas.getContext('2d');
    g.clearRect(0, 0, w, h);
    const x = (t) => ((Date.parse(t) - this.from) / this.length) * w;
    const bar = (from, to, y, height, colour) => { g.fillStyle = colour; g.fillRect(x(from), y, Math.max(x(to) - x(from), scale), height); };
    const now = Date.now(); // what is to come is not missing
    for (const s of data?.spans ?? []) {
      const to = s.kind === 'missing' && Date.parse(s.to) > now ? new Date(now).toISOString() : s.to;
      if (Date.parse(s.from) < now) bar(s.from, to, h * 0.35, h * 0.3, colours[s.kind]);
    }
    for (const s of data?.spans ?? []) if (s.sealed) bar(s.from, s.to, h * 0.6, h * 0.05, '#fff');
    for (const r of data?.rounds ?? []) if (r.start) bar(r.start, r.end, h * 0.67, h * 0.13, r.not_verifiable ? '#777' : colours.round);
    for (const a of data?.alerts ?? []) { g.fillStyle = colours[a.alert.severity] ?? '#fff'; g.fillRect(x(a.alert.at) - scale, 0, 2 * scale, h * 0.3); }
    for (const m of data?.marks ?? []) {
      const at = x(m.at);
      g.fillStyle = '#fff';
      g.beginPath();
      for (const [dx, dy] of [[-5, 0], [5, 0], [0, 8]]) g.lineTo(at + dx * scale, dy * scale);
      g.fill();
    }
    g.strokeStyle = '#fff';
    for (const m of this.decides) {
      const at = ((m - this.from) / this.length) * w;
      g.strokeRect(at - 3 * scale, h * 0.34, 6 * scale, h * 0.46);
    }
    g.fillStyle = '#a5b3bc';
    g.font = `${11 * scale}px system-ui, sans-serif`;
    for (let i = 0; i <= 4; i++) {
      const t = this.from + (this.length * i) / 4;
      const text = new Date(t).toLocaleTimeString(locale());
      g.textAlign = ['left', 'center', 'center', 'center', 'right'][i];
      g.fillText(text, (w * i) / 4, h - 1 * scale);
    }
    g.fillStyle = '#fff';
    g.fillRect(((this.at - this.from) / this.length) * w - scale, 0, 2 * scale, h * 0.8);
    canvas.setAttribute('aria-valuetext', new Date(this.at).toLocaleString(locale()));
    canvas.setAttribute('aria-valuenow', Math.round(this.at / 1000));
  }
}
