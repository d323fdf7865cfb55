// Which table a camera looks at: norm, game, code, name, limits and house options, as they
// are chosen in the set-up and told again before it goes live.
import { figure, money, spoken, t } from './words.js';
import { make } from './dom.js';

const $ = (s) => document.querySelector(s);
const form = () => $('#table');

// offerGames offers those of the chosen norm; the one that was chosen stays if it is there.
export function offerGames(room, draft) {
  const f = form();
  const games = room.norms.find((n) => n.code === f.norm.value)?.games ?? [];
  const was = f.game.value || draft.choice.game;
  f.game.replaceChildren(...games.map((g) => make('option', { value: g.code, textContent: spoken(g) })));
  f.game.value = games.some((g) => g.code === was) ? was : games[0]?.code ?? '';
}

// showTable shows what the camera sends and what was chosen so far.
export function showTable(room, draft) {
  const f = form();
  const r = draft.report;
  $('#report').textContent = [draft.device, `${r.codec} ${r.width}×${r.height}`, `${figure(r.fps, 0)} ${t('fps')}`, `${figure(r.mbps, 1)} Mbit/s`].filter(Boolean).join(' · ');
  $('#advice').replaceChildren(...r.advice.map((a) => make('li', { textContent: spoken(a) })));
  f.norm.replaceChildren(...room.norms.map((n) => make('option', { value: n.code, textContent: spoken(n) })));
  f.norm.value = draft.choice.norm || room.norm;
  offerGames(room, draft);
  if (!draft.chosen) return;
  const c = draft.choice;
  [f.id.value, f.name.value, f.min.value, f.max.value, f.decks.value] = [c.id, c.name, c.min / 100, c.max / 100, c.decks || ''];
  f.options.value = Object.entries(c.options ?? {}).map(([k, v]) => `${k}: ${v}`).join(', ');
}

// options reads «mesa: mini, panos: 2».
function options(text) {
  const out = {};
  for (const part of text.split(',')) {
    const [k, ...v] = part.split(':').map((x) => x.trim());
    const value = v.join(':');
    if (!k) continue;
    if (value === 'true' || value === 'false') out[k] = value === 'true';
    else out[k] = value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
  }
  return out;
}

const cents = (input) => Math.round(Number(input.value) * 100);

// chosen is what stands in the form, as the server takes it.
export function chosen() {
  const f = form();
  return { id: f.id.value.trim(), name: f.name.value.trim(), game: f.game.value, norm: f.norm.value,
    min: cents(f.min), max: cents(f.max), decks: Number(f.decks.value), options: options(f.options.value) };
}

// showSummary tells what goes live, and what it will be without.
export function showSummary(room, draft) {
  const c = draft.choice;
  const norm = room.norms.find((n) => n.code === c.norm);
  const rows = [['table', c.name || c.id], ['game', spoken(norm?.games.find((g) => g.code === c.game) ?? {}) ?? c.game], ['norm', norm ? spoken(norm) : c.norm], ['limits', `${money(c.min)} – ${money(c.max)}`], ['camera', draft.address]];
  $('#summary').replaceChildren(...rows.flatMap(([k, v]) => [make('dt', { textContent: t(k) }), make('dd', { textContent: v })]));
  const lacks = draft.lacks.filter((x) => x === 'chips' || x === 'lens' || x === 'detail');
  $('#without').hidden = !lacks.length;
  $('#without').textContent = `${t('go_without')}: ${lacks.map((x) => t(`lacks_${x}`)).join(', ')}`;
}
