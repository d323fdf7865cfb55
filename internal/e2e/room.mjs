// Goes through the days of the room in a real browser: a jefe takes tables and is
// refused others, the surveillance operator reviews and takes a case away, the
// technician calibrates. Prints what was seen as one JSON object.
//   node room.mjs URL USER PASSWORD FOLDER CHROMIUM
import { chromium } from 'playwright-core';

const [url, user, password, folder, executablePath] = process.argv.slice(2);
const seen = {};
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 }, acceptDownloads: true });
  page.setDefaultTimeout(60000);
  const errors = [];
  page.on('pageerror', (e) => errors.push(String(e)));
  await page.goto(`${url}login?next=/supervision`);
  await page.fill('[name=user]', user);
  await page.fill('[name=password]', password);
  await page.click('button');

  // The jefe's: two banked card tables go together, a roulette does not.
  const jefe = (table) => page.locator(`tr[data-table=${table}] select`);
  await page.waitForSelector('tr[data-table=blackjack] .rec.ok');
  await page.waitForSelector('tr[data-table=punto_banco] .rec.ok');
  await jefe('blackjack').selectOption(user);
  await page.waitForFunction((u) => document.querySelector('tr[data-table=blackjack] select').value === u, user);
  await jefe('punto_banco').selectOption(user);
  await page.waitForFunction((u) => document.querySelector('tr[data-table=punto_banco] select').value === u, user);
  await jefe('ruleta_francesa').selectOption(user);
  await page.waitForSelector('#said:not([hidden])');
  seen.refused = await page.locator('#said').innerText();
  await page.screenshot({ path: `${folder}/supervision.png` });
  await page.goto(url);
  await page.waitForSelector('#banner:not([hidden])');
  seen.banner = await page.locator('#banner').innerText();

  // The operator's: an alert of a round, by keyboard.
  await page.goto(`${url}review`);
  await page.waitForSelector('#list .alert', { timeout: 90000 });
  await page.keyboard.press('j');
  await page.waitForFunction(() => { const v = document.querySelector('#video'); return v.readyState >= 2 && v.currentTime > 0; });
  seen.played = await page.evaluate(() => document.querySelector('#video').videoWidth);
  await page.keyboard.press(' ');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${folder}/review.png` });
  await page.check('#case [value=punto_banco]');
  await page.click('#case button');
  await page.waitForSelector('#cases a');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#cases a')]);
  await download.saveAs(`${folder}/case.zip`);
  await page.keyboard.press('v');
  await page.waitForSelector('#list .done');

  // The technician's: the zones on the camera's own picture.
  await page.goto(`${url}calibrate/blackjack`);
  await page.waitForFunction(() => document.querySelector('#video').videoWidth > 0);
  await page.click('#still');
  await page.waitForSelector('#picture:not([hidden])');
  await page.selectOption('#zone', 'bank');
  await page.focus('#picture');
  await page.keyboard.press('ArrowRight');
  await page.screenshot({ path: `${folder}/calibrate.png` });
  await page.click('#save');
  await page.waitForSelector('#versions li:nth-child(2)');
  seen.versions = await page.locator('#versions li').count();
  seen.errors = errors;
} catch (e) {
  seen.failed = String(e);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
process.exit(seen.failed ? 1 : 0);
