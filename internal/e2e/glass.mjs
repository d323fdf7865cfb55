// Watches the wall's first tile and reads the time out of each of its pictures
// (internal/lab/sim, stamp): how long it took from the camera to the screen.
//   … USER SECONDS
import { day, login } from './day.mjs';

const [user, seconds] = process.argv.slice(7);

await day(async (page, seen) => {
  await login(page, user);
  await page.waitForSelector('.tile video');
  await page.waitForFunction(() => document.querySelector('.tile video').videoWidth > 0, undefined, { timeout: 90000 });
  await page.evaluate(() => {
    const bits = 20;
    const cells = bits + 4;
    const v = document.querySelector('.tile video');
    const c = document.createElement('canvas');
    [c.width, c.height] = [cells * 8, 1];
    const g = c.getContext('2d', { willReadFrequently: true });
    window.read = { delays: [], bad: 0, times: [] };
    const look = (now, meta) => {
      g.drawImage(v, 0, v.videoHeight / 60, v.videoWidth, 1, 0, 0, c.width, 1);
      const d = g.getImageData(0, 0, c.width, 1).data;
      const on = (i) => d[4 * (8 * i + 4)] > 128;
      let code = 0;
      let ones = 0;
      for (let b = 0; b < bits; b++) if (on(2 + b)) { code += 2 ** b; ones++; }
      const shown = performance.timeOrigin + meta.expectedDisplayTime;
      const span = 2 ** bits;
      const delay = ((shown - code) % span + span) % span;
      if (on(0) && !on(1) && on(2 + bits) === (ones % 2 === 1) && on(3 + bits) !== on(2 + bits) && delay < span / 2) window.read.delays.push(delay);
      else window.read.bad++;
      window.read.times.push(shown);
      window.read.width = v.videoWidth;
      v.requestVideoFrameCallback(look);
    };
    v.requestVideoFrameCallback(look);
  });
  await page.waitForTimeout(5000);
  await page.evaluate(() => { window.read = Object.assign(window.read, { delays: [], bad: 0, times: [] }); });
  await page.waitForTimeout(1000 * Number(seconds));
  Object.assign(seen, await page.evaluate(() => ({ delays: window.read.delays, bad: window.read.bad, width: window.read.width })));
});
