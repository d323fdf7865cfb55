import { get } from './api.js';
import { setLanguage, language, locale, t } from './words.js';

const me = await get('/api/v1/me');

function choose(lang) {
  setLanguage(lang);
  document.querySelector('#language').textContent = t('other');
}

function show(problems) {
  const list = document.querySelector('#problems');
  list.replaceChildren(...problems.map((p) => {
    const li = document.createElement('li');
    li.className = p.severity;
    const head = document.createElement('strong');
    head.textContent = `${p[language()]} · ${[p.table, p.object].filter(Boolean).join(' / ')}`;
    const detail = document.createElement('p');
    const technical = Object.assign(document.createElement('span'), { lang: 'en', textContent: p.detail }); // for who mends it
    detail.className = 'hint';
    detail.append(`${t('since')} ${new Date(p.since).toLocaleString(locale())} · `, technical);
    const advice = document.createElement('p');
    advice.textContent = `${t('advice')}: ${p[`advice_${language()}`]}`;
    li.append(head, advice, detail);
    return li;
  }));
  if (!problems.length) list.append(Object.assign(document.createElement('li'), { textContent: t('none') }));
}

function cameras(rows) {
  const none = (word) => { const td = Object.assign(document.createElement('td'), { colSpan: 9, className: 'empty', textContent: t(word) }); const tr = document.createElement('tr'); tr.append(td); return tr; };
  document.querySelector('#cameras tbody').replaceChildren(...(rows.length ? [] : [none('no_cameras')]), ...rows.map((c) => {
    const tr = document.createElement('tr');
    const age = c.age_ms >= 0 ? `${c.age_ms} ms` : '–';
    for (const v of [c.table, c.camera, c.fps.toFixed(1), c.mbps.toFixed(2), age, c.read, c.dropped, c.watch_ms.toFixed(1)]) {
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

function storage(rows) {
  const gb = (n) => (n / 1e9).toFixed(2);
  document.querySelector('#storage tbody').replaceChildren(...rows.map((u) => {
    const tr = document.createElement('tr');
    const days = (Date.parse(u.newest) - Date.parse(u.oldest)) / 86400e3;
    const cells = [u.table, u.camera, gb(u.bytes), gb(u.sealed), u.oldest ? new Date(u.oldest).toLocaleString(locale()) : '–',
      days ? days.toFixed(1) : '–', days > 0.01 ? gb(u.bytes / days) : '–'];
    tr.append(...cells.map((v) => Object.assign(document.createElement('td'), { textContent: v })));
    return tr;
  }));
}

async function refresh() {
  const h = await get('/api/v1/health');
  storage(h.storage);
  show(h.problems);
  cameras(h.cameras);
}
choose(localStorage.getItem('lang') ?? me.language);
document.querySelector('#language').addEventListener('click', () => { choose(language() === 'es' ? 'en' : 'es'); refresh(); });
await refresh();
setInterval(refresh, 2000);
