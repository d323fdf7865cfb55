// Takes the pictures of docs from a demonstration that has just begun: the film of an alert,
// every page as it is, dark, and all of them in both themes on one sheet.
//   lab demo --conditions ideal & node pictures.mjs http://127.0.0.1:8080/ FOLDER CHROMIUM
// with the passwords that the demonstration printed in ADMIN and ANA.
import { writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { film } from './film.mjs';

const [url, folder, executablePath] = process.argv.slice(2);
const size = { width: 1600, height: 900 };
const quality = 55;

const press = (key) => (page) => page.keyboard.press(key);
// A video may be decoded and not painted yet.
const painted = (page) => page.evaluate(() => new Promise((done) => { document.querySelector('#video').requestVideoFrameCallback(done); setTimeout(done, 60000); }));
// Pages as [name, path, what has to be there, what is done first]; those with a name that
// docs show are kept by themselves.
const pages = [
  ['wall', '/', '.tile video', (page) => page.waitForFunction(() => [...document.querySelectorAll('.tile:not([hidden]) video')].every((v) => v.videoWidth > 0), null, { timeout: 90000 }).catch(() => {})],
  ['review', '/review', '#list .alert', async (page) => { await press('j')(page); await painted(page); }],
  ['tour', '/tour', '#steps [aria-current]', async (page) => { await press('4')(page); await painted(page); }],
  ['supervision', '/supervision', '#tables tbody tr'],
  ['sessions', '/sessions', '#steps button'],
  ['actas', '/actas', '#ask option'],
  ['statistics', '/statistics', 'h1'],
  ['health', '/health', '#cameras tbody tr'],
  ['calibrate', '/calibrate/PB1', '#game option', (page) => page.waitForFunction(() => document.querySelector('video').videoWidth > 0, null, { timeout: 60000 }).catch(() => {})],
  ['audit', '/audit', '#entries tbody tr'],
  ['thresholds', '/thresholds', '#rates tbody tr'],
  ['users', '/users', '#list tbody tr'],
  ['configuration', '/configuration', '#settings tbody tr'],
  ['api', '/api', '.operation', (page) => page.click('[data-operation="get /api/v1/tables"] summary')],
  ['account', '/account', '#sessions tbody tr'],
  ['terminal', '/terminal/BJ1', '#buttons button'],
  ['login', '/login', 'form'],
];
const kept = ['wall', 'review', 'tour', 'supervision', 'health', 'calibrate', 'audit', 'terminal', 'api', 'statistics'];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required', '--mute-audio'] });
const context = await browser.newContext({ locale: 'es-ES', viewport: size });
context.setDefaultTimeout(120000);
const page = await context.newPage();
await page.goto(`${url}login`);
await page.fill('[name=user]', 'admin');
await page.fill('[name=password]', process.env.ADMIN);
await page.click('button');
await page.waitForURL((u) => u.pathname === '/');
await film(page, url, folder);

const taken = []; // {name, theme, jpeg}
for (const [name, path, there, first] of pages) {
  for (const theme of ['dark', 'light']) {
    await page.evaluate((v) => { localStorage.setItem('theme', v); localStorage.setItem('density', 'compact'); }, theme);
    await page.goto(`${url}${path.slice(1)}`);
    await page.waitForSelector('#arrival', { state: 'detached' }).catch(() => console.error(`${path}: does not stand`));
    await page.waitForSelector(there, { state: 'attached', timeout: 30000 }).catch(() => console.error(`${path}: no ${there}`));
    await first?.(page).catch((err) => console.error(`${path}: ${err.message}`));
    await page.evaluate(() => new Promise((ok) => { requestAnimationFrame(() => requestAnimationFrame(ok)); }));
    const jpeg = await page.screenshot({ type: 'jpeg', quality });
    taken.push({ name, theme, jpeg });
    if (theme === 'dark' && kept.includes(name)) await writeFile(`${folder}/${name}.jpg`, jpeg);
  }
  console.log(name);
}
// The sheet: a row of four pictures, dark beside light.
const sheet = await context.newPage();
await sheet.setViewportSize({ width: 1640, height: 100 });
await sheet.setContent(`<style>body{margin:8px;display:grid;grid-template-columns:repeat(4,400px);gap:8px;font:14px sans-serif;background:#888}figure{margin:0}img{width:400px;display:block}</style>
  ${taken.map((x) => `<figure><img src="data:image/jpeg;base64,${x.jpeg.toString('base64')}"><figcaption>${x.name}</figcaption></figure>`).join('')}`);
await sheet.screenshot({ path: `${folder}/pages.jpg`, type: 'jpeg', quality: 60, fullPage: true });
await browser.close();
