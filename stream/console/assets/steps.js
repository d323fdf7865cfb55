// Steps of a table's session in words.
import { money, t } from './words.js';

// word is the name of a step, of one of its fields or of a value, as people say it.
export const word = (k) => { const w = t(`step_${k}`); return w.startsWith('step_') ? k.replaceAll('_', ' ') : w; };

const cents = new Set(['float', 'min', 'max', 'amount', 'told', 'chips', 'in', 'out', 'pozo']);
// fields are a step's fields with their values.
export function fields(o) {
  return Object.entries(o).filter(([k, v]) => !['t', 'type', 'tables', 'findings', 'seen'].includes(k) && !(k === 'void' && v === false) && !(k === 'reason' && v === 'other')).map(([k, v]) => {
    if (k === 'verifiable') return v === false ? t('unverified') : '';
    if (v && typeof v === 'object') return fields(v);
    return `${word(k)} ${cents.has(k) && typeof v === 'number' ? money(v) : word(String(v))}`;
  }).filter(Boolean).join(', ');
}

const span = (low, high) => (low === high ? money(low) : `${money(low)} – ${money(high)}`);

// floatRead is the float between what the cameras read, and by how much that is off the books.
export const floatRead = (f) => `${t('float_read')} ${span(f.low, f.high)}${f.book === undefined ? '' : ` (${t('float_off')} ${span(f.low - f.book, f.high - f.book)})`}`;

// told is a step in one line, with what was read of the float.
export const told = (s) => [[word(s.event.type), fields(s.event)].filter(Boolean).join(': '), s.float ? floatRead(s.float) : ''].filter(Boolean).join(' · ');
