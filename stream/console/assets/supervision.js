// Who supervises which tables. Whoever may assign chooses a jefe for each table;
// a jefe takes and gives up tables. The norm decides on the server; what it
// forbids is said here with its article.
import { get, put } from './api.js';
import { hear } from './line.js';
import { sentence as wrong, t, spoken } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';
import { icon } from './icons.js';
import { ago } from './alerts.js';
import * as rounds from './rounds.js';

const $ = (s) => document.querySelector(s);
let me, room, tables = [], open = []; // alerts that nobody has taken

function sentence(x) { return `${spoken(x)} (${x.rule})`; }

function say(err) {
  const p = $('#said');
  p.hidden = !err;
  p.textContent = !err ? '' : err.findings?.length ? `${t('forbidden')}: ${err.findings.map(sentence).join(' · ')}` : err.message;
}

const tablesOf = (jefe) => room.assignments.find((a) => a.jefe === jefe)?.tables ?? [];

async function change(f) {
  try {
    await f();
    say(null);
  } catch (err) { say(err); }
  await refresh();
}

// give puts a table under a jefe; '' takes it from whoever has it.
function give(table, jefe) {
  return change(async () => {
    if (jefe) await put(`/api/v1/supervision/jefes/${encodeURIComponent(jefe)}`, { tables: [...tablesOf(jefe), table.id] });
    else if (table.jefe) await put(`/api/v1/supervision/jefes/${encodeURIComponent(table.jefe)}`, { tables: tablesOf(table.jefe).filter((x) => x !== table.id) });
  });
}

// reliefs are those whose tables one may take over, each with what is still open there.
function reliefs() {
  const others = me.supervise && !me.assign ? room.assignments.filter((a) => a.jefe !== me.user && a.tables.every((id) => tables.some((x) => x.id === id))) : [];
  $('#relief').hidden = !others.length && $('#taken').hidden;
  $('#relief ul').replaceChildren(...others.map((a) => {
    const here = open.filter((x) => a.tables.includes(x.table));
    const b = make('button', { type: 'button', textContent: `${t('relieve')} ${a.jefe}: ${a.tables.join(' ')}` });
    b.addEventListener('click', () => change(async () => {
      await put(`/api/v1/supervision/jefes/${encodeURIComponent(me.user)}`, { tables: [...tablesOf(me.user), ...a.tables], relief: true });
      $('#taken').hidden = false;
      $('#taken').replaceChildren(`${t('relieved')} ${a.jefe}: ${a.tables.join(' ')} · `, make('a', { href: '/', textContent: `${here.length} ${t('left_open')}` }));
    }));
    const list = make('ul', {}, ...here.map((x) => make('li', {}, icon(x.severity, t(x.severity)), ` ${x.table} · ${ago(x.at)} · ${wrong(x)}`)));
    return make('li', { className: here.length ? 'warning' : '' }, b, ` ${here.length} ${t('left_open')}`, list);
  }));
}

function setDuty(table, duty) {
  return change(() => put(`/api/v1/supervision/tables/${encodeURIComponent(table.id)}`, { open: table.open, staff: table.staff, waived: table.waived, ...duty }));
}

function jefeCell(table) {
  if (me.assign) {
    const select = make('select', { ariaLabel: `Jefe de mesa · ${table.id}` }, make('option', { value: '', textContent: '–' }),
      ...room.jefes.map((j) => make('option', { value: j, textContent: j })));
    select.value = table.jefe ?? '';
    select.addEventListener('change', () => give(table, select.value));
    return select;
  }
  const mine = table.jefe === me.user;
  const cell = make('span', { textContent: `${table.jefe ?? '–'} ` });
  if (me.supervise && (mine || !table.jefe)) {
    const b = make('button', { type: 'button', textContent: t(mine ? 'release' : 'take') });
    b.addEventListener('click', () => give(table, mine ? '' : me.user));
    cell.append(b);
  }
  return cell;
}

// mayTell: of tables that one sees, whoever has them.
const mayTell = (table) => me.supervise && tables.some((x) => x.id === table.id);

function openCell(table) {
  const box = make('input', { type: 'checkbox', checked: table.open, disabled: !mayTell(table), ariaLabel: `${t('open')} · ${table.id}` });
  box.addEventListener('change', () => setDuty(table, { open: box.checked }));
  return box;
}

// Staff is written "croupier 2, stickman 1"; empty says nothing about it.
function staffCell(table) {
  const text = Object.entries(table.staff ?? {}).map(([role, n]) => `${role} ${n}`).join(', ');
  if (!mayTell(table)) return document.createTextNode(text || t('unsaid'));
  const field = make('input', { value: text, placeholder: t('unsaid'), ariaLabel: `${t('staff')} · ${table.id}`, title: `${t('staff_hint')}: ${room.roles.join(', ')}` });
  field.addEventListener('change', () => {
    const staff = {};
    for (const part of field.value.split(',').map((s) => s.trim()).filter(Boolean)) {
      const [, role, n] = part.match(/^(\p{L}+)\s*(\d*)$/u) ?? [];
      if (!role) { say(new Error(`«${part}»: croupier 2, stickman 1`)); return; }
      staff[role.toLowerCase()] = Number(n || 1);
    }
    setDuty(table, { staff: Object.keys(staff).length ? staff : null });
  });
  return field;
}

function show() {
  $('#findings').replaceChildren(...room.findings.map((x) => {
    const li = make('li', { className: x.severity === 'critical' ? 'critical' : 'warning' }, make('strong', { textContent: spoken(x) }), make('p', { textContent: x.rule }));
    li.dataset.code = x.code;
    return li;
  }));
  if (!room.findings.length) $('#findings').append(make('li', { textContent: t('allowed') }));
  reliefs();
  const focused = document.activeElement?.ariaLabel;
  $('#tables tbody').replaceChildren(...room.tables.map((x) => {
    const called = { game: x.game, name: x.id, ...room.names[x.id] };
    const game = [rounds.game(called), x.variant?.replaceAll('_', ' '), x.norm].filter(Boolean).join(' · ');
    const rec = make('span', { className: `rec ${x.recording}` }, icon(`rec_${x.recording}`), ` ${t(`rec_${x.recording}`)}`);
    const tr = make('tr', {}, ...[called.name === x.id ? x.id : `${called.name} (${x.id})`, game, rec, openCell(x), jefeCell(x), staffCell(x)].map((c) => make('td', {}, c)));
    tr.dataset.table = x.id;
    return tr;
  }));
  if (focused) document.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

async function refresh() { [room, open] = await Promise.all([get('/api/v1/supervision'), get('/api/v1/alerts?open=true')]); show(); }

me = await get('/api/v1/me');
tables = await get('/api/v1/tables');
header(me, show);
await refresh();
hear((m) => {
  if (m.type === 'alert') { open = [...open.filter((x) => x.id !== m.body.id), ...(m.body.ack ? [] : [m.body])]; reliefs(); }
  if (m.type === 'supervision') { room = { ...room, ...m.body }; if (!document.activeElement?.matches('input:not([type=checkbox])')) show(); }
});
arrived();
