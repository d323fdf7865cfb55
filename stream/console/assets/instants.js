// Instants and how a field for times (datetime-local) writes them: on this browser's clock,
// which has hours twice, or not at all, where the clocks are changed.

const minute = 60_000;
const day = 24 * 60 * minute;

// local is an instant (ms) as such a field has it, to the second.
export const local = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * minute).toISOString().slice(0, 19);

// instants are those (ms, in order) at which this browser's clock shows the field's text: one;
// two where the clock was put back; none where it was put forward, or without a text.
export function instants(text) {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return [];
  const offsets = new Set([-day, 0, day].map((d) => new Date(shown + d).getTimezoneOffset()));
  return [...offsets].map((o) => shown + o * minute)
    .filter((ms) => ms - new Date(ms).getTimezoneOffset() * minute === shown)
    .sort((a, b) => a - b);
}
