// The packs that a norm allows for a game, offered in a <select>.
import { t } from './words.js';
import { make } from './dom.js';

// offer keeps the one that was chosen, where it is among them; else the first stands.
export function offer(select, packs, chosen) {
  select.replaceChildren(...packs.map((p) => make('option', { value: p, textContent: t(`pack_${p}`) })));
  select.value = packs.includes(chosen) ? chosen : packs[0] ?? '';
}
