// How pictures fill a screen.

// fit is in how many columns n pictures of an aspect (width by height) are largest in a
// box, and how wide each then is; below each stands a bar. Pixels.
export function fit(n, { width, height, aspect, bar, gap }) {
  let best = { columns: 1, tile: 0 };
  for (let columns = 1; columns <= n; columns++) {
    const rows = Math.ceil(n / columns);
    const tile = Math.floor(Math.min((width - gap * (columns + 1)) / columns, ((height - gap * (rows + 1)) / rows - bar) * aspect));
    if (tile > best.tile) best = { columns, tile };
  }
  return best;
}
