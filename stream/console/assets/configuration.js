// The configuration in force, for administrators: what its file says and what are
// defaults, without its secrets. It is changed in the file.
import { get, post } from './api.js';
import { t } from './words.js';
import { arrived } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
let now;

function item(className, text) { return Object.assign(document.createElement('li'), { className, textContent: text }); }

function show() {
  $('#file').textContent = now.file || t('no_file');
  $('#state').replaceChildren(
    ...now.problems.map((p) => { const li = item('critical', `${t('file_bad')}: `); li.append(Object.assign(document.createElement('span'), { lang: 'en', textContent: p })); return li; }),
    ...(now.problems.length ? [] : [item(now.changed ? 'warning' : '', t(now.changed ? 'file_changed' : 'file_same'))]),
    ...(now.clear.length ? [item('warning', `${t('in_clear')}: ${now.clear.join(', ')}`)] : []));
  $('#reread').hidden = !now.rereads;
  $('#reread').disabled = !now.changed || now.problems.length > 0;
  const { text, given } = $('#search');
  const rows = now.settings.filter((s) => `${s.key} ${s.value}`.toLowerCase().includes(text.value.toLowerCase()) && !(given.checked && s.default));
  $('#settings tbody').replaceChildren(...rows.map((s) => {
    const tr = document.createElement('tr');
    tr.className = s.default ? 'default' : '';
    for (const [what, content] of [['key', s.key], ['value', s.value || '–'], ['', t(s.default ? 'origin_default' : 'origin_file')]]) {
      const td = document.createElement('td');
      td.append(what ? Object.assign(document.createElement('code'), { textContent: content }) : content);
      tr.append(td);
    }
    return tr;
  }));
}

function say(text, bad = false) {
  $('#said').textContent = text;
  $('#said').className = bad ? 'bad' : '';
}

$('#search').addEventListener('input', show);
$('#search').addEventListener('submit', (e) => e.preventDefault());
$('#reread').addEventListener('click', async () => {
  if (!confirm(t('reread_sure'))) return;
  try {
    await post('/api/v1/configuration', {});
    say(t('reread_done'));
    $('#reread').disabled = true;
  } catch (err) {
    say(err.message, true);
  }
});

const me = await get('/api/v1/me');
now = await get('/api/v1/configuration');
header(me, show);
show();
arrived();
