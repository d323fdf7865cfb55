// The felt of one table, each place as dark as there were alerts about it; where they are is
// told in words, too.
import { t } from './words.js';
import { place } from './rounds.js';
import { svg } from './charts.js';

const middle = (polygon, i) => polygon.reduce((a, q) => a + q[i], 0) / polygon.length;
const extent = (polygon, i) => Math.max(...polygon.map((q) => q[i])) - Math.min(...polygon.map((q) => q[i]));

// counted splits "3 main" as statistics have it.
const counted = ([key, n]) => {
  const [seat, ...spot] = key.split(' ');
  return { seat: Number(seat), spot: spot.join(' '), n };
};

const said = (p) => place('', p.seat, p.spot) || t('stat_whole');

// named writes into a place what it is, as much of it as there is room for, and its number.
function named(p, size) {
  const [width, height] = [extent(p.polygon, 0), extent(p.polygon, 1)];
  const [cx, cy] = [middle(p.polygon, 0), middle(p.polygon, 1)];
  const fits = (s, of) => s && s.length * 0.58 * of < width;
  const small = size * 0.62;
  const name = [said(p), p.spot && place('', 0, p.spot), p.seat ? String(p.seat) : ''].find((s) => fits(s, small));
  const write = (y, of, s, c) => { const e = svg('text', { x: cx, y, 'font-size': of, class: c }); e.textContent = s; return e; };
  const two = p.n > 0 && name && height > 2 * size;
  return [
    ...(name && (two || !p.n) && height > small ? [write(two ? cy - 0.55 * size : cy, small, name, 'name')] : []),
    ...(p.n ? [write(two ? cy + 0.35 * size : cy, size, String(p.n), 'count')] : []),
  ];
}

// heat draws into figure: places are those of the layout, found the alerts by place; without
// a table it says that one has to be chosen.
export function heat(figure, table, places, found) {
  const rest = new Map(Object.entries(found));
  const drawn = (table ? places : []).filter((p) => p.spot || p.seat).map((p) => {
    const key = `${p.seat ?? 0} ${p.spot ?? ''}`.trim();
    const n = rest.get(key) ?? 0;
    rest.delete(key);
    return { ...p, n };
  });
  const label = (p) => `${said(p)}: ${p.n}`;
  const old = figure.querySelector('svg');
  if (drawn.length) {
    const all = drawn.flatMap((p) => p.polygon);
    const [x, y, w, h] = [Math.min(...all.map((q) => q[0])), Math.min(...all.map((q) => q[1])), extent(all, 0), extent(all, 1)];
    const most = Math.max(...drawn.map((p) => p.n));
    const sorted = drawn.filter((p) => p.n).sort((a, b) => b.n - a.n);
    old.replaceWith(svg('svg', { viewBox: [x, y, w, h].join(' '), role: 'img', 'aria-label': sorted.map(label).join('; ') || t('stat_no_places') },
      ...drawn.map((p) => {
        const title = svg('title');
        title.textContent = label(p);
        const e = svg('polygon', { points: p.polygon.map((q) => q.join(',')).join(' ') }, title);
        e.style.setProperty('--share', String(most ? p.n / most : 0));
        return e;
      }),
      ...drawn.flatMap((p) => named(p, w / 40))));
  } else old.replaceChildren();
  figure.querySelector('svg').toggleAttribute('hidden', !drawn.length);
  const others = [...rest].map(counted).sort((a, b) => b.n - a.n).map(label);
  figure.querySelector('.empty').textContent = !table ? t('stat_choose') : others.length ? `${drawn.length ? `${t('stat_elsewhere')}: ` : ''}${others.join(' · ')}`
    : drawn.some((p) => p.n) ? '' : t('stat_no_places');
}
