// The line by which a page hears what happens. While it is broken what shows may be of
// before, and the page says so: a calm screen must not be one that nobody feeds.
import { get } from './api.js';
import { locale, t } from './words.js';
import { make } from './dom.js';

const grace = 3000; // ms: what is shorter is not told
const pause = 3000; // ms before it is made anew where the browser gives up

// tell says since when there is no line; null: there is one.
function tell(since) {
  const bar = document.getElementById('line') ?? make('p', { id: 'line', role: 'alert' });
  if (since === null) { bar.remove(); return; }
  if (!bar.isConnected) document.body.append(bar);
  bar.textContent = `${t('line_lost')} ${new Date(since).toLocaleTimeString(locale())}. ${t('line_lost_means')}`;
}

// hear passes on the server's events, again and again when the line breaks; close ends it.
export function hear(on) {
  let since = null;
  let waits = 0;
  let over = false;
  /** @type {EventSource} */ let events;
  const whole = () => {
    since = null;
    clearTimeout(waits);
    tell(null);
  };
  function open() {
    if (over) return;
    const s = new EventSource('/api/v1/events');
    events = s;
    s.onopen = whole;
    s.onmessage = (e) => on(JSON.parse(e.data));
    s.onerror = () => {
      if (over) return;
      if (since === null) {
        since = Date.now();
        waits = setTimeout(tell, grace, since);
      }
      if (s.readyState !== EventSource.CLOSED) return; // the browser tries again
      get('/api/v1/me').catch(() => {}).finally(() => setTimeout(open, pause)); // who is logged out is sent to log in
    };
  }
  open();
  return { close: () => { over = true; events.close(); whole(); } };
}
