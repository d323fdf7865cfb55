// The chips of a calibration as a table: what each is worth, and its two colours, which are
// taken from the picture.
import { t, money } from './words.js';
import { make } from './dom.js';

export class Chips {
  palette = [];

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
    b.style.background = c[part];
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
