// Makes the README's moving picture from a running demonstration: an alert on the wall, its recording,
// and what is decided.
//   lab demo & ADMIN=PASSWORD node moving.mjs http://127.0.0.1:8080/ docs/alert.webp CHROMIUM
// needs ffmpeg with libwebp.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [url, file, executablePath] = process.argv.slice(2);
const size = { width: 1280, height: 720 };
const width = 960; // of the picture
const rate = 5; // pictures per second

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required', '--mute-audio'] });
const page = await (await browser.newContext({ locale: 'es-ES', viewport: size })).newPage();
page.setDefaultTimeout(300_000);
await page.goto(`${url}login`);
await page.fill('[name=user]', 'admin');
await page.fill('[name=password]', process.env.ADMIN);
await page.click('button');
await page.waitForURL((u) => u.pathname === '/');
await page.goto(`${url}?density=compact&theme=dark`);
await page.waitForFunction(() => [...document.querySelectorAll('.tile:not([hidden]) video')].every((v) => v.videoWidth > 0));
const card = page.locator('.alert:not(.done, .over):has(.play:not([hidden]))').first();
await card.waitFor();

const folder = await mkdtemp(path.join(os.tmpdir(), 'moving-'));
let list = '';
let taken = 0;
let last = '';
// film takes pictures for so many seconds, each to be shown for as long as it took.
async function film(seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const from = Date.now();
    last = `${String(taken++).padStart(4, '0')}.jpg`;
    await writeFile(path.join(folder, last), await page.screenshot({ type: 'jpeg', quality: 90 }));
    await page.waitForTimeout(Math.max(0, 1000 / rate - (Date.now() - from)));
    list += `file ${last}\nduration ${(Date.now() - from) / 1000}\n`;
  }
}
await film(3);
await card.click({ position: { x: 20, y: 10 } });
await film(2);
await card.locator('.play:not([aria-disabled=true])').click();
await page.waitForFunction(() => document.querySelector('#clip video').currentTime > 0);
await film(12); // ten seconds before, and what happened
await page.locator('#clip .outcome.corrected:not([aria-disabled=true])').click();
await film(2);
await browser.close();
await writeFile(path.join(folder, 'list'), `${list}file ${last}\n`);
execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'concat', '-i', path.join(folder, 'list'), '-vf', `fps=${rate},scale=${width}:-2`, '-c:v', 'libwebp_anim', '-quality', '50', '-compression_level', '6', '-loop', '0', file]);
await rm(folder, { recursive: true });
