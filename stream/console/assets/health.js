import { get } from './api.js';
import { figure, language, locale, t, spoken } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';
import { told } from './details.js';

const me = await get('/api/v1/me');

function show(problems) {
  const list = document.querySelector('#problems');
  list.replaceChildren(...problems.map((p) => {
    const li = document.createElement('li');
    li.className = p.severity;
    const head = document.createElement('strong');
    head.textContent = [spoken(p), [p.node, p.table, p.object].filter(Boolean).join(' / ')].filter(Boolean).join(' · ');
    const detail = document.createElement('p');
    const technical = Object.assign(document.createElement('span'), { lang: 'en', textContent: p.detail }); // for who mends it
    const why = language() === 'en' ? null : told(p.detail, language());
    detail.className = 'hint';
    detail.append(`${t('since')} ${new Date(p.since).toLocaleString(locale())} · ${why ? `${t('technical_detail')}: ` : ''}`, technical);
    const advice = document.createElement('p');
    advice.textContent = `${t('advice')}: ${spoken(p, 'advice_')}`;
    li.append(head, ...(why ? [Object.assign(document.createElement('p'), { textContent: why })] : []), advice, detail);
    return li;
  }));
  if (!problems.length) list.append(Object.assign(document.createElement('li'), { textContent: t('none') }));
}

// none is the row of a table that has no others.
function none(word, columns) {
  const tr = document.createElement('tr');
  tr.append(Object.assign(document.createElement('td'), { colSpan: columns, className: 'empty', textContent: t(word) }));
  return tr;
}

function cameras(rows) {
  document.querySelector('#cameras tbody').replaceChildren(...(rows.length ? [] : [none('no_cameras', 10)]), ...rows.map((c) => {
    const tr = document.createElement('tr');
    const age = c.age_ms >= 0 ? `${c.age_ms} ms` : '–';
    for (const v of [c.table, c.camera, figure(c.fps, 1), figure(c.mbps, 2), age, c.read, c.dropped, `${figure(c.decode_ms, 1)} ${c.decoder ?? ''}`.trim(), figure(c.watch_ms, 1)]) {
      tr.append(Object.assign(document.createElement('td'), { textContent: v }));
    }
    if (me.technical) {
      const td = document.createElement('td');
      td.append(Object.assign(document.createElement('a'), { href: `/calibrate/${encodeURIComponent(c.camera)}`, textContent: t('calibrate') }));
      tr.append(td);
    }
    return tr;
  }));
}

const gb = (n) => figure(n / 1e9, 2);

// replica says how far the second place of the evidence is.
function replica(r) {
  if (!(r.segments + r.entries)) return `${r.place}: ${t('replica_safe')}`;
  return `${r.place}: ${t('replica_behind')} ${Math.ceil(r.behind_s / 60)} min, ${r.segments} ${t('replica_recordings')}, ${gb(r.bytes)} GB`;
}

function machine(m) {
  const rows = [
    [t('disk_free'), `${gb(m.disk_free)} / ${gb(m.disk_total)} GB`],
    [t('clock'), m.clock_kept ? `± ${figure(m.clock_ms, 1)} ms` : t('clock_alone')],
  ];
  if (m.bus_ms) rows.push(['Redis', m.bus_ms < 0 ? t('no_answer') : `${figure(m.bus_ms, 1)} ms`]);
  if (m.replica) rows.push([t('replica'), replica(m.replica)]);
  document.querySelector('#machine').replaceChildren(...rows.flatMap(([what, how]) => [
    Object.assign(document.createElement('dt'), { textContent: what }),
    Object.assign(document.createElement('dd'), { textContent: how })]));
}

// machines are those of the house, where there are several.
function machines(rows = []) {
  const section = /** @type {HTMLElement} */ (document.querySelector('#machines'));
  section.hidden = !rows.length;
  section.querySelector('tbody').replaceChildren(...rows.map((m) => {
    const tr = document.createElement('tr');
    const state = [t(m.away ? 'machine_away' : 'machine_fine'), ...(m.judge ? [t('machine_judges')] : [])].join(' · ');
    tr.className = m.away ? 'critical' : '';
    tr.append(...[m.name, state, (m.tables ?? []).join(' '), m.away ? '–' : `${figure(100 * m.load, 0)} %`, m.version]
      .map((v) => Object.assign(document.createElement('td'), { textContent: v })));
    return tr;
  }));
}

function storage(rows) {
  document.querySelector('#storage tbody').replaceChildren(...(rows.length ? [] : [none('no_storage', 7)]), ...rows.map((u) => {
    const tr = document.createElement('tr');
    const days = (Date.parse(u.newest) - Date.parse(u.oldest)) / 86400e3;
    const cells = [u.table, u.camera, gb(u.bytes), gb(u.sealed), u.oldest ? new Date(u.oldest).toLocaleString(locale()) : '–',
      days ? figure(days, 1) : '–', days > 0.01 ? gb(u.bytes / days) : '–'];
    tr.append(...cells.map((v) => Object.assign(document.createElement('td'), { textContent: v })));
    return tr;
  }));
}

async function refresh() {
  const h = await get('/api/v1/health');
  machine(h.machine);
  machines(h.nodes);
  storage(h.storage);
  show(h.problems);
  cameras(h.cameras);
}
// update says so where the node does not answer: what stands there is old.
const update = () => refresh().catch((err) => {
  const ul = document.querySelector('#problems');
  ul.querySelector('.cut')?.remove();
  ul.prepend(Object.assign(document.createElement('li'), { className: 'critical cut', textContent: err.message }));
});
header(me, update);
await update();
setInterval(update, 2000);
arrived();
