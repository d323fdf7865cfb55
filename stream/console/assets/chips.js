// The chips of a calibration as a table: what each is worth, and its two colours, which are
// taken from the picture.
import { t, money } from './words.js';
import { make } from './dom.js';
import { Clip } from './shown.js';

const pause = 300; // ms between two pictures of a clip

const sheet = document.createElement('canvas');

// pixels of a <video> or an <img>; null while it shows nothing.
function pixels(from) {
  if (!(from.videoWidth || from.naturalWidth)) return null;
  [sheet.width, sheet.height] = [from.videoWidth || from.naturalWidth, from.videoHeight || from.naturalHeight];
  const g = sheet.getContext('2d', { willReadFrequently: true });
  g.drawImage(from, 0, 0);
  return g.getImageData(0, 0, sheet.width, sheet.height);
}

// ink is black or white, whichever is read better on a colour, #rrggbb: by its relative
// luminance (WCAG 2.2).
function ink(colour) {
  const [r, g, b] = colour.match(/[\da-f]{2}/gi).map((h) => parseInt(h, 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000' : '#fff';
}

export class Chips {
  palette = [];
  showing = false; // chips are being shown

  // body is the <tbody>; felt gives the colours; say tells the person what to do;
  // changed() is told of every change.
  constructor({ body, felt, say, changed }) {
    this.body = body;
    this.felt = felt;
    this.say = say;
    this.changed = changed;
  }

  show(palette) {
    this.palette = palette;
    this.body.replaceChildren(...palette.map((c, i) => this.row(c, i)));
  }

  row(c, i) {
    const value = make('input', { type: 'number', min: 0, step: 0.5, value: c.value / 100, ariaLabel: `${c.id} €` });
    value.addEventListener('change', () => { c.value = Math.round(value.value * 100); this.changed(); });
    const gone = make('button', { type: 'button', textContent: t('remove'), ariaLabel: `${t('remove')} ${c.id}`, disabled: this.palette.length < 2 });
    gone.addEventListener('click', () => { this.palette.splice(i, 1); this.show(this.palette); this.changed(); });
    return make('tr', {}, make('th', { textContent: c.id, title: money(c.value) }), make('td', {}, this.colour(c, 'face')), make('td', {}, this.colour(c, 'edge')), make('td', {}, value), make('td', {}, gone));
  }

  colour(c, part) {
    const b = make('button', { type: 'button', ariaLabel: `${c.id} ${t(`chip_${part}`)}`, title: t('learn'), textContent: c[part] });
    Object.assign(b.style, { background: c[part], color: ink(c[part]) });
    b.addEventListener('click', () => this.ask(c, part));
    return b;
  }

  // ask has the next click on the picture be a chip's colour: of its field, then of its
  // inserts.
  ask(c, part) {
    this.say(`${c.id}: ${t(`learn_${part}`)}`);
    this.felt.canvas.focus();
    this.felt.learning = (colour) => {
      c[part] = colour;
      this.show(this.palette);
      this.changed();
      if (part === 'face') this.ask(c, 'edge'); else this.say('');
    };
  }

  // shown has somebody lay one chip of each kind on the felt, one after the other, and learns
  // it from what the video shows while it lies there. empty is the picture of the empty
  // table. It ends with the last kind, or when it is called once more.
  async shown(video, empty, cal) {
    this.showing = !this.showing;
    const bare = pixels(empty);
    for (const c of this.showing ? this.palette.filter((x) => x.diameter) : []) {
      const got = await this.seen(c, new Clip(cal, bare, c.diameter), video, c === this.palette[0]);
      if (!got) return;
      Object.assign(c, { face: got.face, edge: got.edge });
      this.show(this.palette);
      this.changed();
    }
    if (this.showing) this.say(t('show_done'));
    this.showing = false;
  }

  // seen waits for one kind and gives its colours; gone: the chip before it has been taken
  // away. null where nobody shows chips any more.
  async seen(c, clip, video, gone) {
    while (this.showing) {
      const now = pixels(video);
      const got = now ? clip.see(now) : {};
      gone ||= Boolean(got.none);
      if (gone && got.face) return got;
      this.say(t(got.more ? 'show_one' : gone ? 'show_chip' : 'show_clear').replace('{c}', c.value ? money(c.value) : c.id));
      await new Promise((ok) => { setTimeout(ok, pause); });
    }
    return null;
  }

  // add begins a further kind, of the size of the last.
  add() {
    const last = this.palette.at(-1);
    let n = this.palette.length + 1;
    while (this.palette.some((c) => c.id === `c${n}`)) n++;
    this.palette.push({ ...last, id: `c${n}`, value: 0 });
    this.show(this.palette);
    this.changed();
  }
}
