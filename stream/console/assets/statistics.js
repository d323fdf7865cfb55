// Figures over days: how much was played, what was found, how often it was a false alarm,
// what could not be verified and why, what it was about in money, how soon it was taken.
import { get } from './api.js';
import { locale, money, t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { bars, lines } from './charts.js';
import { heat } from './heat.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
const day = 24 * 3600e3;
const groupings = ['table', 'game', 'day', 'table,day', 'game,day', 'week', 'table,week', 'hour'];
const mostBars = 12; // of what was found
let me, groups = [], tables = [], places = [];
let all = null; // all groups as one

const number = (x, digits = 1) => x.toLocaleString(locale(), { maximumFractionDigits: digits });
const share = (x) => `${number(100 * x)} %`;
const length = (s) => (s < 100 ? `${number(s, 0)} s` : s < 6000 ? `${number(s / 60)} min` : `${number(s / 3600)} h`);
const acked = (g) => Object.values(g.outcomes).reduce((a, b) => a + b, 0);
const of = (n, whole) => (whole ? n / whole : null);

// What a group is called: what it is of, and when.
const date = (d) => new Date(`${d}T12:00`);
const named = (game) => { const x = tables.find((y) => y.game === game); return x ? rounds.game(x) : game.replaceAll('_', ' '); };
const what = (g) => [g.table && (tables.find((x) => x.id === g.table)?.name ?? g.table), g.game && named(g.game)].filter(Boolean).join(' · ');
const running = (g) => g.week && monday(new Date()).getTime() === new Date(`${g.week}T00:00`).getTime();
const when = (g) => [g.day && date(g.day).toLocaleDateString(locale()), g.week && `${t('stat_week')} ${date(g.week).toLocaleDateString(locale())}`,
  running(g) && t('stat_so_far'), g.hour && `${Number(g.hour)}–${Number(g.hour) + 1}\u00a0h`].filter(Boolean).join(' · ');
const name = (g) => [what(g), when(g)].filter(Boolean).join(' · ') || t('stat_total');

// Columns of the table; those with a value are charted, tick writes it at a chart's side.
const columns = [
  { head: 'acta_rounds', text: (g) => number(g.rounds) },
  { head: 'stat_perhour', text: (g) => (g.hours ? number(g.per_hour) : '–'), value: (g) => (g.hours ? g.per_hour : null), tick: number },
  { head: 'stat_alerts', text: (g) => `${g.rounds ? number(100 * g.alerts / g.rounds) : '–'} (${g.alerts})`, value: (g) => of(100 * g.alerts, g.rounds), tick: number },
  { head: 'stat_false', text: (g) => (acked(g) ? `${share(g.false_alarms)} (${g.outcomes.false_alarm ?? 0}/${acked(g)})` : '–'), value: (g) => (acked(g) ? g.false_alarms : null), tick: share },
  { head: 'stat_unverified', text: (g) => (g.rounds ? `${share(g.not_verifiable / g.rounds)} (${g.not_verifiable})` : '–'), value: (g) => of(g.not_verifiable, g.rounds), tick: share },
  { head: 'stat_money', text: (g) => money(g.amount), value: (g) => g.amount / 100, tick: (v) => v.toLocaleString(locale(), { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 }) },
  { head: 'stat_ack', text: (g) => (acked(g) ? `${length(g.ack_median_s)} / ${length(g.ack_p95_s)}` : '–'), value: (g) => (acked(g) ? g.ack_median_s : null), tick: length },
];

// chart is a column: over days and weeks as lines, else as bars.
function chart(c) {
  const some = groups[0];
  if (!some.day && !some.week) return bars(t(c.head), groups.map((g) => ({ name: name(g), value: c.value(g), text: String(c.text(g)) })));
  return lines(t(c.head), groups.map((g) => ({ series: what(g), at: date(g.day || g.week).getTime(), value: c.value(g), text: String(c.text(g)) })), some.week ? 7 : 1, c.tick);
}

// counts are what all groups have of something, the most first; the sum of what is left
// stands last.
function counts(title, found, say, left = 0, leftWord = '') {
  const sums = {};
  for (const [k, n] of Object.entries(found)) sums[say(k)] = (sums[say(k)] ?? 0) + n;
  const rows = Object.entries(sums).sort((a, b) => b[1] - a[1]);
  const rest = rows.splice(mostBars).reduce((a, [, n]) => a + n, 0);
  if (rest) rows.push([t('stat_others'), rest]);
  if (left) rows.push([leftWord, left]);
  return bars(title, rows.map(([k, n]) => ({ name: k, value: n, text: number(n) })));
}

const cells = (g, first) => make('tr', {}, ...[first, ...columns.map((c) => c.text(g))].map((x) => make('td', { textContent: x })));

function show() {
  const any = Boolean(all && (all.rounds || all.alerts));
  $('#empty').hidden = any;
  $('#figures').hidden = $('#heat').hidden = !any;
  if (!any) { $('#charts').replaceChildren(); return; }
  heat($('#heat'), $('[name=table]').value, places, all.places);
  $('#figures thead tr').replaceChildren(...['stat_group', ...columns.map((c) => c.head)].map((h) => make('th', { textContent: t(h) })));
  $('#figures tbody').replaceChildren(...groups.map((g) => cells(g, name(g))), ...(groups.length > 1 ? [Object.assign(cells(all, t('stat_total')), { className: 'total' })] : []));
  const charts = columns.filter((c) => c.value).map(chart);
  charts.push(counts(t('stat_codes'), all.codes, (k) => spoken(me.codes.find((c) => c.code === k)) ?? k));
  charts.push(counts(t('stat_outcomes'), all.outcomes, (k) => t(`was_${k}`), all.alerts - acked(all), t('stat_waiting')));
  charts.push(counts(t('stat_reasons'), Object.fromEntries(rounds.reasons(all.reasons)), (k) => k));
  $('#charts').replaceChildren(...charts.filter((c) => c.querySelector('dt, circle')));
}

// The days that are asked for; weeks are whole.
const monday = (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate() - (d.getDay() + 6) % 7);
function asked(f) {
  const [from, to] = ['from', 'to'].map((x) => new Date(`${f.get(x)}T00:00`));
  const weeks = String(f.get('by')).includes('week');
  const last = weeks ? monday(to) : to;
  return [weeks ? monday(from) : from, new Date(last.getFullYear(), last.getMonth(), last.getDate() + (weeks ? 7 : 1))];
}

let turn = 0;
async function load() {
  const mine = ++turn;
  const f = new FormData($('#ask'));
  try {
    const [from, to] = asked(f);
    const span = `from=${from.toISOString()}&to=${to.toISOString()}`;
    const table = String(f.get('table') ?? '');
    const one = table && `&table=${encodeURIComponent(table)}`;
    const got = await Promise.all([get(`/api/v1/statistics?by=${f.get('by')}&${span}${one}`), get(`/api/v1/statistics?${span}${one}`), table ? get(`/api/v1/tables/${encodeURIComponent(table)}/layout`) : []]);
    if (mine !== turn) return;
    [groups, [all], places] = got;
    if (f.get('by') === 'hour') groups.sort((a, b) => (Number(a.hour) + 12) % 24 - (Number(b.hour) + 12) % 24); // a night is one
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
  const choice = $('[name=table]');
  const chosen = choice.value;
  choice.replaceChildren(new Option(t('stat_all'), ''), ...tables.map((x) => new Option(x.name, x.id)));
  choice.value = chosen;
  show();
}

// What was asked for stands in the address: a reload or a bookmark asks for it again.
const fields = ['from', 'to', 'table', 'by'];
function remember() {
  history.replaceState(null, '', `#${new URLSearchParams(fields.map((f) => [f, $(`#ask [name=${f}]`).value]))}`);
}

const local = (d) => new Date(d.getTime() - d.getTimezoneOffset() * 60e3).toISOString().slice(0, 10);
$('[name=from]').value = local(new Date(Date.now() - 6 * day));
$('[name=to]').value = local(new Date());
$('#ask').addEventListener('change', () => { remember(); load(); });
$('#ask').addEventListener('submit', (e) => { e.preventDefault(); load(); });
[me, tables] = await Promise.all([get('/api/v1/me'), get('/api/v1/tables')]);
header(me, words);
words();
for (const [k, v] of new URLSearchParams(location.hash.slice(1))) {
  if (fields.includes(k) && v) $(`#ask [name=${k}]`).value = v;
}
if (!$('[name=by]').value) [$('[name=by]').value] = groupings;
await load();
arrived();
