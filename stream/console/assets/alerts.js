// The alerts at the wall's right: newest critical first, each a short card with what is
// wrong in one sentence, and the clip that shows it; it stays until somebody takes it.
import { advice, firmness, locale, money, sentence, standing, sure, t, spoken } from './words.js';
import { post } from './api.js';
import { make } from './dom.js';
import { icon, say } from './icons.js';
import { offered } from './header.js';
import { grouped, incidentOf, incidents, kindOf, Reason } from './groups.js';
import { Sound } from './sound.js';

const rank = { critical: 0, major: 1, minor: 2 };
const aged = 15 * 60_000; // ms after which an open alert leaves the stream for the shift's list: its players have gone on
const preRoll = 10_000;
const guard = 500; // ms after the list has moved, or a card was opened, in which no button of a card is taken: it may be the wrong one

// ago is how long ago something was, as short as it is said.
export function ago(at) {
  const s = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  const [n, unit] = s < 60 ? [s, 'second'] : s < 3600 ? [s / 60, 'minute'] : s < 86400 ? [s / 3600, 'hour'] : [s / 86400, 'day'];
  return new Intl.RelativeTimeFormat(locale(), { style: 'narrow', numeric: 'always' }).format(-Math.floor(n), /** @type {Intl.RelativeTimeFormatUnit} */ (unit));
}

// late tells whether an incident is open and so old that it belongs to the shift's list.
const late = (parts) => !parts[0].ack && Date.now() - Math.max(...parts.map((a) => Date.parse(a.raised))) > aged;

export class Alerts {
  /** @type {HTMLElement} */ list;
  /** @type {HTMLElement} */ count;
  /** @type {HTMLDialogElement} */ dialog;
  person; // /api/v1/me
  /** @type {(table: string, open: any[]) => void} */ tell;
  waiting = 0; // alerts that nobody has taken
  pressed = false; // the list is, by hand or mouse
  stale = false; // it waits to be drawn anew

  // tell(table, open) hears of each table which of its alerts hold and wait, the gravest
  // first, and then once more of no table.
  constructor({ list, count, dialog, reason, mute, tables, person, tell }) {
    Object.assign(this, { list, count, dialog, person, tell });
    this.reason = new Reason(reason);
    this.judged = new Map(); // the statistics of each table
    this.unfolded = new Set(); // kinds whose alerts show one by one
    this.names = new Map(tables.map((x) => [x.id, x.name]));
    this.all = new Map();
    this.read = new Set(); // whose article shows
    this.sound = new Sound(mute);
    const video = dialog.querySelector('video');
    dialog.querySelector('[data-t=close]').addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      if (dialog.open) return; // another clip is shown already
      video.pause();
      video.removeAttribute('src');
      video.load();
    });
    video.addEventListener('error', () => { if (dialog.open) dialog.querySelector('p').textContent = t('no_recording'); });
    list.addEventListener('keydown', (e) => this.key(e));
    list.addEventListener('click', (e) => this.open(e.target));
    // What is pressed stays where it is until it is let go: else the click would be lost.
    list.addEventListener('pointerdown', () => { this.pressed = true; });
    for (const end of ['pointerup', 'pointercancel']) {
      addEventListener(end, () => {
        if (!this.pressed) return;
        this.pressed = false;
        if (this.stale) setTimeout(() => this.refresh()); // after the click
      });
    }
    setInterval(() => {
      for (const e of list.querySelectorAll('.age')) e.textContent = ago(e.dateTime);
      if (incidents([...this.all.values()]).filter(late).length !== this.left) this.refresh();
    }, 10_000);
  }

  at(id) { return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`); }

  // open shows what can be done with the alert that is touched; its buttons come to lie
  // under the finger, which may touch twice.
  open(at) {
    const li = at.closest('.alert');
    if (!li || at.closest('button')) return;
    li.focus();
    li.scrollIntoView({ block: 'nearest' }); // with the buttons that show now
    document.querySelector(`.tile[data-table="${CSS.escape(this.all.get(li.dataset.id)?.table ?? '')}"]`)?.scrollIntoView({ block: 'nearest' }); // on a phone it may be out of sight
    this.hold();
  }

  // key: arrows from alert to alert, Enter plays.
  key(e) {
    const li = e.target.closest('.alert');
    const to = { ArrowDown: li ? li.nextElementSibling : this.list.firstElementChild, ArrowUp: li?.previousElementSibling }[e.key];
    if (to) to.focus();
    else if (e.key === 'Enter' && e.target === li) this.play(this.all.get(li.dataset.id)); // the focus keeps to its alert: no hand may have slipped
    else return;
    e.preventDefault();
  }

  // load takes alerts that were raised before the page was opened.
  load(list) {
    for (const a of list) this.all.set(a.id, a);
    this.refresh();
  }

  // judge takes the statistics of the tables: how often a kind of alert was false.
  judge(statistics) {
    this.judged = new Map(statistics.map((x) => [x.table, x]));
    this.refresh();
  }

  put(a) {
    const was = this.all.get(a.id);
    this.all.set(a.id, a);
    if (a.ack && a.id === this.dialog.dataset.id) this.decide([a]); // by somebody else
    const heard = [...this.all.values()].some((x) => x.id !== a.id && !x.ack && x.severity === 'critical' && incidentOf(x) === incidentOf(a));
    const louder = !was ? !heard : a.escalated && !was.escalated;
    if (louder && a.severity === 'critical' && !a.ack) this.sound.play();
    this.refresh();
  }

  refresh() {
    this.stale = this.pressed;
    if (this.pressed) return;
    // What holds stands before what is over by itself, and that before what is done.
    const order = [...this.all.values()].sort((a, b) =>
      Number(Boolean(a.ack)) - Number(Boolean(b.ack)) || Number(Boolean(a.resolved)) - Number(Boolean(b.resolved)) || rank[a.severity] - rank[b.severity] || Date.parse(b.raised) - Date.parse(a.raised));
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const id = /** @type {HTMLElement} */ (focused?.closest?.('.alert'))?.dataset.id;
    const before = [...this.list.children].map((li) => /** @type {HTMLElement} */ (li).dataset.id);
    const each = incidents(order);
    const cards = (list) => grouped(list).flatMap((g) => (g.length === 1 ? [this.item(g[0])] : this.group(g)));
    const [left, now, done] = [each.filter(late), each.filter((x) => !x[0].ack && !late(x)), each.filter((x) => x[0].ack)];
    this.left = left.length;
    const items = [...cards(now), ...(left.length ? [this.shift(left), ...(this.unfolded.has('shift') ? cards(left) : [])] : []), ...cards(done)].slice(0, 60);
    this.list.replaceChildren(...items);
    if (before.some((x, i) => x !== items[i]?.dataset.id)) this.hold();
    document.querySelector('#none').hidden = order.length > 0;
    this.waiting = each.filter(([a]) => !a.ack).length;
    this.count.classList.toggle('calm', !this.waiting);
    this.count.textContent = String(this.waiting);
    for (const table of this.names.keys()) this.tell(table, each.map(([a]) => a).filter((a) => a.table === table && !a.ack && !a.resolved));
    this.tell('', []);
    const again = id && this.at(id);
    if (again?.matches('.done') && !focused.closest('.done')) this.list.focus({ preventScroll: true }); // it lies at the end now: one stays here
    else if (again) (focused.matches('button') && again.querySelector(`.${focused.className.replaceAll(' ', '.')}`) || again).focus();
  }

  // hold takes no button for a moment, since another alert may lie under the hand, or a
  // button where a card was touched.
  hold() {
    const set = (v) => { for (const b of this.list.querySelectorAll('.acts button')) b.ariaDisabled = v; };
    this.moved = performance.now();
    set('true');
    clearTimeout(this.release);
    this.release = setTimeout(() => set(null), guard);
  }

  // shift is the card of what is left over from the shift, which unfolds.
  shift(left) {
    const amount = left.reduce((sum, [a]) => sum + (a.amount ?? 0), 0);
    const li = make('li', { className: 'alert shift', tabIndex: 0 }, this.fold('shift', [t('shift'), `×${left.length}`, amount ? money(amount) : ''].filter(Boolean).join(' · ')));
    li.dataset.id = 'shift';
    return li;
  }

  // fold is the button that unfolds the card of several.
  fold(id, words) {
    const b = make('button', { type: 'button', className: 'fold', ariaExpanded: String(this.unfolded.has(id)), textContent: words });
    b.addEventListener('click', () => {
      if (b.ariaDisabled) return;
      if (!this.unfolded.delete(id)) this.unfolded.add(id);
      this.refresh();
    });
    return b;
  }

  // group is the card of several incidents of one kind at one table, and theirs where it is unfolded.
  group(g) {
    const each = g.flat(), [newest] = each, id = kindOf(newest), unfolded = this.unfolded.has(id);
    const what = spoken(this.person.codes.find((c) => c.code === newest.code)) ?? newest.code;
    const li = this.card(newest, what, each.some((a) => a.escalated));
    li.dataset.id = id;
    li.classList.add('group');
    const amount = g.reduce((sum, [a]) => sum + (a.amount ?? 0), 0);
    li.querySelector('.sum').textContent = `×${g.length}${amount ? ` · ${money(amount)}` : ''}`;
    this.article(li, newest);
    li.querySelector('.advice').textContent = this.falseHere(newest);
    li.querySelector('.play').remove();
    li.querySelector('.acts').prepend(this.fold(id, unfolded ? t('fold') : `${t('unfold')} ${g.length}`));
    if (this.person.acknowledge && this.person.outcomes.includes('false_alarm')) {
      const all = make('button', { type: 'button', className: 'outcome all', textContent: t('all_false') });
      all.addEventListener('click', () => {
        if (all.ariaDisabled) return;
        this.reason.ask([this.names.get(newest.table) ?? newest.table, `${what} ×${g.length}`, this.falseHere(newest)].filter(Boolean).join(' · '), async (note) => {
          await this.acknowledge(each, 'false_alarm', note); // those that were shown: a later one is not decided unseen
        });
      });
      li.querySelector('.acts').append(all);
    }
    this.guard(li);
    return [li, ...(unfolded ? g.map((x) => this.item(x)) : [])];
  }

  // card has what the cards of one alert and of a group share.
  card(a, what, escalated) {
    const li = document.querySelector('#alert').content.firstElementChild.cloneNode(true);
    li.dataset.id = a.id;
    li.dataset.code = a.code;
    li.classList.add(a.severity);
    const raised = escalated ? [icon('raised', standing(a)), ' '] : [];
    li.querySelector('.head').prepend(icon(a.severity, t(a.severity)), ' ', ...raised);
    li.querySelector('.where').textContent = this.names.get(a.table) ?? a.table;
    const age = li.querySelector('.age');
    age.dateTime = a.at;
    age.textContent = ago(a.at);
    age.title = new Date(a.at).toLocaleString(locale());
    li.querySelector('.what').textContent = what;
    return li;
  }

  // guard takes no button of a card while the list has just moved.
  guard(li) {
    if (performance.now() - this.moved < guard) for (const b of li.querySelectorAll('.acts button')) b.ariaDisabled = 'true';
  }

  // item is the card of an incident: of the alert that stands for it, with what else comes from its cause.
  item(parts) {
    const [a, ...more] = parts;
    const li = this.card(a, sentence(a), !a.ack && !a.resolved && parts.some((x) => x.escalated));
    li.classList.toggle('over', Boolean(a.resolved));
    li.querySelector('.sum').textContent = a.amount ? money(a.amount) : '';
    li.querySelector('.what').append(...more.map((x) => make('small', { className: 'part', textContent: `+ ${sentence(x)}` })));
    if (firmness(a)) {
      li.querySelector('.firm').textContent = t(firmness(a));
      li.querySelector('.advice').textContent = advice(a);
    }
    this.article(li, a);
    const play = li.querySelector('.play');
    play.replaceChildren(icon('play'));
    play.ariaLabel = play.title = t('play');
    play.hidden = !a.clip;
    // It decides nothing, so it is taken at once. The card that is open stays so, or it would move this button away.
    play.addEventListener('mousedown', (e) => e.preventDefault());
    play.addEventListener('click', () => this.play(a));
    const p = li.querySelector('.ack');
    p.hidden = !a.ack && !a.resolved;
    p.textContent = [standing(a), a.ack && new Date(a.ack.at).toLocaleTimeString(locale())].filter(Boolean).join(' · ');
    li.classList.toggle('done', Boolean(a.ack));
    li.querySelector('.acts').append(...this.outcomes(parts));
    this.guard(li);
    return li;
  }

  // parts are the alerts of an alert's incident that nobody has taken, itself first.
  parts(a) {
    return [a, ...[...this.all.values()].filter((x) => x.id !== a.id && !x.ack && !a.ack && incidentOf(x) === incidentOf(a))];
  }

  // outcomes are the buttons that decide an incident, for who may.
  outcomes(parts) {
    if (parts[0].ack || !this.person?.acknowledge) return [];
    return this.person.outcomes.map((o) => {
      const b = make('button', { type: 'button', className: `outcome ${o}`, textContent: t(o) });
      b.addEventListener('click', () => { if (!b.ariaDisabled) this.acknowledge(parts, o); });
      return b;
    });
  }

  // article shows the article of the norm, how sure it is and how often this kind was false at
  // this table, on demand.
  article(li, a) {
    const text = [a.rule, a.probability && ['finding', 'variance'].includes(a.kind) ? sure(a.probability) : '', this.falseHere(a)].filter(Boolean).join(' · ');
    const b = li.querySelector('.article');
    const set = () => {
      li.querySelector('.rule').hidden = !this.read.has(a.id);
      b.ariaExpanded = String(this.read.has(a.id));
    };
    li.querySelector('.rule').textContent = text;
    b.hidden = !text;
    b.ariaLabel = b.title = t('article');
    b.addEventListener('click', () => {
      if (b.ariaDisabled) return;
      if (!this.read.delete(a.id)) this.read.add(a.id);
      set();
    });
    set();
  }

  falseHere(a) {
    const { judged, false_codes } = this.judged.get(a.table) ?? {};
    const n = judged?.[a.code];
    return n ? `${t('false_here')}: ${false_codes[a.code] ?? 0}/${n}` : '';
  }

  async acknowledge(list, outcome, note = '') {
    const p = document.querySelector('#refused');
    this.dialog.close();
    try {
      for (const a of list) this.put(await post(`/api/v1/alerts/${encodeURIComponent(a.id)}/ack`, { outcome, note }));
      p.hidden = true;
    } catch (err) {
      say(p, 'no', err.message);
      p.hidden = false;
    }
  }

  play(a) {
    if (!a?.clip) return; // of a group none
    const firm = firmness(a) ? `${t(firmness(a))} · ` : '';
    this.show(a.clip, [this.names.get(a.table), `${firm}${spoken(a)}`].filter(Boolean).join(' · '), firm && advice(a), a.id);
    this.decide(this.parts(a));
  }

  // shown plays the alert that a table's banner stands for; one without a recording gets the focus.
  shown(a) {
    if (a.clip) this.play(a);
    else (this.at(a.id) ?? this.at(kindOf(a)))?.focus();
  }

  // decide offers what may be decided while one looks at the recording; not at once, since
  // a second touch of its button may be on the way.
  decide(parts) {
    const buttons = this.outcomes(parts);
    for (const b of buttons) b.ariaDisabled = 'true';
    setTimeout(() => { for (const b of buttons) b.ariaDisabled = null; }, guard);
    this.dialog.dataset.id = parts[0].id;
    this.dialog.querySelector('.acts').replaceChildren(...buttons);
  }

  // show plays a recording, with what is said of it, and the way to review where it is an alert's.
  show(clip, words, more = '', id = '') {
    delete this.dialog.dataset.id;
    this.dialog.querySelector('.more').textContent = more;
    const review = this.dialog.querySelector('a');
    review.hidden = !id || !offered('/review', this.person);
    review.href = `/review#${encodeURIComponent(id)}`;
    say(review, 'review', t('review'));
    this.dialog.querySelector('.acts').replaceChildren();
    const from = new Date(Date.parse(clip.from) - preRoll);
    const url = `/api/v1/clips?camera=${encodeURIComponent(clip.camera)}&from=${from.toISOString()}&to=${new Date(Date.parse(clip.to) + 2000).toISOString()}`;
    const video = this.dialog.querySelector('video');
    this.dialog.querySelector('p').textContent = words;
    video.src = url;
    this.dialog.showModal();
    video.play().catch(() => {}); // without a gesture the controls still play it
  }

  replayRound(tile) {
    const last = tile?.known.state?.last;
    if (last) this.show({ camera: tile.camera.name, from: last.from, to: last.to }, `${t('last')} ${t('round').toLowerCase()} · ${tile.table.name}`);
  }

  focusFirst() { this.list.querySelector('.alert:not(.done)')?.focus(); }
}
