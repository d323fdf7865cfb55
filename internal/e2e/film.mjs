// The moving picture of README: an alert comes up on the wall, its recording is opened and
// it is decided beside it. FFmpeg makes a WebP of what the browser painted.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rate = 6; // pictures a second
const size = { width: 1200, height: 675 };
const before = 3; // seconds of the wall before the alert

// film waits for the next alert about money with a recording, and writes alert.webp into a
// folder. The page is logged in.
export async function film(page, url, folder) {
  const whole = page.viewportSize();
  await page.setViewportSize(size);
  await page.evaluate(() => Object.entries({ theme: 'dark', density: 'compact', lang: 'en' }).forEach(([k, v]) => localStorage.setItem(k, v)));
  await page.goto(url);
  await page.waitForFunction(() => [...document.querySelectorAll('.tile:not([hidden]) video')].every((v) => v.videoWidth > 0));
  const old = await page.locator('.alert').evaluateAll((all) => all.map((li) => li.dataset.id));
  const painted = []; // {at (s), jpeg}
  const devtools = await page.context().newCDPSession(page);
  let keep = before; // seconds
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    painted.push({ at: metadata.timestamp, jpeg: data });
    while (painted.length > 1 && painted[1].at < metadata.timestamp - keep) painted.shift();
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => {}); // the last come when it has stopped
  });
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
  // touch shows where a hand touches, and clicks there.
  const touch = async (at) => {
    await at.evaluate((e) => {
      const b = e.getBoundingClientRect();
      const ring = document.createElement('div');
      ring.style.cssText = `position:fixed;left:${b.left + Math.min(b.width, 200) / 2 - 20}px;top:${b.top + b.height / 2 - 20}px;width:40px;height:40px;border:4px solid #ffb74d;border-radius:50%;pointer-events:none`;
      (e.closest('dialog') ?? document.body).append(ring);
      setTimeout(() => ring.remove(), 900);
    });
    await page.waitForTimeout(700);
    await at.click();
  };
  const id = await (await page.waitForFunction((seen) => [...document.querySelectorAll('.alert')].find((li) => !seen.includes(li.dataset.id) && li.querySelector('.play:not([hidden])') && li.querySelector('.sum').textContent)?.dataset.id, old, { timeout: 300000 })).jsonValue();
  keep = Infinity;
  const card = page.locator(`.alert[data-id="${id}"]`);
  await page.waitForTimeout(2200);
  await touch(card.locator('.head'));
  await page.waitForTimeout(1800);
  await touch(card.locator('.play'));
  await page.waitForFunction(() => document.querySelector('#clip video').readyState > 2);
  await page.evaluate(() => { const v = document.querySelector('#clip video'); v.currentTime = Math.max(0, v.duration - 6); });
  await page.waitForTimeout(4000);
  await touch(page.locator('#clip .outcome.corrected'));
  await page.waitForTimeout(800);
  if (await page.locator('#clip[open]').count()) await page.keyboard.press('Escape');
  await page.waitForTimeout(1800);
  await devtools.send('Page.stopScreencast');
  await write(painted, join(folder, 'alert.webp'));
  await page.evaluate(() => localStorage.removeItem('lang'));
  await page.setViewportSize(whole);
}

// write makes a film of pictures, each of which shows until the next was painted.
async function write(painted, to) {
  const dir = await mkdtemp(join(tmpdir(), 'film-'));
  const list = [];
  for (const [i, { at, jpeg }] of painted.entries()) {
    await writeFile(join(dir, `${i}.jpg`), Buffer.from(jpeg, 'base64'));
    list.push(`file ${i}.jpg`, `duration ${(painted[i + 1]?.at ?? at + 1) - at}`);
  }
  await writeFile(join(dir, 'list'), list.join('\n'));
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-i', join(dir, 'list'), '-vf', `fps=${rate},scale=960:-2:flags=lanczos`,
    '-c:v', 'libwebp_anim', '-quality', '70', '-compression_level', '5', '-loop', '0', to], { encoding: 'utf8' });
  await rm(dir, { recursive: true });
  if (made.status) throw new Error(`ffmpeg: ${made.error ?? made.stderr}`);
}
