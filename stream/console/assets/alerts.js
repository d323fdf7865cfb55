// The alerts at the wall's right: newest critical first, each with what is wrong,
// the article, and the clip that shows it; it stays until somebody takes it.
import { language, locale, t } from './words.js';

const rank = { critical: 0, major: 1, minor: 2 };
const preRoll = 10_000;

export class Alerts {
  constructor(list, count, dialog) {
    this.list = list;
    this.count = count;
    this.dialog = dialog;
    this.all = new Map();
    this.muted = false;
    this.person = null;
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => { const v = dialog.querySelector('video'); v.pause(); v.removeAttribute('src'); v.load(); });
  }

  put(a, old = false) {
    const fresh = !this.all.has(a.id);
    this.all.set(a.id, a);
    if (fresh && !old && a.severity === 'critical' && !a.ack) this.sound();
    this.refresh();
  }

  refresh() {
    // What holds stands before what is over by itself, and that before what is done.
    const order = [...this.all.values()].sort((a, b) =>
      Boolean(a.ack) - Boolean(b.ack) || Boolean(a.resolved) - Boolean(b.resolved) || rank[a.severity] - rank[b.severity] || Date.parse(b.raised) - Date.parse(a.raised));
    const focused = document.activeElement?.closest?.('.alert')?.dataset.id;
    this.list.replaceChildren(...order.slice(0, 60).map((a) => this.item(a)));
    document.querySelector('#none').hidden = order.length > 0;
    this.count.classList.toggle('calm', order.every((a) => a.ack));
    this.count.textContent = order.filter((a) => !a.ack).length;
    if (focused) this.list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  }

  item(a) {
    const li = document.querySelector('#alert').content.firstElementChild.cloneNode(true);
    li.dataset.id = a.id;
    li.dataset.code = a.code;
    li.classList.add(a.severity);
    li.classList.toggle('over', Boolean(a.resolved));
    const time = new Date(a.at).toLocaleTimeString(locale());
    li.querySelector('.head').textContent = [t(a.severity), a.table, time, a.escalated ? '⇧' : '', a.resolved && !a.ack ? t('state_resolved') : ''].filter(Boolean).join(' · ');
    li.querySelector('.what').textContent = a[language()];
    li.querySelector('.rule').textContent = [a.rule, a.probability && ['finding', 'variance'].includes(a.kind) ? `${Math.round(a.probability * 100)} %` : ''].filter(Boolean).join(' · ');
    const play = li.querySelector('.play');
    play.textContent = `▶ ${t('play')}`;
    play.hidden = !a.clip;
    play.addEventListener('click', () => this.play(a.clip, a[language()]));
    if (a.ack) {
      li.classList.add('done');
      const p = li.querySelector('.ack');
      p.hidden = false;
      p.textContent = `${t(a.ack.outcome)} · ${a.ack.by} · ${new Date(a.ack.at).toLocaleTimeString(locale())}`;
    } else if (this.person?.acknowledge) {
      for (const o of this.person.outcomes) {
        const b = document.createElement('button');
        b.type = 'button';
        b.className = `outcome ${o}`;
        b.textContent = t(o);
        b.addEventListener('click', () => this.acknowledge(a.id, o));
        li.querySelector('.acts').append(b);
      }
    }
    return li;
  }

  async acknowledge(id, outcome) {
    const r = await fetch(`/api/v1/alerts/${encodeURIComponent(id)}/ack`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ outcome, note: '' }),
    });
    const body = await r.json();
    if (r.ok) this.put(body);
    else document.querySelector('#health').textContent = body.error;
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
    const last = tile?.state?.last;
    if (last) this.play({ camera: tile.table.cameras[0].name, from: last.from, to: last.to }, `${t('last')} ${t('round').toLowerCase()} · ${tile.table.name}`);
  }

  focusFirst() { this.list.querySelector('.alert:not(.done)')?.focus(); }

  // Two short tones; only for critical alerts.
  sound() {
    if (this.muted) return;
    try {
      const c = (this.audio ??= new AudioContext());
      for (const [at, hz] of [[0, 660], [0.18, 880]]) {
        const o = c.createOscillator();
        const g = c.createGain();
        o.frequency.value = hz;
        g.gain.value = 0.15;
        o.connect(g).connect(c.destination);
        o.start(c.currentTime + at);
        o.stop(c.currentTime + at + 0.14);
      }
    } catch { /* no audio device: the list still shows it */ }
  }
}
