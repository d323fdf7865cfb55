// What the page of sessions asks a jefe for at each table of the house: [table, may be said,
// fields of its opening].
import { day, login } from './day.mjs';

await day(async (page, seen) => {
  await login(page, 'ana', '/sessions');
  seen.asked = {};
  for (const table of process.argv.slice(7)) {
    await page.selectOption('#table', table);
    await page.waitForSelector('[data-step=open]');
    await page.click('[data-step=open]');
    const opening = await page.locator('#form [name]').evaluateAll((all) => all.map((e) => e.name));
    await page.fill('#form [name=min]', '5');
    await page.click('#form button:not([type=button])');
    await page.waitForSelector('[data-step=close]');
    const steps = await page.locator('[data-step]').evaluateAll((all) => all.map((e) => e.dataset.step));
    await page.click('[data-step=close]');
    seen.asked[table] = { opening, steps, closing: await page.locator('#form [name]').evaluateAll((all) => all.map((e) => e.name)) };
  }
});
