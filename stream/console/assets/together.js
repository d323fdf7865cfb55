// Other cameras of the same time, played in step with the main picture.
import { t } from './words.js';
import { make } from './dom.js';
import { Player } from './player.js';

const most = 3; // beside the main one
const apart = 120; // ms between two pictures that play; still ones agree to a picture
const still = 15;

export class Together {
  /** @type {Map<string, {player: Player, gone: number, busy: boolean}>} */
  all = new Map(); // by camera
  /** @type {Player} */ main;
  /** @type {HTMLElement} */ box;

  // main is the player that they follow; box takes their pictures.
  constructor(main, box) {
    Object.assign(this, { main, box });
    for (const e of ['play', 'pause', 'ratechange', 'seeked']) main.video.addEventListener(e, () => this.follow());
    setInterval(() => this.follow(), 250);
  }

  // show has these cameras follow, and no others; it tells how many do.
  show(cameras) {
    const want = cameras.filter((c) => c !== this.main.camera).slice(0, most);
    for (const [camera, x] of this.all) {
      if (want.includes(camera)) continue;
      x.player.close();
      this.all.delete(camera);
    }
    for (const camera of want) if (!this.all.has(camera)) this.add(camera);
    this.box.replaceChildren(...[...this.all].map(([, x]) => x.player.video.parentElement));
    this.box.hidden = !this.all.size;
    this.follow();
    return this.all.size;
  }

  add(camera) {
    const video = make('video', { muted: true, playsInline: true });
    const gone = make('p', { className: 'blind', textContent: t('no_recording'), hidden: true });
    make('figure', { className: 'picture' }, video, make('figcaption', { textContent: camera }), gone);
    const x = { busy: false, gone: 0, player: null };
    x.player = new Player(video, { time() {}, state() {}, found: (is) => { gone.hidden = is; x.gone = is ? 0 : this.main.now(); }, missing: () => null });
    this.all.set(camera, x);
  }

  // follow brings all to where the main picture is.
  follow() {
    const { video } = this.main;
    if (!this.main.camera || !video.src) return;
    for (const [camera, x] of this.all) {
      const mine = x.player.video;
      mine.playbackRate = video.playbackRate;
      const at = this.main.now();
      const off = x.player.camera ? Math.abs(at - x.player.now()) : Infinity;
      const waits = x.busy || (x.gone && Math.abs(at - x.gone) < 2000); // nothing is recorded there
      if (!waits && off > (video.paused ? still : apart * video.playbackRate)) {
        x.busy = true;
        x.player.open(camera, at, false).finally(() => { x.busy = false; });
      }
      if (video.paused) mine.pause();
      else mine.play().catch(() => {}); // not before its first picture
    }
  }

  // far is by how many milliseconds the worst of them is off, for measurements.
  far() {
    return Math.max(0, ...[...this.all.values()].map((x) => (x.player.camera ? Math.abs(this.main.now() - x.player.now()) : Infinity)));
  }
}
