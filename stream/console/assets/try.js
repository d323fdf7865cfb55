// The API to try it: what openapi.yaml describes, with a form for each operation. What is
// sent goes out as who has logged in, and is answered and written down as ever.
import { get } from './api.js';
import { t } from './words.js';
import { arrived, make } from './dom.js';
import { header } from './header.js';

const $ = (s) => document.querySelector(s);
const most = 100_000; // letters of an answer that are shown
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const me = await get('/api/v1/me');
const api = await get('/api/v1/openapi.json');

// resolve follows a reference within the description.
function resolve(x) {
  const at = x?.$ref?.match(/^#\/(.*)/)?.[1];
  return at ? resolve(at.split('/').reduce((o, k) => o?.[k], api)) : x;
}

// example is a value of a schema to begin with.
function example(schema, deep = 0) {
  const s = resolve(schema) ?? {};
  if (s.example !== undefined) return s.example;
  if (s.enum) return s.enum[0];
  const type = Array.isArray(s.type) ? s.type[0] : s.type;
  if (type === 'array') return deep > 3 ? [] : [example(s.items, deep + 1)];
  if (s.properties) return Object.fromEntries(Object.entries(s.properties).map(([k, v]) => [k, deep > 3 ? null : example(v, deep + 1)]));
  return { string: s.format === 'date-time' ? new Date().toISOString() : '', integer: 0, number: 0, boolean: false }[type] ?? {};
}

// may reports whether who is there has an operation's right: what cannot be known from
// here is left to the server.
const may = (op) => me[op['x-right']] !== false;

// operations are all there are, in the order in which they are described.
const operations = Object.entries(api.paths).flatMap(([path, item]) => methods.filter((m) => item[m]).map((method) => ({
  method, path, op: item[method], parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve),
  body: resolve(item[method].requestBody)?.content?.['application/json']?.schema,
})));

// address is a path with what the form says in it.
function address(o, form) {
  const query = new URLSearchParams();
  let path = o.path;
  for (const p of o.parameters) {
    const { value } = form.elements[`p-${p.name}`];
    if (p.in === 'path') path = path.replace(`{${p.name}}`, encodeURIComponent(value));
    else if (p.in === 'query' && value) query.set(p.name, value);
  }
  return query.size ? `${path}?${query}` : path;
}

// curl is the same call for a terminal; $TOKEN is what POST /api/v1/tokens gives.
function curl(o, url, body) {
  const q = (s) => `'${s.replaceAll("'", "'\\''")}'`;
  return ['curl', ...(o.method === 'get' ? [] : ['-X', o.method.toUpperCase()]), ...(o.op['x-right'] === 'none' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body ? ['-H', q('Content-Type: application/json'), '-d', q(body)] : []), q(location.origin + url)].join(' ');
}

// send makes the call and shows what comes back. Streams are read for a moment.
async function send(o, form) {
  const url = address(o, form);
  const body = form.elements.body?.value.trim();
  const out = form.parentElement.querySelector('output');
  out.hidden = false;
  const [line, head, text] = ['code', 'p', 'pre'].map((x) => make(x));
  text.tabIndex = 0;
  line.textContent = curl(o, url, body);
  out.replaceChildren(line, head, text);
  const stop = new AbortController();
  const end = setTimeout(() => stop.abort(), 5000);
  const began = performance.now();
  try {
    const r = await fetch(url, { method: o.method.toUpperCase(), signal: stop.signal, ...(body ? { body, headers: { 'Content-Type': 'application/json' } } : {}) });
    const type = r.headers.get('Content-Type') ?? '';
    head.textContent = `${r.status} ${r.statusText} · ${Math.round(performance.now() - began)} ms · ${type}`;
    head.className = r.ok ? 'ok' : 'bad';
    if (/^(image|video|application\/(zip|octet))/.test(type)) { text.textContent = `${(await r.arrayBuffer()).byteLength} B`; return; }
    const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
    let all = '';
    for (let piece = await reader.read(); !piece.done && all.length < most; piece = await reader.read()) {
      all += piece.value;
      text.textContent = all;
    }
    if (type.includes('json')) text.textContent = JSON.stringify(JSON.parse(all), null, 2).slice(0, most);
  } catch (err) {
    if (!stop.signal.aborted) { head.textContent = err.message; head.className = 'bad'; }
  } finally {
    clearTimeout(end);
    stop.abort(); // what still comes of a stream
  }
}

function field(p) {
  const s = resolve(p.schema) ?? {};
  const input = s.enum ? make('select', {}, ...(p.required ? [] : [make('option', { value: '', textContent: '–' })]), ...s.enum.map((v) => make('option', { value: v, textContent: v }))) : make('input');
  input.name = `p-${p.name}`;
  input.required = Boolean(p.required);
  return make('label', {}, make('span', { textContent: `${p.name}${p.required ? ' *' : ''}`, title: p.description ?? '' }), input);
}

function draw(o) {
  const d = make('details', { className: 'operation' });
  d.dataset.operation = `${o.method} ${o.path}`;
  d.append(make('summary', {}, make('strong', { className: o.method, textContent: o.method.toUpperCase() }), ' ', make('code', { textContent: o.path }), ' ', make('span', { lang: 'en', textContent: o.op.summary })));
  d.addEventListener('toggle', () => { // its form is made when it is looked at
    if (!d.open || d.querySelector('form')) return;
    const form = make('form', { autocomplete: 'off' }, ...o.parameters.map(field));
    if (o.body) form.append(make('label', {}, make('span', { textContent: 'JSON' }), make('textarea', { name: 'body', rows: 6, spellcheck: false, value: JSON.stringify(example(o.body), null, 2) })));
    const b = make('button', { className: 'main', textContent: t(o.method === 'get' ? 'api_send' : 'api_send_changes') });
    form.append(b);
    form.addEventListener('submit', (e) => { e.preventDefault(); send(o, form); });
    const right = make('p', { className: may(o.op) ? 'hint' : 'bad', textContent: `${t(may(o.op) ? 'api_right' : 'api_no_right')}: ${o.op['x-right']}` });
    d.append(right, form, make('output', { hidden: true }));
  });
  return d;
}

function show() {
  const asked = $('#find').value.trim().toLowerCase();
  const all = operations.filter((o) => `${o.method} ${o.path} ${o.op.summary}`.toLowerCase().includes(asked));
  $('#count').textContent = `${all.length} / ${operations.length}`;
  $('#operations').replaceChildren(...all.map(draw));
}

header(me, show);
$('#find').addEventListener('input', show);
show();
arrived();
