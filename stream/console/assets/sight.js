// What the readers see of a camera: readings over the picture and in words, and the
// chosen zone straightened, as it is read.
import { t } from './words.js';
import { drawOverlay, words } from './overlay.js';
import { place } from './rounds.js';

export class Sight {
  /** @type {HTMLVideoElement} */ video;
  /** @type {HTMLElement} */ list;
  /** @type {HTMLElement} */ figure;
  /** @type {[number, number] | undefined} */ size; // of the camera's pictures, in pixels

  constructor({ overlay, video, list, figure }) {
    Object.assign(this, { overlay, video, list, figure, now: [], zones: null, name: '' });
    const paint = () => {
      drawOverlay(overlay, video, this.size, this.readings);
      requestAnimationFrame(paint);
    };
    this.refresh();
    requestAnimationFrame(paint);
  }

  // live takes what is read in the live picture, by the calibration in force.
  live(readings) { this.now = readings; this.refresh(); }

  // tried takes what was read in the still, by zone; null: nothing was.
  tried(zones) { this.zones = zones; this.refresh(); }

  // zone is the one whose straightened picture shows.
  zone(name) { this.name = name; this.refresh(); }

  get readings() {
    if (!this.video.hidden) return this.now;
    return this.zones?.flatMap((z) => z.readings) ?? [];
  }

  refresh() {
    const item = (text, className = '') => Object.assign(document.createElement('li'), { textContent: text, className });
    const all = this.readings;
    this.list.replaceChildren(...all.map((r) => item(words(r), r.abstain ? 'unsure' : '')));
    if (!all.length) this.list.append(item(t(this.video.hidden && !this.zones ? 'not_tried' : 'read_nothing'), 'empty'));
    const seen = this.zones?.find((z) => z.zone === this.name) ?? this.zones?.[0];
    this.figure.hidden = !seen;
    if (!seen) return;
    const img = this.figure.querySelector('img');
    img.src = `data:image/jpeg;base64,${seen.picture}`;
    img.alt = this.figure.querySelector('figcaption').textContent = `${place(seen.zone)}: ${seen.readings.map(words).join('; ') || t('read_nothing')}`;
  }
}
