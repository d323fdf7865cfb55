// How sure a finding must be to become an alert, for the direction. Everything that is
// changed stands in the audit trail.
import { get, put } from './api.js';
import { language, t, spoken } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
const form = $('#all');
let me, now;

const percent = (p) => Math.round(100 * p);

function say(text, bad) {
  $('#said').textContent = text;
  $('#said').className = bad ? 'bad' : '';
}

function row(kind) {
  const tr = document.createElement('tr');
  const own = Object.assign(document.createElement('input'), { type: 'number', min: 50, max: 99, step: 1, placeholder: percent(now.default), value: now.codes?.[kind.code] ? percent(now.codes[kind.code]) : '' });
  own.dataset.code = kind.code;
  own.setAttribute('aria-label', `${t('threshold_own')}: ${spoken(kind)}`);
  for (const content of [spoken(kind), t(kind.severity).toLowerCase(), own]) {
    const td = document.createElement('td');
    td.append(content);
    tr.append(td);
  }
  return tr;
}

function show() {
  form.default.value = percent(now.default);
  form.escalate.value = now.escalate;
  const kinds = me.codes.filter((c) => c.source === 'finding').sort((a, b) => spoken(a).localeCompare(spoken(b), language()));
  $('#codes tbody').replaceChildren(...kinds.map(row));
}

form.onsubmit = async (e) => {
  e.preventDefault();
  const codes = {};
  for (const own of form.querySelectorAll('[data-code]')) if (own.value) codes[own.dataset.code] = Number(own.value) / 100;
  try {
    now = await put('/api/v1/thresholds', { default: Number(form.default.value) / 100, codes, escalate: Number(form.escalate.value) });
    show();
    say(t('done'));
  } catch (err) {
    say(err.message, true);
  }
};

me = await get('/api/v1/me');
now = await get('/api/v1/thresholds');
header(me, show);
show();
arrived();
