// Tables on narrow screens: every cell knows its column's name, so that the style sheet can
// show a row as a list.

function name(table) {
  const heads = [...table.tHead.rows[0].cells].map((c) => c.textContent && c.textContent[0].toUpperCase() + c.textContent.slice(1));
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((c, i) => { if (heads[i] && c.colSpan === 1) c.dataset.head = heads[i]; });
  }
}

// columns names the cells of all the page's tables, also of rows that come later.
export function columns() {
  for (const table of document.querySelectorAll('table')) {
    if (!table.tHead?.rows.length || !table.tBodies.length) continue;
    name(table);
    new MutationObserver(() => name(table)).observe(table.tBodies[0], { childList: true });
  }
}
