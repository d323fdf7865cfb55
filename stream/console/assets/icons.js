// The pages' icons (icons.svg): no font has them all, and none draws them alike. In a
// page <i data-icon="play"></i> stands for one.

const sprite = new DOMParser().parseFromString(await (await fetch('/assets/icons.svg')).text(), 'image/svg+xml');

// icon draws one. With a label it says something that stands nowhere else; without, it
// only goes with words.
export function icon(name, label = '') {
  const of = sprite.getElementById(name);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const a of of.attributes) if (a.name !== 'id') svg.setAttribute(a.name, a.value);
  svg.setAttribute('class', `icon i-${name}`);
  for (const side of ['width', 'height']) svg.setAttribute(side, '18'); // without a style sheet it would fill the page
  svg.append(...[...of.children].map((x) => document.importNode(x, true)));
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  return svg;
}

// say puts an icon and words into an element.
export function say(element, name, ...words) {
  element.replaceChildren(...(name ? [icon(name), ' '] : []), ...words);
}

for (const e of document.querySelectorAll('[data-icon]')) e.replaceWith(icon(/** @type {HTMLElement} */ (e).dataset.icon));
