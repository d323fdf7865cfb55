// Every page as the people who may see it see it: on a wall (1920×1080), a desk (1280×800)
// and a phone (390×844), what is used by finger on a tablet, too; dark and light, in all
// languages, with axe-core; and what a page says while something that it needs does not come.
//   … AXE PEOPLE: the path of axe.min.js; who looks, JSON: [{user, besides: [path]}], those
//   who see most first, an administrator and technician among them
import { readFile } from 'node:fs/promises';
import { day, folder, login, url } from './day.mjs';

const axe = await readFile(process.argv[7], 'utf8');
const people = JSON.parse(process.argv[8]);

const screens = {
  wall: { density: 'wall', width: 1920, height: 1080 },
  desk: { density: 'compact', width: 1280, height: 800 },
  tablet: { density: 'compact', width: 820, height: 1180 },
  lying: { density: 'compact', width: 1024, height: 768 },
  phone: { density: 'compact', width: 390, height: 844 },
};
// touched are the pages that are used by finger, too: what one hits is large enough there.
const touched = ['/', '/review', '/sessions', '/terminal/BJ1'];
const languages = ['es', 'en', 'ca'];

// faults is what is wrong with the page as it shows now.
const faults = () => {
  const out = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) {
    const widest = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => `${e.tagName.toLowerCase()}#${e.id}.${e.className}`);
    out.push(`${wide} px wider than the screen: ${widest.slice(0, 4).join(' ')}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of new Set(ids.filter((x, i) => ids.indexOf(x) < i))) out.push(`several things are called #${id}`);
  for (const e of document.querySelectorAll('[data-t]')) if (!e.textContent) out.push(`no word for ${e.dataset.t}`);
  // What is written in a drawing can be read.
  for (const of of document.querySelectorAll('main svg')) {
    const all = [...of.querySelectorAll('text')].map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width);
    const whole = of.getBoundingClientRect();
    for (const [i, [text, a]] of all.entries()) {
      if (a.left < whole.left - 1 || a.right > whole.right + 1) out.push(`«${text}» is cut off`);
      for (const [other, b] of all.slice(i + 1)) if (a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3) out.push(`«${text}» lies on «${other}»`);
    }
  }
  // Names of words where words should be; what programs read may look like that.
  const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = text.nextNode(); n; n = text.nextNode()) {
    const of = n.parentElement;
    if (of.closest('code, pre, script, style, template, [lang=en]:not(html), #operations') || !of.checkVisibility()) continue;
    const key = n.data.match(/(?<![\w/@.-])[a-z]+(?:_[a-z]+)+(?![\w/@.-])/);
    if (key) out.push(`«${key[0]}» in ${of.tagName.toLowerCase()}#${of.id}.${of.className}`);
  }
  if (document.body.innerText.trim().length < 20) out.push('nearly nothing on it');
  return out;
};

// tight is what a finger hardly hits, or not at all.
const tight = () => [...document.querySelectorAll('details:not([open]) > summary')].filter((e) => !e.checkVisibility() && e.parentElement.checkVisibility()).map((e) => `«${e.textContent}» cannot be opened`).concat([...document.querySelectorAll('button, a[href], select, input, summary, label:has(input[type=checkbox])')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches('h1 a, p a, label input[type=checkbox]')).map((e) => [e, e.getBoundingClientRect()])
  .filter(([, r]) => r.width && (r.height < 43.5 || r.width < 43.5)).map(([e, r]) => `${e.tagName.toLowerCase()}#${e.id}.${e.className} «${e.textContent.trim().slice(0, 30)}» is ${Math.round(r.width)}×${Math.round(r.height)} px`));

// barriers is what axe-core finds, by all rules or by some.
const barriers = (only) => window.axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) }).then((r) => r.violations
  .filter((v) => ['serious', 'critical'].includes(v.impact))
  .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} ${n.any.map((a) => a.message)}`).join(' | ')}`));

const there = (page) => page.waitForFunction(() => document.readyState !== 'loading' && !document.getElementById('arrival'));

// Somebody calibrates the camera as the pages do, so that there is something to see.
const calibrate = async (camera) => {
  const of = `/api/v1/cameras/${camera}/calibration`;
  const send = async (method, path, body) => {
    const r = await fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    if (!r.ok) throw new Error(`${path}: ${r.status} ${await r.text()}`);
    return r.json().catch(() => null);
  };
  const fit = await send('POST', `${of}/fit`, {
    game: 'blackjack', seats: 3, width: 1200, card: [63, 88], die: 20, deck: 'french', size: [1280, 720], lens: { fx: 0, fy: 0, cx: 0, cy: 0, dist: [0, 0, 0, 0, 0] },
    points: [['far_left', 320, 150], ['far_right', 960, 150], ['near_right', 1100, 600], ['near_left', 180, 600]].map(([corner, x, y]) => ({ corner, px: [x, y] })),
  });
  await send('PUT', of, fit.calibration);
};

// kept is what keeps a page back: requests that are answered amiss, once.
const kept = {
  answer: ['**/api/v1/configuration', (r) => r.fulfill({ status: 503, json: { error: 'the node is closing' } })],
  person: ['**/api/v1/me', (r) => r.abort('connectionreset')],
  words: ['**/assets/words.json', (r) => r.fulfill({ status: 503 })],
  script: ['**/assets/header.js', (r) => r.abort('connectionreset')],
};

// opened is what is opened on a page before it is looked at.
const opened = {
  '/review': async (page) => {
    await page.waitForSelector('#list .alert');
    await page.keyboard.press('j');
    await page.waitForSelector('#detail:not([hidden])');
  },
  '/actas': async (page) => {
    await page.locator('#ask').evaluate((form) => form.requestSubmit());
    await page.waitForSelector('#acta:not([hidden])');
  },
  '/statistics': async (page, seen) => {
    const from = new Date(Date.now() - 80 * 24 * 3600e3).toISOString().slice(0, 10);
    await page.fill('[name=from]', from);
    await page.selectOption('[name=by]', 'week');
    await page.selectOption('[name=table]', 'BJ1');
    await page.waitForFunction(() => document.querySelector('#heat .count') && document.querySelector('.trend'));
    seen.weeks ??= await page.evaluate(async (since) => {
      const text = (s) => [...document.querySelectorAll(s)].map((e) => e.textContent);
      const [all] = await (await fetch(`/api/v1/statistics?table=BJ1&from=${since}T00:00:00Z`)).json();
      const [codes, outcomes, doubts] = [...document.querySelectorAll('#charts figure:not(.trend)')].map((e) => [...e.querySelectorAll('dd')].map((x) => x.textContent));
      return {
        rows: text('#figures tbody tr:not(.total) td:nth-child(2)'), total: text('#figures .total td'), codes, outcomes, doubts,
        trends: document.querySelectorAll('.trend').length, points: document.querySelector('.trend').querySelectorAll('circle').length,
        shades: new Set([...document.querySelectorAll('#heat polygon')].map((e) => getComputedStyle(e).fill)).size,
        rounds: all.rounds, alerts: all.alerts, unverifiable: all.not_verifiable,
      };
    }, from);
  },
  '/audit': async (page, seen) => {
    await page.waitForSelector('#entries tbody tr');
    seen.came ??= await page.locator('#entries tbody tr', { hasText: 'entra' }).first().innerText();
  },
  '/api': (page) => page.click('#operations details:nth-of-type(6) summary'),
};

await day(async (first, seen, context) => {
  await first.close();
  Object.assign(seen, { visits: 0, faults: {}, pages: {}, kept: {} });
  const blame = (where, list) => { if (list.length) seen.faults[where] = [...new Set([...(seen.faults[where] ?? []), ...list])]; };

  // look looks at a page on a screen in a theme; rules: some of axe-core's; null: none.
  async function look(page, path, name, theme, rules) {
    const { density, width, height } = screens[name];
    await page.setViewportSize({ width, height });
    await page.evaluate((on) => { Object.assign(document.documentElement.dataset, on); dispatchEvent(new Event('resize')); }, { density, theme });
    await page.evaluate(() => new Promise((ok) => { requestAnimationFrame(() => requestAnimationFrame(ok)); }));
    const where = `${path} ${name} ${theme}`;
    blame(where, await page.evaluate(faults));
    if (density === 'compact' && name !== 'desk' && touched.includes(path)) blame(where, await page.evaluate(tight));
    if (path === '/review' && ['tablet', 'lying', 'phone'].includes(name)) {
      const needs = await page.evaluate(() => { // who may only look has no buttons
        const act = document.querySelector('#acts button');
        return act && Math.round(act.getBoundingClientRect().bottom - document.querySelector('#video').getBoundingClientRect().top);
      });
      if (needs > height) blame(where, [`the picture and what may be done about an alert do not fit on the screen: ${needs} px`]);
    }
    if (path === '/' && width <= 1100) { // whatever the header says beside it
      const lines = await page.evaluate(() => ['h1', 'nav'].map((x) => document.querySelector(`header ${x}`).getBoundingClientRect()).map((r) => (r.top + r.bottom) / 2));
      if (Math.abs(lines[0] - lines[1]) > 10) blame(where, [`the menu is not on the header's first line: ${lines}`]);
      const gaps = await page.evaluate(() => {
        const parts = ['header', 'main', 'aside'].map((x) => document.querySelector(`body > ${x}`).getBoundingClientRect()).sort((a, b) => a.top - b.top);
        return innerWidth > 900 ? [] : parts.slice(1).map((r, i) => Math.round(r.top - parts[i].bottom));
      });
      if (gaps.some((g) => g > 1)) blame(where, [`between header, alerts and tables lie gaps of ${gaps} px`]);
    }
    if (rules !== null) blame(where, await page.evaluate(barriers, rules));
    if (process.env.VISION_SCREENSHOTS) await page.screenshot({ path: `${folder}/${path.replace(/\W+/g, '_')}-${name}-${theme}.png` });
  }

  const looked = new Set();
  for (const { user, besides = [] } of people) {
    await context.clearCookies();
    const page = await context.newPage();
    await login(page, user, '/account');
    await page.waitForURL(`${url}account`);
    await there(page);
    if (!looked.size) await page.evaluate(calibrate, 'BJ1');
    seen.pages[user] = await page.evaluate(() => [...document.querySelectorAll('nav a')].map((a) => a.getAttribute('href')));
    for (const path of [...seen.pages[user], ...besides]) {
      await page.goto(new URL(path, url).href);
      await there(page);
      seen.visits++;
      const name = path.split('#')[0];
      if (looked.has(name)) { // by other eyes: what one may not do is not there
        await look(page, name, 'phone', 'dark', null);
        continue;
      }
      looked.add(name);
      await opened[name]?.(page, seen);
      await page.evaluate(axe);
      await look(page, name, 'wall', 'dark');
      await look(page, name, 'wall', 'light', ['color-contrast']);
      await look(page, name, 'desk', 'light', null);
      if (touched.includes(name)) for (const screen of ['tablet', 'lying']) await look(page, name, screen, 'dark', null);
      await look(page, name, 'phone', 'light');
      await look(page, name, 'phone', 'dark', ['color-contrast']);
      if (!await page.locator('#open-menu').count()) continue;
      for (const l of languages) {
        await page.selectOption('#language', l, { force: true });
        blame(`${name} ${l}`, await page.evaluate(faults));
      }
    }
    await page.close();
  }
  seen.looked = [...looked];

  // A page that is kept back says so, and stands when what it needs comes.
  await context.clearCookies();
  const page = await context.newPage();
  await login(page, people[0].user, '/account');
  await page.waitForURL(`${url}account`);
  await page.evaluate(() => { localStorage.setItem('lang', 'es'); });
  const quiet = seen.errors.length; // from here on the browser complains of what we do
  for (const [what, [of, how]] of Object.entries(kept)) {
    await page.route(of, how, { times: 1 });
    await page.goto(`${url}configuration`);
    await page.waitForSelector('#arrival button');
    seen.kept[what] = await page.locator('#arrival').innerText();
    await page.waitForSelector('#settings tbody tr');
    await there(page);
  }
  await page.route('**/api/v1/configuration', (r) => r.fulfill({ status: 403, json: { error: 'not yours' } }), { times: 1 });
  await page.goto(`${url}configuration`);
  await page.waitForSelector('#arrival button');
  seen.kept.right = await page.locator('#arrival').innerText();
  let go;
  await page.route('**/api/v1/configuration', async (r) => { await new Promise((ok) => { go = ok; }); await r.continue(); }, { times: 1 });
  await page.click('#arrival button'); // tries at once
  await page.waitForFunction(() => document.querySelector('#arrival')?.checkVisibility({ visibilityProperty: true }) && !document.querySelector('#arrival button'));
  seen.kept.late = await page.locator('#arrival').innerText();
  go();
  await there(page);
  // Without its style a page stands, says what is missing, and has it when it comes.
  const sheet = '**/assets/style.css';
  await page.route(sheet, (r) => r.fulfill({ status: 503 }));
  await page.goto(`${url}configuration`);
  await there(page);
  await page.waitForSelector('#unstyled button');
  seen.kept.style = await page.locator('#unstyled').innerText();
  seen.rows = await page.locator('#settings tbody tr').count();
  await page.unroute(sheet);
  await page.waitForFunction(() => !document.querySelector('#unstyled')); // by itself
  seen.styled = await page.evaluate(() => getComputedStyle(document.body).marginTop);
  // Without a line to the server a page says that it may be of before; with it no longer.
  await page.route('**/api/v1/events', (r) => r.fulfill({ status: 503 }));
  await page.goto(`${url}supervision`);
  await page.waitForSelector('#line');
  seen.kept.line = await page.locator('#line').innerText();
  await page.unroute('**/api/v1/events');
  await page.waitForSelector('#line', { state: 'detached' });
  // Whatever page it is.
  seen.stood = (await Promise.all(seen.looked.map(async (path) => {
    const p = await context.newPage();
    await p.route('**/api/v1/**', (r) => r.abort('connectionreset'), { times: 1 });
    await p.goto(new URL(path, url).href);
    await there(p);
    const text = await p.evaluate(() => document.body.innerText.trim().length);
    await p.close();
    return text > 20 && path;
  }))).filter(Boolean);
  seen.errors.length = quiet;
}, /404.*\/whep\/session\/|Failed to fetch[^]*\/whep\.js/); // a page may be left while it asks for video, and leave a session that has ended
