// Which camera, where: how well one would see a table from a place, or which places show it
// well, before there is a camera.
import { post } from './api.js';
import { figure, spoken, t } from './words.js';
import { make } from './dom.js';

const $ = (s) => document.querySelector(s);
const form = () => $('#plan-form');
const grade = { good: 'plan_good', poor: 'plan_poor', not: 'plan_not' };
const kinds = ['cards', 'chips', 'dice'];

const number = (input) => (input.value === '' ? 0 : Number(input.value));

// offer offers the games of the norm that is chosen.
function offer(room) {
  const f = form();
  const games = room.norms.find((n) => n.code === f.norm.value)?.games ?? [];
  const was = f.game.value;
  f.game.replaceChildren(...games.map((g) => make('option', { value: g.code, textContent: spoken(g) })));
  if (games.some((g) => g.code === was)) f.game.value = was;
}

function fill(head, rows) {
  const table = $('#plan-answer');
  table.hidden = !rows.length;
  table.tHead.replaceChildren(make('tr', {}, ...head.map((x) => make('th', { textContent: x }))));
  table.tBodies[0].replaceChildren(...rows.map((r) => make('tr', {}, ...r.map((x) => make('td', { textContent: x })))));
}

const read = (z) => (z.inside ? kinds.filter((k) => z.quality?.[k]).map((k) => `${t(`plan_${k}`)}: ${t(grade[z.quality[k]])}`).join(', ') : t('plan_outside'));

function showPlace(p) {
  fill(
    [t('zone'), 'px/m', '°', `px/${t('plan_chip')}`, `px/${t('plan_card')}`, `px/${t('plan_die')}`, t('plan_read')],
    p.zones.map((z) => [z.name, figure(z.across * 1000, 0), figure(z.angle, 0), ...[z.chip, z.card, z.die].map((x) => (x ? figure(x, 1) : '–')), read(z)]),
  );
}

function showPlaces(places) {
  fill(
    [t('plan_size'), `${t('plan_height')} (m)`, `${t('plan_distance')} (m)`, `${t('plan_view')} (°)`, t('plan_lens')],
    places.map((p) => [p.size.join('×'), figure(p.height, 1), figure(p.distance ?? 0, 1), figure(p.view, 0), `${figure(p.focal, 1)} mm`]),
  );
}

function draw(svg) {
  const img = $('#plan-drawing');
  img.hidden = !svg;
  if (!svg) return;
  img.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  img.onload = () => URL.revokeObjectURL(img.src);
  img.alt = t('plan_title');
}

// planPanel fills the panel with what the room offers; say shows what was wrong.
export function planPanel(room) {
  const f = form();
  const was = f.norm.value;
  f.norm.replaceChildren(...room.norms.map((n) => make('option', { value: n.code, textContent: spoken(n) })));
  f.norm.value = was || room.norm;
  offer(room);
  f.norm.onchange = () => offer(room);
  $('#plan').ontoggle = () => { $('#blank').hidden = $('#plan').open; if (!$('#plan').open) draw(''); };
  f.onsubmit = async (e) => {
    e.preventDefault();
    const said = $('#plan-said');
    const search = e.submitter?.name === 'search';
    const q = { norm: f.norm.value, game: f.game.value, seats: number(f.seats), width: number(f.width) };
    const ask = search
      ? { ...q, want: { cards: 'good', chips: 'good', dice: 'good' } }
      : { ...q, size: f.size.value, height: number(f.height), distance: number(f.distance), side: number(f.side), view: number(f.view),
        labels: { camera: t('camera'), good: t('plan_good'), poor: t('plan_poor'), not: t('plan_not'),
          chip: t('plan_chip'), card: t('plan_card'), die: t('plan_die') } };
    said.className = '';
    try {
      const { places, drawing } = await post('/api/v1/setup/plan', ask);
      if (search) showPlaces(places); else showPlace(places[0]);
      draw(drawing);
      said.textContent = places.length ? '' : t('plan_none');
      (places.length ? $('#plan-answer') : said).scrollIntoView({ block: 'nearest' });
    } catch (err) {
      said.textContent = err.message;
      said.className = 'bad';
    }
  };
}
