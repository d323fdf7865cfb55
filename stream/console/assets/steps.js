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
