// How many false alerts the direction accepts, and what follows from it: from which probability a finding
// is an alert at each table, and what share of the mistakes is found then. Everything that is changed
// stands in the audit trail.
import { get, put } from './api.js';
import { figure, t } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
const form = $('#all');
let now, rates;

function say(text, bad) {
  $('#said').textContent = text;
  $('#said').className = bad ? 'bad' : '';
}

const percent = (p) => `${figure(100 * p, p < 0.01 ? 1 : 0)}\u00a0%`;

function cells(tag, texts) {
  const tr = document.createElement('tr');
  for (const text of texts) tr.append(Object.assign(document.createElement(tag), { textContent: text }));
  return tr;
}

function section(of) {
  const box = document.createElement('section'), table = document.createElement('table'), head = document.createElement('thead'), body = document.createElement('tbody');
  box.append(Object.assign(document.createElement('h3'), { textContent: of.table }),
    Object.assign(document.createElement('p'), { textContent: t('rates_point').replace('{p}', percent(of.threshold)).replace('{found}', percent(of.found)) }));
  head.append(cells('th', ['mistakes', 'rate_stated', 'rate_learned', 'rate_confirmed', 'rate_false', 'rate_found'].map(t)));
  for (const c of of.classes) body.append(cells('td', [t(`class_${c.class}`), figure(c.stated, 1), `${figure(c.rate, 1)} (${figure(c.low, 1)}\u2013${figure(c.high, 1)})`, c.confirmed, c.false, percent(of.found_by[c.class] ?? 0)]));
  table.append(head, body);
  box.append(table);
  return box;
}

function show() {
  form.budget.value = now.budget;
  form.escalate.value = now.escalate;
  $('#rates').replaceChildren(...rates.map(section));
}

form.onsubmit = async (e) => {
  e.preventDefault();
  try {
    now = await put('/api/v1/thresholds', { budget: Number(form.budget.value), escalate: Number(form.escalate.value) });
    rates = await get('/api/v1/rates');
    show();
    say(t('done'));
  } catch (err) {
    say(err.message, true);
  }
};

const me = await get('/api/v1/me');
[now, rates] = await Promise.all([get('/api/v1/thresholds'), get('/api/v1/rates')]);
header(me, show);
show();
arrived();
