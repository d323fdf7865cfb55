// The first table: from the log-in of the first administrator to the first card read.
//   … FIRST CAMERA CORNERS: the first password, the camera's address, and where the
//   layout's corners are in its picture, with the number of seats, as JSON
import { readFile } from 'node:fs/promises';
import { day, folder, hand, login, password, rest, until, url } from './day.mjs';

const [first, camera, felt] = rest;
const { px, seats } = JSON.parse(felt);
const axe = await readFile(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

await day(async (page, seen, context) => {
  const begun = Date.now();
  seen.refused = [];
  seen.worst = [];
  const shot = (name) => page.screenshot({ path: `${folder}/first-${name}.png` });
  const said = () => page.locator('#said').innerText();
  const step = (name) => page.waitForSelector(`section[data-step=${name}]:not([hidden])`);
  // refusal is what the page says to what cannot be.
  const refusal = async (button) => {
    await page.click(button);
    seen.refused.push(await until('it is refused', 60000, () => page.evaluate(() => document.querySelector('#said.bad')?.textContent)));
  };
  // look asks axe in both themes and densities.
  const look = async () => {
    await page.evaluate(axe); // as a text: the page's policy lets no script in
    for (const [theme, density] of [['dark', 'wall'], ['light', 'compact'], ['light', 'wall'], ['dark', 'compact']]) {
      const found = await page.evaluate(async ([th, de]) => {
        document.documentElement.dataset.theme = th;
        document.documentElement.dataset.density = de;
        const r = await window.axe.run(document, { resultTypes: ['violations'] });
        return r.violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${th} ${de} ${v.id}: ${v.nodes[0].html}`);
      }, [theme, density]);
      seen.worst.push(...found);
    }
  };

  await login(page, 'admin', '/', first);
  await page.waitForURL('**/account');
  await page.fill('[name=old]', first);
  await page.fill('[name=new]', password);
  await page.fill('[name=again]', password);
  await page.click('#password button');
  await page.waitForSelector('#held', { state: 'hidden' });
  await page.goto(url);
  await page.waitForURL('**/setup');
  seen.bare = new URL(page.url()).pathname;

  // The camera: an address that is none, one where nobody answers to this password, then it.
  await step('camera');

  // Which camera, where: a place, and one where no camera can be.
  await page.click('#plan summary');
  await page.click('#plan-form [name=place]');
  seen.planned = await until('its zones are listed', 20000, () => page.locator('#plan-answer tbody tr').count());
  await page.waitForFunction(() => document.querySelector('#plan-drawing').naturalWidth > 0);
  await shot('plan');
  await look();
  await page.fill('#plan-form [name=view]', '2');
  await page.fill('#plan-form [name=width]', '5000');
  await page.click('#plan-form [name=place]');
  seen.narrow = await until('a lens that is too long', 20000, async () => (await page.locator('#plan-answer').innerText()).includes('no cabe'));
  await page.click('#plan summary');
  await page.fill('[name=url]', 'http:');
  await refusal('#camera button.main');
  await page.fill('[name=url]', camera);
  await page.fill('[name=user]', 'mesa');
  await page.fill('[name=password]', 'otra');
  await refusal('#camera button.main');
  await page.fill('[name=password]', 'una clave');
  await shot('camera');
  await page.click('#camera button.main');
  await step('table');
  await page.waitForFunction(() => document.querySelector('#video').videoWidth > 0);

  await page.selectOption('#table [name=game]', 'punto_banco');
  await page.fill('[name=id]', 'PB1');
  await page.fill('[name=name]', 'Punto y banca 1');
  await page.fill('[name=min]', '50');
  await page.fill('[name=max]', '5');
  await refusal('#table button.main');
  await page.fill('[name=min]', '5');
  await page.fill('[name=max]', '500');
  await page.click('#table summary');
  await page.fill('[name=options]', 'mesa: enorme');
  await refusal('#table button.main');
  await page.fill('[name=options]', 'mesa: mini');
  await shot('table');
  await page.click('#table button.main');

  await step('empty');
  await page.click('#empty');
  await page.waitForSelector('#picture:not([hidden])');
  await shot('empty');
  await page.click('section[data-step=empty] [data-next]');

  await step('felt');
  await page.fill('#seats', String(seats));
  const at = ([x, y]) => page.evaluate(([ax, ay]) => {
    const c = document.querySelector('#picture');
    const b = c.getBoundingClientRect();
    const k = Math.min(b.width / c.width, b.height / c.height);
    return [b.left + (b.width - c.width * k) / 2 + ax * k, b.top + (b.height - c.height * k) / 2 + ay * k];
  }, [x, y]);
  for (const [i, p] of px.entries()) {
    await page.mouse.click(...await at(p));
    if (i >= 3) await page.waitForFunction((n) => document.querySelectorAll('#zone option').length > 3 && (n < 4 || document.querySelector('#residual').textContent.includes('mm')), i);
  }
  seen.packs = await page.evaluate(() => [...document.querySelector('#pack').options].map((o) => o.value));
  await look();
  await shot('felt');
  await page.click('#save');
  await step('chips');

  // Whoever leaves comes back to where they were; the picture is there again.
  const { href } = await page.evaluate(() => ({ href: location.href }));
  await page.goto('about:blank');
  await page.goto(href);
  await page.waitForSelector('section[data-step]:not([hidden])');
  seen.left = await page.evaluate(() => document.querySelector('section[data-step]:not([hidden])').dataset.step);
  await page.waitForFunction(() => document.querySelector('#video').videoWidth > 0);
  await shot('chips');

  // Two kinds of chips, shown one after the other; the hand takes each away again.
  for (const kind of ['e25', 'e100']) await page.click(`#chips button[aria-label$=" ${kind}"]:not([title])`);
  await page.click('#show');
  for (const i of [0, 1]) {
    const face = () => page.evaluate((k) => document.querySelectorAll('#chips tbody tr')[k].querySelector('button').textContent, i);
    await until(`chip ${i} is asked for`, 60000, async () => (await said()).startsWith('Ponga sola')); // the one before is seen to be gone
    const before = await face();
    await hand(`chip${i}`);
    await until(`chip ${i} is learned`, 120000, async () => await face() !== before);
    await hand('empty');
  }
  seen.chips = await page.evaluate(() => [...document.querySelectorAll('#chips tbody tr')].map((r) => [...r.querySelectorAll('td button[title]')].map((b) => getComputedStyle(b).backgroundColor)));
  await shot('shown');
  await page.click('#save-chips');

  await step('sight');
  await hand('deal');
  seen.read = await until('a card is read', 240000, () => page.evaluate(() => [...document.querySelectorAll('#readings li:not(.unsure)')].map((x) => x.textContent).find((x) => x.startsWith('carta'))));
  await shot('sight');
  await page.setViewportSize({ width: 820, height: 1180 });
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.click('section[data-step=sight] [data-next]');

  await step('go');
  await shot('go');
  await page.click('#go');
  await page.waitForURL('**/setup?table=PB1**');
  seen.first = await until('the first card', 240000, () => page.evaluate(() => document.querySelector('#first[data-read]')?.textContent));
  seen.seconds = (Date.now() - begun) / 1000;
  await shot('live');
  if (await said() !== 'La mesa está en marcha.') throw new Error(await said());
  await context.close();
}, /(400|422) .*\/setup|404 .*\/whep\/session|ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/);
