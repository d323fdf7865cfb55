// The session of a table: what people say happens between its rounds. The norm judges it on
// the server; what it forbids is refused there with its article and said here.
import { get, post } from './api.js';
import { locale, t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { floatRead, told, word } from './steps.js';

const $ = (s) => document.querySelector(s);
let me, tables = [], status = null, asked = null;

// What may be said, and with which fields: [name, kind, needed]. Money is asked for in
// euros and sent in cents.
const steps = {
  open: [['float', 'money'], ['min', 'money'], ['max', 'money'], ['packs', 'count'], ['dice', 'count']],
  limits_change_announced: [['last', 'count', true], ['min', 'money']],
  limits_changed: [['min', 'money', true], ['max', 'money']],
  first_round_announced: [],
  fill: [['amount', 'money', true]],
  credit: [['amount', 'money', true]],
  count: [['amount', 'money', true]],
  change: [['told', 'money', true], ['chips', 'money']],
  shuffle: [],
  cut: [['cards', 'count']],
  cut_card: [['below', 'count', true]],
  talla_begin: [],
  talla_end: [['left', 'count']],
  deck_changed: [['reason', ['wear', 'foreign', 'routine', 'other'], true], ['packs', 'count']],
  dice_changed: [['reason', ['jefe', 'shooter', 'lost', 'wear'], true], ['dice_set', 'text'], ['dice', 'count']],
  shoe_changed: [['reason', ['jam', 'routine', 'other'], true], ['shoe', 'text']],
  control_requested: [],
  last_rounds_announced: [['last', 'count', true], ['by', ['croupier', 'jefe']]],
  close: [['float', 'money'], ['reason', ['end_of_day', 'game_change', 'no_players', 'other'], true], ['cover', ['', 'locked', 'sealed', 'none']], ['shoe_left', ['', 'removed', 'locked', 'unlocked']]],
};
// What a step or a field is of: a table without it is not asked for it.
const needs = {
  packs: 'cards', deck_changed: 'cards', shuffle: 'cards', cut: 'cards',
  cut_card: 'shoe', talla_begin: 'shoe', talla_end: 'shoe', shoe_changed: 'shoe', control_requested: 'shoe', shoe_left: 'shoe',
  dice: 'dice', dice_changed: 'dice', dice_set: 'dice', cover: 'wheel',
};
// has reports whether the table of the page has what a step or a field is of; of a game whose
// equipment nobody knows everything may be said.
const has = (name) => {
  const of = tables.find((x) => x.id === $('#table').value)?.equipment ?? [];
  return !needs[name] || !of.length || of.includes(needs[name]);
};
const asks = (kind) => steps[kind].filter(([name]) => has(name));
const twoPersons = ['fill', 'credit', 'count'];
function say(text) {
  $('#said').hidden = !text;
  $('#said').textContent = text;
  if (text) $('#said').scrollIntoView({ block: 'nearest' }); // the form may be longer than the screen
}

function input([name, kind, needed]) {
  const id = `f_${name}`;
  let field;
  if (Array.isArray(kind)) field = make('select', { id, name }, ...kind.map((k) => new Option(k ? word(k) : '–', k)));
  else {
    field = make('input', { id, name, required: Boolean(needed), type: kind === 'text' ? 'text' : 'number' });
    if (kind !== 'text') Object.assign(field, { min: '0', step: kind === 'money' ? '0.01' : '1', inputMode: 'decimal' });
  }
  return make('label', { htmlFor: id }, make('span', { textContent: `${word(name)}${kind === 'money' ? ' (€)' : ''}` }), field);
}

function ask(kind) {
  asked = kind;
  say('');
  const rows = asks(kind).map(input);
  const confirm = twoPersons.includes(kind) || steps[kind].some(([n]) => n === 'float');
  if (confirm) {
    rows.push(make('fieldset', {}, make('legend', { textContent: t('second_person') }),
      make('label', {}, make('span', { textContent: t('user') }), make('input', { name: 'second_user', autocomplete: 'off', required: twoPersons.includes(kind) })),
      make('label', {}, make('span', { textContent: t('password') }), make('input', { name: 'second_password', type: 'password', autocomplete: 'off', required: twoPersons.includes(kind) }))));
  }
  const cancel = make('button', { type: 'button', textContent: t('cancel') });
  cancel.addEventListener('click', () => { asked = null; $('#form').hidden = true; });
  $('#form').replaceChildren(make('h2', { textContent: word(kind) }), ...rows, make('button', { textContent: t('session_say') }), ' ', cancel);
  $('#form').hidden = false;
  $('#form').querySelector('input, select, button')?.focus();
}

const read = { money: (v) => Math.round(Number(v) * 100), count: (v) => Math.round(Number(v)), text: String };

$('#form').addEventListener('submit', async (e) => {
  e.preventDefault();
  say('');
  const f = new FormData($('#form'));
  const event = { type: asked };
  for (const [name, kind] of asks(asked)) {
    const v = String(f.get(name) ?? '');
    if (v === '') continue;
    const value = Array.isArray(kind) ? v : read[kind](v);
    if (asked === 'open' && (name === 'min' || name === 'max')) event.limits = { ...event.limits, [name]: value };
    else event[name] = value;
  }
  const user = String(f.get('second_user') ?? '');
  const body = { event };
  if (user) body.second = { user, password: String(f.get('second_password') ?? '') };
  try {
    status = await post(`/api/v1/tables/${encodeURIComponent($('#table').value)}/session`, body);
    $('#form').hidden = true;
    say('');
  } catch (err) {
    say(err.findings?.length ? `${t('forbidden')}: ${err.findings.map((x) => `${spoken(x)} (${x.rule})`).join(' · ')}` : err.message);
    return;
  }
  show();
});

const at = (sec) => `${String(Math.floor(sec / 3600) % 24).padStart(2, '0')}:${String(Math.floor(sec / 60) % 60).padStart(2, '0')}:${String(sec % 60).padStart(2, '0')}`;

function show() {
  if (!status) return;
  $('#state').textContent = status.date ? `${t(status.open ? 'acta_open' : 'acta_closed')} · ${new Date(`${status.date}T12:00`).toLocaleDateString(locale())}` : t('session_none');
  if (status.float) $('#state').textContent += ` · ${floatRead(status.float)}`;
  $('#steps').replaceChildren(...(me.supervise ? Object.keys(steps).filter((k) => (status.open ? k !== 'open' : k === 'open') && has(k)) : []).map((k) => {
    const b = make('button', { type: 'button', textContent: word(k) });
    b.dataset.step = k;
    b.addEventListener('click', () => ask(k));
    return b;
  }));
  $('#findings').replaceChildren(...(status.findings.length ? status.findings.map((x) => make('li', { className: x.severity === 'critical' ? 'critical' : 'warning', textContent: `${spoken(x)} (${x.rule})` })) : [make('li', { textContent: t('session_fine') })]));
  talla();
  $('#log').hidden = !status.steps.length;
  $('#unsaid').hidden = status.steps.length > 0;
  $('#log tbody').replaceChildren(...status.steps.toReversed().slice(0, 200).map((s) => make('tr', {}, ...[at(s.event.t), told(s), s.by ?? ''].map((x) => make('td', { textContent: x })))));
}

// What was read of the cards since the talla began: how often each, and in which rounds a
// card was that the packs do not hold so often.
function talla() {
  const a = status.talla;
  $('#talla').hidden = !a;
  if (!a) return;
  const over = new Set(status.findings.filter((f) => f.code === 'duplicate_card' || f.code === 'foreign_card').map((f) => f.key.split('/')[3]));
  const n = (c) => a.rounds[c]?.length ?? 0;
  const ranks = [...'A23456789TJQK'];
  const known = new Set();
  const rows = [...'shdc'].map((suit) => make('tr', {}, make('th', { textContent: { s: '♠', h: '♥', d: '♦', c: '♣' }[suit] }), ...ranks.map((rank) => {
    known.add(rank + suit);
    return make('td', { textContent: n(rank + suit), className: over.has(rank + suit) ? 'broken' : '' });
  })));
  const strange = Object.keys(a.rounds).filter((c) => !known.has(c));
  $('#talla').replaceChildren(
    make('h2', { textContent: t('talla_control') }),
    make('p', { textContent: `${Object.values(a.rounds).flat().length} ${t('talla_read')} · ${a.unread} ${t('talla_unread')} · ${a.blind} ${t('talla_blind')}` }),
    make('table', {}, make('thead', {}, make('tr', {}, make('th'), ...ranks.map((r) => make('th', { textContent: r })))), make('tbody', {}, ...rows)),
    ...[...over, ...strange.filter((c) => !over.has(c))].map((c) => make('p', { textContent: `${c}: ${(a.rounds[c] ?? []).join(', ')}` })),
    make('p', { className: 'empty', textContent: t('talla_as_read') }),
  );
}

async function load() {
  $('#form').hidden = true;
  try {
    status = await get(`/api/v1/tables/${encodeURIComponent($('#table').value)}/session`);
    say('');
  } catch (err) { status = null; say(err.message); }
  show();
}

[me, tables] = await Promise.all([get('/api/v1/me'), get('/api/v1/tables')]);
header(me, () => { show(); if (asked && !$('#form').hidden) ask(asked); });
$('#table').replaceChildren(...tables.map((x) => new Option(x.name === x.id ? x.id : `${x.name} (${x.id})`, x.id)));
const wanted = decodeURIComponent(location.hash.slice(1));
if (tables.some((x) => x.id === wanted)) $('#table').value = wanted;
$('#table').addEventListener('change', () => {
  history.replaceState(null, '', `#${encodeURIComponent($('#table').value)}`); // a reload shows it again
  load();
});
await load();
arrived();
