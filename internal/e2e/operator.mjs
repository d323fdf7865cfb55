// The surveillance operator's day: the queue by keyboard, the recording and its
// timeline, a case over two tables taken away.
import { day, folder, login, until } from './day.mjs';

await day(async (page, seen, context) => {
  await login(page, 'sara', '/review');
  await page.waitForSelector('#list .alert', { timeout: 90000 });
  const asked = Date.now();
  await page.keyboard.press('j');
  await page.waitForFunction(() => { const v = document.querySelector('#video'); return v.readyState >= 2 && v.videoWidth && !v.seeking; });
  seen.start = Date.now() - asked;
  seen.seconds = { recording: seen.start / 1000 };
  await page.keyboard.press('p'); // it stands at the deciding moment
  await page.waitForFunction(() => document.querySelector('#video').currentTime > 0 && !document.querySelector('#video').paused);
  seen.played = await page.evaluate(() => document.querySelector('#video').videoWidth);
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelector('#video').paused);
  const time = () => page.evaluate(() => document.querySelector('#video').currentTime);
  const before = await time();
  await page.keyboard.press('.');
  seen.step = await until('a picture on', 10000, async () => (await time()) - before);

  // Scrubbing along the timeline, by keyboard: a picture each time.
  await page.focus('#timeline');
  // Of an early alert hardly anything is recorded before, and of a new one nothing yet that is ten seconds later.
  await until('ten seconds on', 30000, async () => {
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForTimeout(1000);
    return (await time()) > before + 8;
  });
  seen.scrub = [];
  for (let i = 0; i < 5; i++) {
    const was = await time();
    const from = Date.now();
    await page.keyboard.press('ArrowLeft');
    await until('the picture a second before', 10000, async () => (await time()) < was && page.evaluate(() => { const v = document.querySelector('#video'); return !v.seeking && v.readyState >= 2; }));
    seen.scrub.push(Date.now() - from);
  }
  seen.strip = await page.locator('#timeline').getAttribute('aria-valuetext');
  await page.evaluate(() => document.activeElement.blur());
  for (const key of [']', ']', ']']) await page.keyboard.press(key);
  seen.rate = await page.evaluate(() => document.querySelector('#video').playbackRate);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: `${folder}/review.png` });

  // Beside the picture stands what was read in it, at the latest when the alert's chips
  // lie there.
  for (const key of ['[', '[', '[', 'p']) await page.keyboard.press(key);
  seen.read = await until('the readings', 90000, async () => page.evaluate(() => [...document.querySelectorAll('#readings li:not(.empty)')].map((x) => x.textContent)).then((x) => x.length && x));

  // A telephone without Media Source, as iPhones were, has the recording as a file; a link
  // leads to the alert, and what is decided lies in sight with it.
  const bare = await context.newPage();
  await bare.setViewportSize({ width: 390, height: 844 });
  await bare.addInitScript(() => { delete globalThis.MediaSource; delete globalThis.ManagedMediaSource; });
  const linked = Date.now();
  await bare.goto(page.url());
  await bare.waitForFunction(() => { const v = document.querySelector('#video'); return v.readyState >= 2 && !v.seeking; });
  await bare.waitForSelector('#acts button');
  seen.seconds.link = (Date.now() - linked) / 1000;
  seen.inSight = await bare.evaluate(() => [...document.querySelectorAll('.picture, #acts button')].every((e) => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight && document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)?.closest('.picture, #acts button') === e; }));
  await bare.screenshot({ path: `${folder}/review-phone.png` });
  await bare.keyboard.press('p');
  seen.file = await until('the file plays', 30000, () => bare.evaluate(() => { const v = document.querySelector('#video'); return v.currentTime > 0.3 && !v.paused && !('MediaSource' in globalThis) && v.videoWidth; }));
  await bare.close();

  await page.check('#case [value=PB1]');
  await page.check('#case [value=PB2]');
  const made = Date.now();
  await page.click('#case button');
  await page.waitForSelector('#cases a');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#cases a')]);
  await download.saveAs(`${folder}/case.zip`);
  seen.seconds.case = (Date.now() - made) / 1000;
  await page.keyboard.press('v');
  await page.waitForSelector('#list .done');
  seen.zip = `${folder}/case.zip`;
  const judged = Date.now();
  await page.keyboard.press('4');
  await page.waitForSelector('#acts:empty', { state: 'attached' });
  seen.seconds.outcome = (Date.now() - judged) / 1000;
});
