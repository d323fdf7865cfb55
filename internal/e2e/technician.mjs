// The technician's day: calibrate a table from nothing, then its camera is pushed.
//   … CORNERS: the layout's corners and the middle of its far edge in the picture,
//   far left, far right, near right, near left, as JSON
import { day, folder, hand, login, until } from './day.mjs';

const corners = JSON.parse(process.argv[7]);

await day(async (page, seen) => {
  await login(page, 'tino', '/calibrate/BJ2');
  await page.waitForFunction(() => document.querySelector('#video')?.videoWidth > 0);
  await page.click('#still');
  await page.waitForSelector('#picture:not([hidden])');
  seen.game = await page.locator('#game').inputValue();
  seen.before = await page.locator('#versions li').count();
  await page.fill('#seats', '3');
  for (const [i, [x, y]] of corners.entries()) {
    const at = await page.evaluate(([px, py]) => {
      const c = document.querySelector('#picture');
      const b = c.getBoundingClientRect();
      const k = Math.min(b.width / c.width, b.height / c.height);
      return [b.left + (b.width - c.width * k) / 2 + px * k, b.top + (b.height - c.height * k) / 2 + py * k];
    }, [x, y]);
    await page.mouse.click(...at);
    if (i >= 3) await page.waitForFunction((n) => document.querySelectorAll('#zone option').length > 3 && (n < 4 || document.querySelector('#residual').textContent.includes('mm')), i);
  }
  seen.residual = await page.locator('#residual').innerText();
  await page.selectOption('#zone', 'bank');
  await page.screenshot({ path: `${folder}/calibrate.png` });
  await page.click('#save');
  await page.waitForSelector('#versions li');
  seen.versions = await page.locator('#versions li').count();

  // It is read from now on.
  const reads = () => page.evaluate(async () => (await (await fetch('/api/v1/health')).json()).cameras.find((c) => c.camera === 'BJ2').read);
  await until('the table is read', 120000, async () => (await reads()) > 20);
  await page.evaluate(() => {
    window.states = [];
    new EventSource('/api/v1/events').onmessage = (e) => { const m = JSON.parse(e.data); if (m.type === 'state' && m.table === 'BJ2') window.states.push({ at: Date.now(), round: m.body.round, doubt: m.body.not_verifiable ?? '' }); };
  });
  await until('its rounds are followed', 150000, () => page.evaluate(() => window.states.length && window.states.at(-1).doubt === '')).catch(async (e) => { throw new Error(`${e.message}: ${await page.evaluate(() => JSON.stringify(window.states.slice(-3)))}`); });

  // The camera is pushed: an alert within five seconds, no verdicts.
  await hand('bump');
  const pushed = Date.now();
  const moved = (open) => page.evaluate(async (o) => (await (await fetch('/api/v1/alerts')).json()).find((a) => a.code === 'camera_moved' && a.table === 'BJ2' && (!a.resolved || a.resolved.startsWith('0001')) === o), open);
  seen.alert = await until('the alert', 30000, () => moved(true));
  seen.after = Date.now() - pushed;
  seen.doubt = (await until('the round is in doubt', 10000, () => page.evaluate((t) => window.states.find((s) => s.at > t && s.doubt), pushed))).doubt;
  await page.goto(page.url().replace(/calibrate.*/, 'health'));
  await page.waitForSelector('#problems .critical');
  seen.health = await page.locator('#problems .critical').first().innerText();
  await page.screenshot({ path: `${folder}/health.png` });

  // A person confirms that it stands as it should.
  await page.goBack();
  await page.waitForSelector('#versions li');
  await page.click('#confirm');
  await until('it is over', 20000, () => moved(false));
  seen.said = await page.locator('#said').innerText();
});
