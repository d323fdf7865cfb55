// Figures over days: how much was played, what was found, how often it was a false alarm,
// what could not be verified and why, what it was about in money, how soon it was taken.
import { get } from './api.js';
import { locale, money, t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const day = 24 * 3600e3;
const groupings = ['table', 'game', 'day', 'table,day', 'game,day', 'week', 'table,week'];
let me, groups = [], codes = [], tables = [], places = [];

const share = (x) => `${(100 * x).toLocaleString(locale(), { maximumFractionDigits: 1 })} %`;
const seconds = (s) => (s ? `${s.toLocaleString(locale(), { maximumFractionDigits: 0 })} s` : '–');
const name = (g) => [g.table, g.game?.replaceAll('_', ' '), (g.day || g.week) && new Date(`${g.day || g.week}T12:00`).toLocaleDateString(locale())].filter(Boolean).join(' · ') || t('stat_all');
const acked = (g) => Object.values(g.outcomes).reduce((a, b) => a + b, 0);

// Columns of the table; those with a value are charted.
const columns = [
  { head: 'acta_rounds', text: (g) => g.rounds },
  { head: 'perhour', text: (g) => g.per_hour.toLocaleString(locale(), { maximumFractionDigits: 1 }), value: (g) => g.per_hour },
  { head: 'alerts', text: (g) => g.alerts, value: (g) => g.alerts },
  { head: 'stat_false', text: (g) => (acked(g) ? `${share(g.false_alarms)} (${g.outcomes.false_alarm ?? 0}/${acked(g)})` : '–'), value: (g) => 100 * g.false_alarms },
  { head: 'unverified', text: (g) => (g.rounds ? `${share(g.not_verifiable / g.rounds)} (${g.not_verifiable})` : '–'), value: (g) => (g.rounds ? 100 * g.not_verifiable / g.rounds : 0) },
  { head: 'stat_money', text: (g) => money(g.amount), value: (g) => g.amount / 100 },
  { head: 'stat_ack', text: (g) => `${seconds(g.ack_median_s)} / ${seconds(g.ack_p95_s)}`, value: (g) => g.ack_median_s },
];

// chart is one column as bars, each with its text: read by ear as well as by eye.
function chart(title, rows) {
  const most = Math.max(...rows.map((r) => r.value));
  return make('figure', {}, make('figcaption', { textContent: title }), make('dl', {}, ...rows.flatMap((r) => {
    const bar = make('span', { className: 'stat', ariaHidden: 'true' });
    bar.style.width = `${most > 0 ? 100 * r.value / most : 0}%`;
    return [make('dt', { textContent: r.name }), make('dd', {}, bar, make('span', { textContent: r.text }))];
  })));
}

const svg = (tag, attributes, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  e.append(...children);
  return e;
};

// heat is the felt of one table, each place as dark as there were alerts about it; where they
// are is told in words too.
function heat() {
  const at = codes.length ? codes[0].places : {};
  const rest = { ...at };
  const hits = (p) => {
    const key = `${p.seat ?? 0} ${p.spot ?? ''}`.trim();
    delete rest[key];
    return at[key] ?? 0;
  };
  const drawn = places.filter((p) => p.spot || p.seat).map((p) => ({ ...p, n: hits(p) }));
  const most = Math.max(0, ...drawn.map((p) => p.n));
  $('#heat').hidden = !drawn.length;
  if (!drawn.length) return;
  const xs = drawn.flatMap((p) => p.polygon.map((q) => q[0]));
  const ys = drawn.flatMap((p) => p.polygon.map((q) => q[1]));
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const label = (p) => `${p.seat ? `${t('seat')} ${p.seat} ` : ''}${p.spot ?? p.name}: ${p.n}`;
  $('#heat svg').replaceWith(svg('svg', { viewBox: box.join(' '), role: 'img', 'aria-label': drawn.filter((p) => p.n).map(label).join('; ') || t('stat_no_places') },
    ...drawn.map((p) => svg('polygon', { points: p.polygon.map((q) => q.join(',')).join(' '), style: `--share: ${most ? p.n / most : 0}` }, (() => { const x = svg('title', {}); x.textContent = label(p); return x; })())),
    ...drawn.filter((p) => p.n).map((p) => {
      const x = svg('text', { x: p.polygon.reduce((a, q) => a + q[0], 0) / p.polygon.length, y: p.polygon.reduce((a, q) => a + q[1], 0) / p.polygon.length, 'font-size': box[2] / 50 });
      x.textContent = String(p.n);
      return x;
    })));
  $('#heat .empty').textContent = Object.entries(rest).map(([k, n]) => `${k}: ${n}`).join(' · ');
}

function show() {
  heat();
  const any = groups.some((g) => g.rounds || g.alerts);
  $('#empty').hidden = any;
  $('#figures').hidden = !any;
  $('#figures thead tr').replaceChildren(...['stat_group', ...columns.map((c) => c.head)].map((h) => make('th', { textContent: t(h) })));
  $('#figures tbody').replaceChildren(...groups.map((g) => make('tr', {}, ...[name(g), ...columns.map((c) => c.text(g))].map((x) => make('td', { textContent: x })))));
  if (!any) { $('#charts').replaceChildren(); return; }
  const counts = (key, say) => {
    const all = {};
    for (const g of codes) for (const [k, n] of Object.entries(g[key])) all[say(k)] = (all[say(k)] ?? 0) + n;
    return Object.entries(all).sort((a, b) => b[1] - a[1]).slice(0, 12).map(([k, n]) => ({ name: k, value: n, text: String(n) }));
  };
  const charts = columns.filter((c) => c.value).map((c) => chart(t(c.head), groups.map((g) => ({ name: name(g), value: c.value(g), text: String(c.text(g)) }))));
  charts.push(chart(t('stat_codes'), counts('codes', (k) => spoken(me.codes.find((c) => c.code === k)) ?? k)));
  charts.push(chart(t('stat_outcomes'), counts('outcomes', (k) => t(`was_${k}`))));
  charts.push(chart(t('stat_reasons'), counts('reasons', (k) => rounds.doubt(k))));
  $('#charts').replaceChildren(...charts.filter((c) => c.querySelector('dt')));
}

let turn = 0;
async function load() {
  const mine = ++turn;
  const f = new FormData($('#ask'));
  const from = new Date(`${f.get('from')}T00:00`);
  const to = new Date(new Date(`${f.get('to')}T00:00`).getTime() + day);
  try {
    const span = `from=${from.toISOString()}&to=${to.toISOString()}`;
    const table = String(f.get('table') ?? '');
    const one = table && `&table=${encodeURIComponent(table)}`;
    const got = await Promise.all([get(`/api/v1/statistics?by=${f.get('by')}&${span}${one}`), get(`/api/v1/statistics?${span}${one}`), table ? get(`/api/v1/tables/${encodeURIComponent(table)}/layout`) : []]);
    if (mine !== turn) return;
    [groups, codes, places] = got;
    $('#error').hidden = true;
  } catch (err) {
    $('#error').hidden = false;
    $('#error').textContent = err.message;
    return;
  }
  show();
}

function words() {
  const select = $('[name=by]');
  const had = select.value || groupings[0];
  select.replaceChildren(...groupings.map((g) => new Option(g.split(',').map((x) => t(`stat_${x}`)).join(' · '), g)));
  select.value = had;
  const of = $('[name=table]');
  const chosen = of.value;
  of.replaceChildren(new Option(t('stat_all'), ''), ...tables.map((x) => new Option(x.id, x.id)));
  of.value = chosen;
  show();
}

const local = (d) => new Date(d.getTime() - d.getTimezoneOffset() * 60e3).toISOString().slice(0, 10);
$('[name=from]').value = local(new Date(Date.now() - 6 * day));
$('[name=to]').value = local(new Date());
$('#ask').addEventListener('change', load);
$('#ask').addEventListener('submit', (e) => { e.preventDefault(); load(); });
[me, tables] = await Promise.all([get('/api/v1/me'), get('/api/v1/tables')]);
header(me, words);
words();
await load();
arrived();
