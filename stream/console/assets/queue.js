// What is gone through in review: alerts, or rounds, as they are searched for.
import { get } from './api.js';
import { locale, t, money, sentence, spoken, standing } from './words.js';
import { make } from './dom.js';
import { icon } from './icons.js';
import { joined } from './groups.js';
import { card, doubt } from './rounds.js';
import { asks, instant, put } from './times.js';

const ranks = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'];
const suits = ['c', 'd', 'h', 's'];

export class Queue {
  items = []; // {id, table, alert, parts}, one for each incident, or {id, table, round}
  /** @type {any} */ form; // whose elements go by their names
  /** @type {HTMLElement} */ list;
  me; // /api/v1/me
  tables; // /api/v1/tables
  chosen;
  turn = 0;

  // chosen(item) hears which one somebody clicks on.
  constructor({ form, list, me, tables, chosen }) {
    Object.assign(this, { form, list, me, tables, chosen });
    asks(form);
  }

  get ofRounds() { return this.form.elements.what.value === 'rounds'; }

  // words fills the choices in the page's language.
  words() {
    const fill = (name, values) => {
      const s = this.form.elements[name];
      const had = s.value;
      s.replaceChildren(make('option', { value: '', textContent: '–' }), ...values.map(([v, w]) => make('option', { value: v, textContent: w })));
      s.value = had;
    };
    fill('table', this.tables.map((x) => [x.id, x.name]));
    fill('severity', ['critical', 'major', 'minor'].map((x) => [x, t(x)]));
    fill('state', ['open', 'escalated', 'resolved', 'acknowledged'].map((x) => [x, t(`state_${x}`)]));
    fill('reviewed', [['false', t('no')], ['true', t('yes')]]);
    fill('code', this.me.codes.map((c) => [c.code, spoken(c)]));
    fill('card', [...ranks.map((r) => [r, r === 'T' ? '10' : r]), ...suits.flatMap((s) => ranks.map((r) => [r + s, card(r + s)]))]);
  }

  // asked are the filters as the API takes them: those that say something of what is
  // searched for.
  asked() {
    const q = new URLSearchParams({ limit: '200' });
    for (const e of this.form.elements) {
      if (!e.name || e.name === 'what' || !e.value || e.closest('[hidden]')) continue;
      if (e.name === 'from' || e.name === 'to') {
        if (instant(e)) q.set(e.name, instant(e));
      } else q.set(e.name, e.name === 'amount' ? String(Math.round(Number(e.value) * 100)) : e.value);
    }
    return q;
  }

  get sifted() { return [...this.asked().keys()].some((k) => k !== 'limit'); }

  // address is where the page shows this search: as the API takes it, and what is searched.
  get address() {
    const q = this.asked();
    q.delete('limit');
    if (this.ofRounds) q.set('what', 'rounds');
    return `${location.pathname}${q.size ? `?${q}` : ''}${location.hash}`;
  }

  // recall searches for what an address tells; what no filter can have is left out.
  recall(search) {
    for (const [name, value] of new URLSearchParams(search)) {
      const e = this.form.elements.namedItem(name);
      if (!e) continue;
      if (name === 'amount') e.value = String(Number(value) / 100);
      else if (e.type === 'datetime-local') {
        if (!Number.isNaN(Date.parse(value))) put(e, Date.parse(value));
      }
      else e.value = value;
      if (e.selectedIndex < 0) e.selectedIndex = 0;
    }
  }

  async load() {
    for (const e of this.form.querySelectorAll('.of-alerts')) e.hidden = this.ofRounds;
    history.replaceState(null, '', this.address); // a reload searches the same, and who is sent it
    const turn = ++this.turn; // an answer that is overtaken counts no more
    const { ofRounds } = this;
    const got = await get(`/api/v1/${ofRounds ? 'rounds' : 'review'}?${this.asked()}`);
    if (turn !== this.turn) return;
    this.items = ofRounds ? got.map((r) => ({ id: `${r.table}/${r.id}`, table: r.table, round: r })) : joined(got);
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.id;
    this.list.replaceChildren(...this.items.map((x) => this.item(x)));
    if (focused) this.at(focused)?.focus({ preventScroll: true }); // the picture stays in sight
  }

  at(id) { return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`); }

  name(table) { return this.tables.find((y) => y.id === table)?.name ?? table; }

  // mark shows which one is chosen.
  mark(id) {
    for (const li of this.list.querySelectorAll('.alert')) li.setAttribute('aria-current', String(li.dataset.id === id));
  }

  // anew draws one again.
  anew(x) {
    this.at(x.id)?.replaceWith(this.item(x));
  }

  item(x) {
    const li = x.alert ? this.alert(x) : this.round(x);
    li.dataset.id = x.id;
    li.addEventListener('click', () => this.chosen(x));
    return li;
  }

  alert(x) {
    const a = x.alert;
    const head = [a.table && this.name(a.table), new Date(a.at).toLocaleString(locale()), a.amount && money(a.amount)].filter(Boolean).join(' · ');
    return make('li', { className: `alert ${a.severity}${x.reviewed ? ' done' : ''}`, tabIndex: 0 },
      make('p', { className: 'head' }, ...(x.reviewed ? [icon('ok', t('reviewed')), ' '] : []), icon(a.severity, t(a.severity)), ` ${head}`),
      make('p', { className: 'what', textContent: sentence(a) }, ...x.parts.slice(1).map((y) => make('small', { className: 'part', textContent: `+ ${sentence(y.alert)}` }))),
      make('p', { className: 'ack' }, standing(a), ...(x.notes ? [' · ', icon('note', t('notes')), ` ${x.notes}`] : [])));
  }

  round(x) {
    const r = x.round;
    const how = r.not_verifiable ? `${t('unverified')}: ${doubt(r.not_verifiable)}` : r.findings ? `${r.findings} ${t('acta_with_findings')}` : t('acta_in_order');
    return make('li', { className: `alert ${r.findings ? 'major' : 'calm'}`, tabIndex: 0 },
      make('p', { className: 'head' }, icon(r.not_verifiable ? 'minor' : r.findings ? 'major' : 'ok'), ` ${this.name(r.table)} · ${new Date(r.start ?? r.time).toLocaleString(locale())}`),
      make('p', { className: 'ack', textContent: how }));
  }

  // beside is the item n places from another, the nearest where there is none.
  beside(id, n) {
    const i = this.items.findIndex((x) => x.id === id);
    return this.items[Math.max(0, Math.min(this.items.length - 1, i + n))];
  }
}
