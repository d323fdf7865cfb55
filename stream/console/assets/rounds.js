// Rounds in words: phases, places, cards, events and doubts, as people at a table
// say them. Calls stay as they are called.
import { get } from './api.js';
import { language, money, t, spoken, languages } from './words.js';

const suits = { c: '♣', d: '♦', h: '♥', s: '♠' };

// card writes "Td" as "10♦"; what is no card of a pack stays as it is.
export function card(text) {
  const m = /^([2-9TJQKA])([cdhs])$/.exec(text ?? '');
  return m ? `${m[1] === 'T' ? '10' : m[1]}${suits[m[2]]}` : (text ?? '');
}

// The names of places on the cloth, by code in each language, as in the alerts' sentences.
const spots = await get('/assets/spots.json');
const named = (code) => {
  const [name, ...number] = code.split(':');
  return [(spots[name]?.[languages.indexOf(language())] ?? spots[name]?.[0]) ?? name, ...number].join(' ').trim().replaceAll('_', ' ');
};

// limits are the least and the greatest stake of a table, where it has any.
export const limits = (table) => (table.max ? [`${money(table.min)} – ${money(table.max)}`] : []);

// place writes "seat:3/2 main" as "puesto 3, mano 2".
export function place(zone = '', seat = 0, spot = '') {
  const m = /^seat:(\d+)(?:\/(\w+))?\s*(.*)$/.exec(zone);
  if (m) return [`${t('seat')} ${m[1]}`.toLowerCase(), m[2] ? (/^\d/.test(m[2]) ? `${t('hand')} ${m[2]}` : named(m[2])) : '', named(m[3])].filter(Boolean).join(', ');
  const parts = [seat ? `${t('seat')} ${seat}`.toLowerCase() : '', named(zone), named(spot)];
  return parts.filter(Boolean).join(', ');
}

// begun is when a round began, by its name; null where that does not say.
export function begun(id) {
  const m = /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(id ?? '');
  if (!m || m[1] === '0001') return null;
  const [year, month, ...rest] = m.slice(1).map(Number);
  return new Date(Date.UTC(year, month - 1, ...rest));
}

const money_ = new Set(['bet', 'withdraw', 'collect', 'pay', 'return', 'commission']);

// Calls whose codes lack their accents.
const calls = { no_va_mas: 'no va más', number: 'número' };

// event writes one event of a round.
export function event(e) {
  const at = place(e.zone, e.seat, e.spot);
  const with_ = (...words) => [at && `${at}:`, ...words].filter(Boolean).join(' ');
  if (money_.has(e.type)) return with_(t(`do_${e.type}`), money(e.amount ?? 0));
  switch (e.type) {
    case 'card': return with_(e.card ? card(e.card) : t('card_down'));
    case 'reveal': return with_((e.cards ?? [e.card]).map(card).join(' '));
    case 'announce': {
      const said = [calls[e.call] ?? (e.call ?? '').replaceAll('_', ' '), e.number, e.points, e.winner && named(e.winner), e.color && named(e.color), e.amount ? money(e.amount) : ''];
      return `${at ? `${at}: ` : ''}«${said.filter((x) => x !== undefined && x !== '').join(' ')}»`;
    }
    case 'ball': return `${t('do_ball')} ${e.pocket ?? ''}`.trim();
    case 'dice': return `${t('do_dice')} ${(e.faces ?? []).map((x) => x || '?').join(' ')}`;
    case 'action': {
      const word = t(`act_${e.action}`);
      return with_(word.startsWith('act_') ? (e.action ?? '').replaceAll('_', ' ') : word);
    }
    default: {
      const word = t(`do_${e.type}`);
      return with_(word.startsWith('do_') ? e.type.replaceAll('_', ' ') : word, e.kind?.replaceAll('_', ' '));
    }
  }
}

// decides tells whether an event of an alert's round is one of those it hangs on: the stake, the result, and what
// was taken or paid there.
export const decides = (e, a) => ['ball', 'dice'].includes(e.type) || (e.type === 'announce' && Boolean(e.winner ?? e.number ?? e.points))
  || (money_.has(e.type) && Boolean(a.seat) && e.seat === a.seat && (!a.spot || e.spot === a.spot));

// phase of a table, and what it waits for.
export function phase(p) {
  const word = t(`phase_${p}`);
  return word.startsWith('phase_') ? p : word;
}

// Why a round cannot be verified, by the record's own words, the more particular first.
const doubts = (await (await fetch('/assets/doubts.json')).json()).map(([words, word]) => [new RegExp(words), word]);

// doubt is why a round cannot be verified; what is not known stays as the record has it.
export function doubt(why) {
  const word = doubts.find(([re]) => re.test(why))?.[1];
  return word ? t(word) : why;
}

// reasons counts why rounds cannot be verified, as people are told: records say the same in
// several words. The most frequent first.
export function reasons(counts) {
  const out = new Map();
  for (const [why, n] of Object.entries(counts)) out.set(doubt(why), (out.get(doubt(why)) ?? 0) + n);
  return [...out].sort((a, b) => b[1] - a[1]);
}

// game is a table's game as the norm calls it.
export const game = (table) => spoken(table, 'game_') || table.game.replaceAll('_', ' ');
