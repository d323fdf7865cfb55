// Calls of the API (docs/integrator.md). Who is not logged in is sent there; an error
// carries the server's words, in the page's language where they are known, and
// what it found.
import { said } from './details.js';

export async function call(method, url, body) {
  const r = await fetch(url, body === undefined ? { method } : {
    method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  }).catch((err) => { throw new Error(said(err.message)); });
  if (r.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  const json = r.headers.get('Content-Type')?.startsWith('application/json');
  const got = json ? await r.json() : await r.text();
  if (r.headers.has('X-Vision-Held')) location.assign('/account'); // something has to be done first
  if (!r.ok) throw Object.assign(new Error(said(got.error ?? `${url}: ${r.status}`)), { status: r.status, findings: got.findings ?? [], es: got.es, en: got.en, ca: got.ca });
  return got;
}
export const get = (url) => call('GET', url);
export const put = (url, body) => call('PUT', url, body);
export const post = (url, body) => call('POST', url, body);

// hear passes on the server's events, again and again when the line breaks.
export function hear(on) {
  const s = new EventSource('/api/v1/events');
  s.onmessage = (e) => on(JSON.parse(e.data));
  return s;
}
