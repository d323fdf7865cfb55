// Every page by keyboard alone: log in, then Tab through everything that can be used,
// seen where one is, in the order of the page, with no way in that has no way out.
//   … USER TOKEN
import { day, password, url } from './day.mjs';

const [user, token] = process.argv.slice(7);

const pages = [
  ['/', '#alerts .alert'], ['/review', '#list .alert'], ['/supervision', '#tables tbody tr'], ['/health', '#problems .critical'], ['/audit', '#entries tbody tr'],
  ['/thresholds', '#rates tbody tr'], ['/users', '#list tbody tr'], ['/configuration', '#settings tbody tr'], ['/account', '#sessions tbody tr'], ['/setup', '#find'],
  ['/calibrate/BJ1', '#game option'], [`/terminal/BJ1#${token}`, '#buttons button'],
];

// usable marks what can be used on the page, in its order; it tells how many there are.
const usable = () => {
  const shows = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')].filter((e) => !e.disabled && e.tabIndex >= 0 && e.type !== 'hidden' && shows(e));
  window.usable = all;
  return all.length;
};

// here is where the focus is: its place among what can be used, and whether one sees it.
const here = () => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const s = getComputedStyle(e);
  const name = `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${e.name ? `[${e.name}]` : ''}.${e.className} ${(e.textContent ?? '').trim().slice(0, 30)}`;
  return { at: window.usable.indexOf(e), name, seen: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 };
};

// A date's own button, the last of its places, has a ring of its own within it, which
// the page cannot ask for: its other places count.
const date = (h) => /^input\[(from|to)\]/.test(h.name);

// round tabs once through a page, and one step back.
async function round(page) {
  await page.evaluate(() => { document.activeElement?.blur(); });
  const n = await page.evaluate(usable);
  const went = [];
  const dim = [];
  const bright = new Set();
  for (let i = 0; i < 10 * n + 40 && new Set(went).size < n; i++) { // a date has several places
    await page.keyboard.press('Tab');
    const h = await page.evaluate(here);
    if (!h) continue; // beyond the page's end
    if (h.seen) bright.add(h.name);
    else if (!date(h) || !bright.has(h.name)) dim.push(h.name);
    if (h.at < 0) continue; // it came meanwhile
    if (h.at !== went.at(-1)) went.push(h.at);
  }
  const missed = await page.evaluate((got) => window.usable.filter((e, i) => !got.includes(i) && e.isConnected).map((e) => e.outerHTML.slice(0, 120)), went);
  const first = went.slice(0, new Set(went).size);
  const before = await page.evaluate(here);
  await page.keyboard.press('Shift+Tab');
  const after = await page.evaluate(here);
  return { n, missed, dim: [...new Set(dim)], ordered: first.every((at, i) => i === 0 || at > first[i - 1] || at === 0), back: n < 2 || after?.at !== before?.at || after?.name === before?.name };
}

await day(async (page, seen) => {
  await page.goto(`${url}login`);
  await page.waitForFunction(() => document.activeElement?.name === 'user');
  seen.pages = { '/login': await round(page) };
  await page.focus('[name=user]');
  await page.keyboard.type(user);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForSelector(pages[0][1], { timeout: 90000, state: 'attached' }); // a page left while it starts complains
  for (const [path, ready] of pages) {
    await page.goto(new URL(path, url).href);
    await page.waitForSelector(ready, { timeout: 90000, state: 'attached' });
    await page.waitForTimeout(500);
    seen.pages[path.split('#')[0]] = await round(page);
  }
  // A dialog is left by Escape, and gives the focus back.
  await page.goto(`${url}users`);
  await page.waitForSelector('#list tbody tr');
  await page.focus('#open-menu');
  await page.keyboard.press('Enter');
  await page.focus('#language');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.documentElement.lang === 'en');
  seen.stays = await page.evaluate(() => document.activeElement.id);
});
