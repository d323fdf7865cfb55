// Measures the camera's lens by a printed board that is waved before it: stills of
// the live picture go to the server, which says where the corners are; when enough
// of them differ, the lens is fitted and its error told.
import { post } from './api.js';
import { said } from './details.js';
import { figure, t } from './words.js';

const pause = 600; // ms between two stills
const apart = 0.04; // of the picture's width that the board must have moved
const enough = 12; // views from which a fit is tried, and again at each further one
const most = 60;

class LensMeter {
  // on.view(view, all) tells each still's corners, on.result(lens, error text) a fit.
  constructor(camera, video, on) {
    this.url = `/api/v1/cameras/${encodeURIComponent(camera)}/lens`;
    this.video = video;
    this.on = on;
    this.running = false;
    this.still = document.createElement('canvas');
  }

  async start(square) {
    this.board = { cols: 7, rows: 5, square, plain: false };
    this.views = [];
    this.running = true;
    while (this.running && this.views.length < most) {
      const begun = performance.now();
      await this.look();
      await new Promise((ok) => { setTimeout(ok, Math.max(0, pause - (performance.now() - begun))); });
    }
    this.running = false;
  }

  stop() { this.running = false; }

  async look() {
    const v = this.video;
    if (!v.videoWidth) return;
    this.still.width = v.videoWidth;
    this.still.height = v.videoHeight;
    this.still.getContext('2d').drawImage(v, 0, 0);
    const jpeg = await new Promise((ok) => { this.still.toBlob(ok, 'image/jpeg', 0.95); });
    const r = await fetch(`${this.url}/board?square=${this.board.square}`, { method: 'POST', headers: { 'Content-Type': 'image/jpeg' }, body: jpeg });
    const view = await r.json();
    if (!r.ok) throw new Error(said(view.error));
    if (this.running) await this.take(view);
  }

  // take keeps a view that shows the board elsewhere than the last one.
  async take(view) {
    const at = middle(view);
    const fresh = view.corners.length >= 8 && (!this.last || Math.hypot(at[0] - this.last[0], at[1] - this.last[1]) > apart * view.size[0]);
    if (fresh) {
      this.last = at;
      this.views.push(view);
    }
    this.on.view(view, this.views);
    if (!fresh || this.views.length < enough) return;
    try {
      const got = await post(this.url, { board: this.board, views: this.views });
      this.running = false;
      this.on.result(got, '');
    } catch (err) {
      if (err.status !== 422) throw err;
      this.on.result(null, err.message); // it says what is missing: more of it may come
    }
  }
}

// draw shows a still with the corners of the board that were found in it and before.
function draw(canvas, still, view, all) {
  const g = canvas.getContext('2d');
  [canvas.width, canvas.height] = view.size;
  g.drawImage(still, 0, 0);
  const unit = canvas.width / 960;
  for (const [v, colour] of [...all.map((x) => [x, '#7fd4ff88']), [view, '#ff6b5e']]) {
    g.fillStyle = colour;
    for (const c of v.corners) g.fillRect(c.px[0] - 2 * unit, c.px[1] - 2 * unit, 4 * unit, 4 * unit);
  }
}

// lensPanel is the part of a page that measures the lens: #wave begins and ends it, #square
// is the board's, #lens tells how it goes, the canvas shows it. done(lens) is told of the
// lens, again() that the canvas is free.
export function lensPanel({ camera, video, canvas, say, again, done }) {
  const [button, square, told] = ['#wave', '#square', '#lens'].map((s) => document.querySelector(s));
  let meter = null;
  const stop = () => meter?.stop();
  const wave = async () => {
    if (meter?.running) { stop(); return; }
    const m = new LensMeter(camera(), video, {
      view: (view, all) => { draw(canvas, m.still, view, all); told.textContent = `${all.length} ${t('views')}`; },
      result: (got, missing) => {
        if (!got) { say(missing); return; }
        done(got.lens);
        told.textContent = `${figure(got.rms_px, 2)} px · ${figure(got.rms_mm, 2)} mm`;
        say(t('lens_done'));
      },
    });
    meter = m;
    button.setAttribute('aria-pressed', 'true');
    [video.hidden, canvas.hidden] = [true, false];
    say(t('wave'));
    try {
      await m.start(Number(square.value));
    } finally {
      m.stop();
      button.setAttribute('aria-pressed', 'false');
      await again();
    }
  };
  button.addEventListener('click', () => { wave().catch((err) => say(err.message, true)); });
  return { stop };
}

const middle = ({ corners }) => [0, 1].map((i) => corners.reduce((sum, c) => sum + c.px[i], 0) / Math.max(1, corners.length));
