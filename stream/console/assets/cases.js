// Cases: several tables over the same time, sealed, and one zip or page to take away.
import { get, post } from './api.js';
import { locale, t, spoken } from './words.js';
import { make } from './dom.js';
import { icon } from './icons.js';
import { asks, instant, put } from './times.js';

const around = 30_000; // ms before and after

export class Cases {
  /** @type {any} */ form; // whose elements go by their names
  /** @type {HTMLElement} */ list;
  me; // /api/v1/me

  // made() hears that a case was made.
  constructor({ form, list, said, me, tables, attempt, made }) {
    Object.assign(this, { form, list, me });
    form.querySelector('fieldset').append(...tables.map((x) => make('label', {}, make('input', { type: 'checkbox', name: 'table', value: x.id }), ` ${x.name} `)));
    this.show = attempt(() => this.load());
    asks(form);
    form.addEventListener('submit', (e) => {
      e.preventDefault();
      const f = new FormData(e.target);
      attempt(async () => {
        const c = await post('/api/v1/cases', { title: f.get('title'), tables: f.getAll('table'), note: '', from: instant(form.elements.from), to: instant(form.elements.to) });
        said.textContent = `${t('sealed')}: ${c.id}`;
        setTimeout(this.show, 300); // the index follows the ledger
        made();
      })();
    });
  }

  // fill puts in what the case would be of: an alert, or a round, and its time.
  fill(x, from, to) {
    this.form.hidden = !this.me.export;
    if (this.form.hidden) return;
    put(this.form.elements.from, from - around);
    put(this.form.elements.to, to + around);
    this.form.elements.title.value = `${x.alert ? spoken(x.alert) : x.round.id} · ${x.table}`.slice(0, 200);
    for (const box of this.form.querySelectorAll('[name=table]')) box.checked = box.value === x.table;
  }

  // file is the address of a case's zip, or of its page.
  file(c, form = {}) {
    const q = new URLSearchParams({ ...form, ...(c.node ? { node: c.node } : {}) });
    return `/api/v1/cases/${encodeURIComponent(c.id)}/zip${q.size ? `?${q}` : ''}`;
  }

  async load() {
    const list = await get('/api/v1/cases');
    this.list.replaceChildren(...(list.length ? [] : [make('li', { className: 'empty', textContent: t('no_cases') })]), ...list.slice(0, 20).map((c) => make('li', {},
      this.me.export ? make('a', { href: this.file(c), download: '' }, icon('download'), ` ${c.title}`) : c.title,
      ...(this.me.export ? [' · ', make('a', { href: this.file(c, { page: '' }), download: '', textContent: t('case_page') })] : []),
      ` · ${c.tables.join(' ')} · ${c.by} · ${new Date(c.made).toLocaleString(locale())}`)));
  }
}
