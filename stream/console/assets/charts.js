// Charts: bars that are compared, and lines over days or weeks. What a chart shows it says
// in words, too; a value of null is not known, and not drawn.
import { locale } from './words.js';
import { make } from './dom.js';

const day = 24 * 3600e3;

// svg makes an element of a drawing with attributes and children.
export const svg = (tag, attributes = {}, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  e.append(...children);
  return e;
};

// bars are rows {name, value, text}, each with its text: read by ear as well as by eye.
export function bars(title, rows) {
  const most = Math.max(...rows.map((r) => r.value ?? 0));
  return make('figure', {}, make('figcaption', { textContent: title }), make('dl', {}, ...rows.flatMap((r) => {
    const bar = make('span', { className: 'stat', ariaHidden: 'true' });
    bar.style.width = `${most > 0 ? 100 * (r.value ?? 0) / most : 0}%`;
    return [make('dt', { textContent: r.name }), make('dd', {}, bar, make('span', { textContent: r.text }))];
  })));
}

// halfway is one, two or five of a power of ten, of which twice reaches v.
function halfway(v) {
  const power = 10 ** Math.floor(Math.log10(v / 2));
  return [1, 2, 5, 10].map((x) => x * power).find((x) => 2 * x >= v);
}

const [width, height] = [420, 190];
const area = { left: 66, right: 412, top: 12, bottom: 164 };

const short = (at) => new Date(at).toLocaleDateString(locale(), { day: 'numeric', month: 'numeric' });

// lines are series over time: rows {series, at, value, text}, at in ms, every so many days
// apart; write(v) is how a value is written at the side.
export function lines(title, rows, apart, write) {
  const series = [...new Set(rows.map((r) => r.series))];
  const known = rows.filter((r) => r.value !== null);
  const [from, to] = [Math.min(...rows.map((r) => r.at)), Math.max(...rows.map((r) => r.at))];
  const half = halfway(Math.max(...known.map((r) => r.value), 0) || 1);
  const x = (at) => (to > from ? area.left + ((at - from) / (to - from)) * (area.right - area.left) : (area.left + area.right) / 2);
  const y = (v) => area.bottom - (v / (2 * half)) * (area.bottom - area.top);
  const text = (at, of, more) => { const e = svg('text', { ...at, ...more }); e.textContent = of; return e; };
  const drawn = [0, half, 2 * half].flatMap((v) => [
    svg('line', { class: 'grid', x1: area.left, x2: area.right, y1: y(v), y2: y(v) }),
    text({ x: area.left - 6, y: y(v) + 4 }, write(v), { 'text-anchor': 'end' }),
  ]);
  const days = to > from ? [from, (from + to) / 2, to].map((at) => from + Math.round((at - from) / apart / day) * apart * day) : [from];
  for (const [i, at] of [...new Set(days)].entries()) drawn.push(text({ x: x(at), y: height - 6 }, short(at), { 'text-anchor': days.length === 1 ? 'middle' : ['start', 'middle', 'end'][i] }));
  series.forEach((name, i) => {
    const own = known.filter((r) => r.series === name);
    // A day without figures breaks the line; clocks are changed twice a year.
    const path = own.map((r, k) => `${k && r.at - own[k - 1].at < (apart + 0.5) * day ? 'L' : 'M'}${x(r.at).toFixed(1)} ${y(r.value).toFixed(1)}`).join('');
    drawn.push(svg('g', { class: `line line${i % 6}` }, svg('path', { d: path }), ...own.map((r) => {
      const said = svg('title');
      said.textContent = [r.series, short(r.at), r.text].filter(Boolean).join(' · ');
      return svg('circle', { cx: x(r.at).toFixed(1), cy: y(r.value).toFixed(1), r: 3 }, said);
    })));
  });
  const ends = series.map((name) => { const own = known.filter((r) => r.series === name); return [name, own.length ? `${own[0].text} → ${own.at(-1).text}` : '–'].filter(Boolean).join(': '); });
  return make('figure', { className: 'trend' }, make('figcaption', { textContent: title }),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}. ${ends.join('; ')}` }, ...drawn),
    ...(series.length > 1 ? [make('p', { className: 'legend' }, ...series.map((name, i) => make('span', {}, svg('svg', { class: `line line${i % 6}`, viewBox: '0 0 24 8', 'aria-hidden': 'true' }, svg('path', { d: 'M0 4L24 4' })), ` ${name}`)))] : []));
}
