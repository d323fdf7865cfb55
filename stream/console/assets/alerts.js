// The alerts at the wall's right: newest critical first, each with what is wrong,
// the article, and the clip that shows it; it stays until somebody takes it.
import { language, locale, t } from './words.js';
import { post } from './api.js';
import { Sound } from './sound.js';

const rank = { critical: 0, major: 1, minor: 2 };
const preRoll = 10_000;
const guard = 500; // ms after the list has moved in which no outcome is taken: it may be the wrong one

// standing is how far an alert has come, in a word.
export const standing = (a) => {
  if (a.ack) return `${t(`was_${a.ack.outcome}`)} · ${a.ack.by}`;
  if (a.resolved) return t(a.kind === 'finding' ? 'state_righted' : 'state_resolved');
  return t(a.escalated ? 'state_escalated' : 'state_open');
};

// sentence is what is wrong, without the article, which stands below.
export const sentence = (a) => a[language()].replace(` (${a.rule})`, '');

export class Alerts {
  /** @type {HTMLElement} */ list;
  /** @type {HTMLElement} */ count;
  /** @type {HTMLDialogElement} */ dialog;
  person; // /api/v1/me
  /** @type {(table: string, n: number, worst: string) => void} */ tell;

  // tell(table, n, worst) hears of each table how many of its alerts are open.
  constructor({ list, count, dialog, mute, tables, person, tell }) {
    Object.assign(this, { list, count, dialog, person, tell });
    this.names = new Map(tables.map((x) => [x.id, x.name]));
    this.all = new Map();
    this.sound = new Sound(mute);
    const video = dialog.querySelector('video');
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      if (dialog.open) return; // another clip is shown already
      video.pause();
      video.removeAttribute('src');
      video.load();
    });
    video.addEventListener('error', () => { if (dialog.open) dialog.querySelector('p').textContent = t('no_recording'); });
    list.addEventListener('keydown', (e) => this.key(e));
  }

  // key: arrows from alert to alert, Enter plays.
  key(e) {
    const li = e.target.closest('.alert');
    const to = { ArrowDown: li?.nextElementSibling, ArrowUp: li?.previousElementSibling }[e.key];
    if (to) to.focus();
    else if (e.key === 'Enter' && e.target === li) li.querySelector('.play:not([hidden])')?.click();
    else return;
    e.preventDefault();
  }

  // load takes alerts that were raised before the page was opened.
  load(list) {
    for (const a of list) this.all.set(a.id, a);
    this.refresh();
  }

  put(a) {
    const was = this.all.get(a.id);
    this.all.set(a.id, a);
    const louder = !was || (a.escalated && !was.escalated);
    if (louder && a.severity === 'critical' && !a.ack) this.sound.play();
    this.refresh();
  }

  refresh() {
    // What holds stands before what is over by itself, and that before what is done.
    const order = [...this.all.values()].sort((a, b) =>
      Number(Boolean(a.ack)) - Number(Boolean(b.ack)) || Number(Boolean(a.resolved)) - Number(Boolean(b.resolved)) || rank[a.severity] - rank[b.severity] || Date.parse(b.raised) - Date.parse(a.raised));
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const id = /** @type {HTMLElement} */ (focused?.closest?.('.alert'))?.dataset.id;
    const before = [...this.list.children].map((li) => /** @type {HTMLElement} */ (li).dataset.id);
    const items = order.slice(0, 60).map((a) => this.item(a));
    this.list.replaceChildren(...items);
    if (before.some((x, i) => x !== items[i]?.dataset.id)) this.hold();
    document.querySelector('#none').hidden = order.length > 0;
    this.count.classList.toggle('calm', order.every((a) => a.ack));
    this.count.textContent = String(order.filter((a) => !a.ack).length);
    for (const table of this.names.keys()) {
      const open = order.filter((a) => a.table === table && !a.ack && !a.resolved);
      this.tell(table, open.length, open[0]?.severity ?? '');
    }
    const again = id && this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
    if (again) (focused.matches('button') && again.querySelector(`.${focused.className.replaceAll(' ', '.')}`) || again).focus();
  }

  // hold takes no outcome for a moment, since another alert may lie under the hand.
  hold() {
    const set = (v) => { for (const b of this.list.querySelectorAll('.outcome')) b.ariaDisabled = v; };
    this.moved = performance.now();
    set('true');
    clearTimeout(this.release);
    this.release = setTimeout(() => set(null), guard);
  }

  item(a) {
    const li = document.querySelector('#alert').content.firstElementChild.cloneNode(true);
    li.dataset.id = a.id;
    li.dataset.code = a.code;
    li.classList.add(a.severity);
    li.classList.toggle('over', Boolean(a.resolved));
    const time = new Date(a.at).toLocaleTimeString(locale());
    li.querySelector('.where').textContent = this.names.get(a.table) ?? a.table;
    li.querySelector('.head').textContent = [t(a.severity), time, a.ack ? '' : a.resolved ? standing(a) : a.escalated ? `⇧ ${standing(a)}` : ''].filter(Boolean).join(' · ');
    li.querySelector('.what').textContent = sentence(a);
    li.querySelector('.rule').textContent = [a.rule, a.probability && ['finding', 'variance'].includes(a.kind) ? `${Math.round(a.probability * 100)} %` : ''].filter(Boolean).join(' · ');
    const play = li.querySelector('.play');
    play.textContent = `▶ ${t('play')}`;
    play.hidden = !a.clip;
    play.addEventListener('click', () => this.play(a.clip, a[language()]));
    if (a.ack) {
      li.classList.add('done');
      const p = li.querySelector('.ack');
      p.hidden = false;
      p.textContent = `${standing(a)} · ${new Date(a.ack.at).toLocaleTimeString(locale())}`;
    } else if (this.person?.acknowledge) {
      for (const o of this.person.outcomes) {
        const b = document.createElement('button');
        b.type = 'button';
        b.className = `outcome ${o}`;
        b.textContent = t(o);
        b.ariaDisabled = performance.now() - this.moved < guard ? 'true' : null;
        b.addEventListener('click', () => { if (!b.ariaDisabled) this.acknowledge(a.id, o); });
        li.querySelector('.acts').append(b);
      }
    }
    return li;
  }

  async acknowledge(id, outcome) {
    const p = document.querySelector('#refused');
    try {
      this.put(await post(`/api/v1/alerts/${encodeURIComponent(id)}/ack`, { outcome, note: '' }));
      p.hidden = true;
    } catch (err) {
      p.textContent = `⛔ ${err.message}`;
      p.hidden = false;
    }
  }

  play(clip, words) {
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
    if (last) this.play({ camera: tile.camera.name, from: last.from, to: last.to }, `${t('last')} ${t('round').toLowerCase()} · ${tile.table.name}`);
  }

  focusFirst() { this.list.querySelector('.alert:not(.done)')?.focus(); }
}
