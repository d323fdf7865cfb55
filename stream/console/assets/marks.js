// Marks in recordings: places that somebody wants to find again, for all who see the table.
import { post, call } from './api.js';
import { locale, t } from './words.js';
import { make } from './dom.js';
import { icon } from './icons.js';

const url = '/api/v1/marks';

export class Marks {
  /** @type {HTMLElement} */ box;
  me; // /api/v1/me
  go;
  changed;
  attempt;

  // go(wall) shows a marked place; changed() hears that there is another, or one less.
  constructor({ box, me, go, changed, attempt }) {
    Object.assign(this, { box, me, go, changed, attempt });
  }

  // show lists those of the timeline.
  show(list) {
    this.box.hidden = !list.length;
    this.box.querySelector('ul').replaceChildren(...list.map((m) => {
      const at = make('button', { type: 'button' }, icon('mark'), ` ${[new Date(m.at).toLocaleTimeString(locale()), m.person, m.text].filter(Boolean).join(' · ')}`);
      at.addEventListener('click', () => this.go(Date.parse(m.at)));
      const li = make('li', {}, at);
      if (m.person !== this.me.user) return li;
      const off = make('button', { type: 'button', className: 'off', ariaLabel: t('unmark'), title: t('unmark') }, icon('close'));
      off.addEventListener('click', this.attempt(async () => { await call('DELETE', url, { camera: m.camera, at: m.at, text: '' }); this.soon(); }));
      li.append(' ', off);
      return li;
    }));
  }

  // set marks a place, by the words of what is looked at.
  async set(camera, wall, text) {
    await post(url, { camera, at: new Date(wall).toISOString(), text });
    this.soon();
  }

  soon() { setTimeout(this.changed, 300); } // the index follows the ledger
}
