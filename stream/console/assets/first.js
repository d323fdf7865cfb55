// A table that has just gone live: it is waited for while the configuration is read again,
// and shown until its first card is read, with how long that took from the camera on.
import { get } from './api.js';
import { hear } from './line.js';
import { t } from './words.js';
import { make } from './dom.js';
import { connect } from './whep.js';
import { words } from './overlay.js';

const $ = (s) => document.querySelector(s);
const patience = 60000; // ms for which the node may take to read its configuration again

// awaited is the table once it is there.
export async function awaited(id) {
  for (const end = Date.now() + patience; ;) {
    const list = await get('/api/v1/tables').catch(() => []); // it is closing, or coming up
    const found = list.find((x) => x.id === id);
    if (found) return found;
    if (Date.now() > end) throw new Error(t('not_up'));
    await new Promise((ok) => { setTimeout(ok, 500); });
  }
}

const lasted = (ms) => `${Math.floor(ms / 60000)} min ${Math.round(ms / 1000) % 60} s`;

// newcomer shows a table; begun is when it was begun to be set up.
export async function newcomer(id, begun, { me, say, sight }) {
  $('#lives').hidden = false;
  say(t('going_live'));
  let table;
  try { table = await awaited(id); } catch (err) { say(err.message, true); return; }
  const [camera] = table.cameras;
  $('#blank').hidden = true;
  $('#name').textContent = `· ${table.name}`;
  $('#to-terminal').href = `/terminal/${encodeURIComponent(id)}`;
  $('#to-calibrate').href = `/calibrate/${encodeURIComponent(camera.name)}`;
  sight.size = camera.size;
  say(t('is_live'));
  let first = null;
  hear((m) => {
    if (m.type !== 'overlay' || m.key !== camera.name) return;
    sight.live(m.body);
    $('#seen').replaceChildren(...m.body.map((r) => make('li', { textContent: words(r), className: r.abstain ? 'unsure' : '' })));
    first ??= m.body.find((r) => r.kind === 'card' && !r.abstain);
    if (!first || $('#first').dataset.read) return;
    $('#first').dataset.read = first.label;
    $('#first').removeAttribute('data-t');
    $('#first').textContent = `${words(first)}${begun ? ` · ${t('since_camera')} ${lasted(Date.now() - Date.parse(begun))}` : ''}`;
  });
  connect([camera.name], { stream: (_, stream) => { $('#video').srcObject = stream; }, message: () => {}, state: () => {} }, me.ice_servers);
}
