import { setLanguage, language, t } from './words.js';

setLanguage(language());

function show(problems) {
  const list = document.querySelector('#problems');
  list.replaceChildren(...problems.map((p) => {
    const li = document.createElement('li');
    li.className = p.severity;
    const head = document.createElement('strong');
    head.textContent = `${p[language()]} · ${[p.table, p.object].filter(Boolean).join(' / ')}`;
    const detail = document.createElement('p');
    detail.textContent = `${p.detail} (${t('since')} ${new Date(p.since).toLocaleString(language())}, ×${p.count})`;
    const advice = document.createElement('p');
    advice.textContent = `${t('advice')}: ${p[`advice_${language()}`]}`;
    li.append(head, detail, advice);
    return li;
  }));
  if (!problems.length) list.append(Object.assign(document.createElement('li'), { textContent: t('none') }));
}

function cameras(rows) {
  document.querySelector('#cameras tbody').replaceChildren(...rows.map((c) => {
    const tr = document.createElement('tr');
    const age = c.age_ms >= 0 ? `${c.age_ms} ms` : '–';
    for (const v of [c.table, c.camera, c.fps.toFixed(1), c.mbps.toFixed(2), age, c.read, c.dropped, c.watch_ms.toFixed(1)]) {
      tr.append(Object.assign(document.createElement('td'), { textContent: v }));
    }
    return tr;
  }));
}

async function refresh() {
  const r = await fetch('/api/v1/health');
  if (r.status === 401) return location.assign('/login?next=/health');
  const h = await r.json();
  show(h.problems);
  cameras(h.cameras);
}
await refresh();
setInterval(refresh, 2000);
