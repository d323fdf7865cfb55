// Does a jefe de mesa's first minutes in a real browser, and prints what was seen
// as one JSON object.
//   node wall.mjs URL USER PASSWORD SCREENSHOT CHROMIUM
import { chromium } from 'playwright-core';

const [url, user, password, screenshot, executablePath] = process.argv.slice(2);
const seen = {};
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  const errors = [];
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('console', (m) => { if (m.type() === 'error' && !/401|favicon/.test(m.text())) errors.push(m.text()); });

  await page.goto(url);
  seen.sentToLogin = page.url().includes('/login');
  await page.fill('[name=user]', user);
  await page.fill('[name=password]', 'wrong password');
  await page.click('button');
  await page.waitForSelector('#error:not([hidden])');
  await page.fill('[name=user]', user);
  await page.fill('[name=password]', password);
  await page.click('button');
  await page.waitForSelector('.tile');
  seen.tables = await page.locator('.tile').count();

  // Four tables live: every receiver decodes more and more frames.
  const decoded = () => page.evaluate(async () => {
    const out = [];
    if (!window.visionPeer) return out;
    for (const s of (await window.visionPeer.getStats()).values()) if (s.type === 'inbound-rtp' && s.kind === 'video') out.push(s.framesDecoded ?? 0);
    return out;
  });
  const until = async (what, ms, f) => {
    const end = Date.now() + ms;
    for (;;) {
      const v = await f();
      if (v) return v;
      if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms; errors: ${errors.join(' | ')}`);
      await page.waitForTimeout(100);
    }
  };
  const first = await until('four videos decode', 60000, async () => { const d = await decoded(); return d.length === 4 && d.every((n) => n > 5) && d; });
  seen.decoded = await until('the videos go on', 30000, async () => { const d = await decoded(); return d.every((n, i) => n > first[i] + 10) && d; });

  // A wrong payment arrives as an alert at most 2 s after the chips came to rest.
  // A machine that is short of time may be late with one; all delays are told.
  seen.alert = await until('an alert about a wrong payment', 300000, () => page.evaluate(async () => {
    const seenAt = (window.alertsSeen ??= new Map());
    for (const li of document.querySelectorAll('.alert')) if (!seenAt.has(li.dataset.id)) seenAt.set(li.dataset.id, Date.now());
    const all = await (await fetch('/api/v1/alerts?open=true')).json();
    const hits = all.filter((a) => /^payout_(under|over|to_loser)$/.test(a.code) && a.clip && seenAt.has(a.id))
      .map((a) => ({ id: a.id, code: a.code, es: a.es, rule: a.rule, delay: seenAt.get(a.id) - Date.parse(a.at) }))
      .sort((a, b) => a.delay - b.delay);
    window.delays = hits.map((h) => h.delay);
    return hits[0]?.delay <= 2000 && hits[0];
  }));
  seen.delays = await page.evaluate(() => window.delays);
  const item = page.locator(`.alert[data-id="${seen.alert.id}"]`);
  seen.shown = await item.locator('.what').innerText();
  seen.article = await item.locator('.rule').innerText();
  await page.screenshot({ path: screenshot });

  // The clip that shows it plays.
  await page.waitForTimeout(3000);
  await item.locator('.play').click();
  seen.clip = await until('the clip plays', 20000, () => page.evaluate(() => {
    const v = document.querySelector('#clip video');
    if (v.error) throw new Error(`clip: ${v.error.message}`);
    return v.currentTime > 0.5 && { seconds: v.duration, width: v.videoWidth };
  }));
  await page.keyboard.press('Escape');

  // Acknowledged with an outcome, it stays so after a reload.
  await item.locator('.outcome.corrected').click();
  await page.waitForSelector(`.alert.done[data-id="${seen.alert.id}"]`);
  seen.acknowledged = await page.evaluate(async (id) => {
    const all = await (await fetch('/api/v1/alerts')).json();
    return all.find((a) => a.id === id)?.ack;
  }, seen.alert.id);

  // By keyboard: one tile alone, and back.
  await page.keyboard.press('2');
  seen.full = await page.locator('.tile.full').getAttribute('data-table');
  await page.keyboard.press('Escape');
  seen.errors = errors;
} catch (e) {
  seen.failed = String(e);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
process.exit(seen.failed ? 1 : 0);
