// Actas de sesión: what held at a table or under a jefe over a shift. They are made on
// the server, from the ledger alone; here they are asked for, listed, and laid out for paper.
import { get, post } from './api.js';
import { locale, money, t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { asks, instant, put } from './times.js';
import { header } from './header.js';
import { said } from './details.js';
import * as rounds from './rounds.js';
import { told } from './steps.js';

const $ = (s) => document.querySelector(s);
const hour = 3600e3;
let me, room, list = [], shown = null;

const when = (x) => (x ? new Date(x).toLocaleString(locale(), { dateStyle: 'short', timeStyle: 'medium' }) : '');
const clock = (x) => new Date(x).toLocaleTimeString(locale());
const span = (s) => `${clock(s.from)} – ${clock(s.to)}`;
const lasting = (sec) => `${Math.floor(sec / 3600)} h ${Math.floor((sec % 3600) / 60)} min`;
const kind = (code) => spoken(me.codes.find((c) => c.code === code)) ?? code;

function grid(heads, rows) {
  if (!rows.length) return make('p', { className: 'empty', textContent: t('acta_none') });
  return make('table', {}, make('thead', {}, make('tr', {}, ...heads.map((h) => make('th', { textContent: t(h) })))),
    make('tbody', {}, ...rows.map((r) => make('tr', { className: r.className ?? '' }, ...r.cells.map((c) => make('td', { textContent: c }))))));
}
const row = (cells, className = '') => ({ cells, className });

function breaches(found) { return found.map((b) => `${kind(b.code)}${b.actual !== undefined ? ` (${b.actual}${b.limit !== undefined ? ` / ${b.limit}` : ''})` : ''} · ${b.rule}`).join('; '); }

// called is a table's name with its code, which the ledger has.
const called = (id) => { const name = room.names[id]?.name ?? id; return name === id ? id : `${name} (${id})`; };

function oneTable(x) {
  const m = x.money;
  const n = x.rounds;
  return [
    make('h3', { textContent: [called(x.id), rounds.game({ game: x.game, ...room.names[x.id] }), x.norm].filter(Boolean).join(' · ') }),
    make('h4', { textContent: t('supervision') }),
    grid(['when', 'state', 'acta_jefe', 'tables'], x.supervision.map((s) => row([span(s), s.known ? t(s.open ? 'acta_open' : 'acta_closed') : t('acta_unknown'), s.jefe ?? '–', s.tables ?? '–']))),
    make('h4', { textContent: t('acta_condition') }),
    grid(['when', 'state', 'recording', 'verdict'], x.condition.map((c) => row([span(c), t(`acta_${c.state}`), t(c.recorded ? 'yes' : 'no'), breaches(c.breaches)], c.state))),
    make('h4', { textContent: t('storage') }),
    grid(['camera', 'acta_segments', 'acta_gaps', 'acta_pending', 'acta_removed'], x.cameras.map((c) => row([c.camera, c.segments, c.gaps.map(span).join('; ') || '–', c.pending.map(span).join('; ') || '–', c.removed.map(span).join('; ') || '–']))),
    ...(x.unread?.length ? [make('h4', { textContent: t('acta_unread') }), grid(['when', 'camera', 'detail'], x.unread.map((u) => row([span(u), u.camera, said(u.detail)], 'broken')))] : []),
    make('h4', { textContent: t('acta_limits') }),
    grid(['from', 'acta_min', 'acta_max'], x.limits.map((l) => row([clock(l.from), l.min ? money(l.min) : '–', l.max ? money(l.max) : '–']))),
    make('h4', { textContent: t('acta_session') }),
    grid(['when', 'detail', 'acta_by', 'verdict'], x.session.map((s) => row([clock(s.at), told(s), s.by, [s.refused ? t('acta_refused') : '', ...(s.codes ?? []).map(kind)].filter(Boolean).join(', ')], s.refused ? 'broken' : ''))),
    make('h4', { textContent: t('acta_rounds') }),
    make('p', { textContent: `${n.judged} · ${t('acta_in_order')} ${n.in_order} · ${t('acta_with_findings')} ${n.with_findings} · ${t('acta_unverified')} ${n.not_verifiable}` }),
    ...rounds.reasons(n.reasons).map(([why, k]) => make('p', { className: 'reason', textContent: `${k} × ${why}` })),
    make('p', { textContent: `${t('acta_collected')} ${money(m.collected)} · ${t('acta_paid')} ${money(m.paid)} · ${t('acta_commission')} ${money(m.commission)} · ${t('acta_for')} ${money(m.for_house)} · ${t('acta_against')} ${money(m.against_house)}` }),
    make('h4', { textContent: t('alerts') }),
    grid(['when', 'code', 'amount_at', 'acta_outcome', 'acta_by'], x.findings.map((f) => row([clock(f.at), spoken(f) || kind(f.code), f.amount ? money(f.amount) : '', f.outcome ? t(`was_${f.outcome}`) : t('acta_waiting'), [f.by, f.note].filter(Boolean).join(': ')]))),
    make('h4', { textContent: t('acta_seals') }),
    grid(['when', 'acta_by', 'detail'], x.seals.map((s) => row([span(s), s.by, `${s.why}${s.released ? ` · ${t('acta_released')}` : ''}`]))),
  ];
}

// from asks the machine that has an acta, in a house of several.
function from(id) {
  const node = list.find((x) => x.id === id)?.node;
  return node ? `node=${encodeURIComponent(node)}` : '';
}

function show() {
  const a = shown;
  $('#acta').hidden = !a;
  if (!a) return;
  const s = a.totals;
  const files = make('p', { className: 'files' });
  const at = from(a.id);
  const href = `/api/v1/actas/${encodeURIComponent(a.id)}`;
  files.append(make('a', { href: `${href}?format=line${at && `&${at}`}`, textContent: t('acta_signed') }));
  for (const part of ['findings', 'condition', 'supervision', 'recordings', 'rounds']) files.append(' ', make('a', { href: `${href}?format=csv&part=${part}${at && `&${at}`}`, textContent: `CSV ${t(`acta_part_${part}`)}` }));
  const paper = make('button', { type: 'button', id: 'paper', textContent: t('acta_print') });
  paper.addEventListener('click', () => print());
  $('#acta').replaceChildren(
    make('h2', { textContent: `${t('acta_title')} · ${a.table ? `${t('table')} ${called(a.table)}` : `${t('role_jefe')} ${a.jefe}`}` }),
    make('p', { textContent: `${when(a.from)} – ${when(a.to)}` }),
    make('p', { className: 'row noprint' }, paper, files),
    make('p', { id: 'totals', textContent: `${t('acta_open_time')} ${lasting(s.open_s)} · ${t('acta_held')} ${lasting(s.held_s)} · ${t('acta_broken')} ${lasting(s.broken_s)} · ${t('acta_unproven')} ${lasting(s.unproven_s)} · ${t('acta_rounds')} ${s.rounds.judged} · ${t('alerts')} ${s.findings} (${s.unacknowledged} ${t('acta_waiting')})` }),
    ...a.tables.flatMap(oneTable),
    make('p', { className: 'source', textContent: `${a.id} · ${t('acta_made')} ${when(a.made)}, ${a.by} · ${t('acta_source')} ${a.source.first}–${a.source.last} · SHA-256 ${a.source.hash}` }),
  );
}

function draw() {
  const about = $('[name=about]');
  const had = about.value;
  about.replaceChildren(...room.tables.map((x) => new Option(`${t('table')} ${called(x.id)}`, `table ${x.id}`)), ...room.jefes.map((j) => new Option(`${t('role_jefe')} ${j}`, `jefe ${j}`)));
  if (had) about.value = had;
  $('#empty').hidden = list.length > 0;
  $('#list').hidden = !list.length;
  $('#by').hidden = me.export;
  $('#list tbody').replaceChildren(...list.map((x) => {
    const link = make('a', { href: `#${encodeURIComponent(x.id)}`, textContent: x.table ? `${t('table')} ${called(x.table)}` : `${t('role_jefe')} ${x.jefe}` });
    return make('tr', {}, make('td', {}, link), ...[when(x.from), when(x.to), x.totals.rounds.judged, x.totals.findings, `${when(x.made)}, ${x.by}`].map((c) => make('td', { textContent: c })));
  }));
  show();
}

function fail(err) {
  $('#error').hidden = !err;
  $('#error').textContent = err?.message ?? '';
}

async function open() {
  const id = decodeURIComponent(location.hash.slice(1));
  try {
    shown = id ? await get(`/api/v1/actas/${encodeURIComponent(id)}?${from(id)}`) : null;
    fail(null);
  } catch (err) { shown = null; fail(err); }
  show();
}

$('#ask').addEventListener('submit', async (e) => {
  e.preventDefault();
  const f = new FormData($('#ask'));
  const [what, ...name] = String(f.get('about')).split(' ');
  try {
    const a = await post('/api/v1/actas', { [what]: name.join(' '), from: instant($('[name=from]')), to: instant($('[name=to]')) });
    list = await get('/api/v1/actas');
    draw();
    location.hash = encodeURIComponent(a.id);
    fail(null);
  } catch (err) { fail(err); }
});
addEventListener('hashchange', open);

[me, room, list] = await Promise.all([get('/api/v1/me'), get('/api/v1/supervision'), get('/api/v1/actas')]);
header(me, draw);
$('#ask').hidden = !me.export;
const now = Math.floor(Date.now() / 1e3) * 1e3;
put($('[name=from]'), now - 8 * hour);
put($('[name=to]'), now);
asks($('#ask'));
draw();
await open();
arrived();
