// Calls of the API (docs/integrator.md). Who is not logged in is sent there; an error
// carries the server's words, in the page's language where they are known, and
// what it found.
import { said } from './details.js';
import { make } from './dom.js';
import { t } from './words.js';

export async function call(method, url, body) {
  const r = await fetch(url, body === undefined ? { method } : {
    method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  }).catch((err) => { throw new Error(said(err.message)); });
  if (r.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`);
  const json = r.headers.get('Content-Type')?.startsWith('application/json');
  const got = json ? await r.json() : await r.text();
  missing(url, r.headers.get('X-Vision-Missing'));
  if (r.headers.has('X-Vision-Held')) location.assign('/account'); // something has to be done first
  if (!r.ok) throw Object.assign(new Error(said(got.error ?? `${url}: ${r.status}`)), { status: r.status, findings: got.findings ?? [], es: got.es, en: got.en, ca: got.ca });
  return got;
}
// missing names the machines of the house that did not answer: what is shown is without
// what they have.
const away = new Map(); // by what was asked
function missing(url, names) {
  const path = url.split('?')[0];
  if (names) away.set(path, names.split(',').map(decodeURIComponent));
  else away.delete(path);
  const all = [...new Set([...away.values()].flat())].sort();
  let bar = document.getElementById('missing');
  if (!bar && !all.length) return;
  if (!bar) {
    bar = make('p', { id: 'missing', className: 'banner', role: 'status' });
    (document.querySelector('main') ?? document.body).before(bar);
  }
  bar.hidden = !all.length;
  bar.textContent = all.length ? `${t('machines_away')}: ${all.join(', ')}. ${t('machines_away_means')}` : '';
}
export const get = (url) => call('GET', url);
export const put = (url, body) => call('PUT', url, body);
export const post = (url, body) => call('POST', url, body);
