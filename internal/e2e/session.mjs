// A table's jornada: a jefe opens it with a second person, rounds are played, a limit that
// the norm forbids is refused, one that it allows comes into force, the table is closed;
// the surveillance room makes its acta and prints it.
import { stat } from 'node:fs/promises';
import { day, folder, login, password, until, url } from './day.mjs';

const table = 'R1';

await day(async (page, seen, context) => {
  const begun = new Date(Date.now() - 2000);
  await login(page, 'luis', '/supervision');
  await page.waitForSelector(`tr[data-table=${table}] .rec.ok`);
  await page.click(`tr[data-table=${table}] button`);
  await page.waitForFunction((t) => document.querySelector(`tr[data-table=${t}]`).innerText.includes('luis'), table);

  await page.goto(`${url}sessions#${table}`);
  const steps = () => page.locator('#log tbody tr').count();
  const say = async (step, fields, second) => {
    const before = await steps();
    await page.click(`[data-step=${step}]`);
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`#form [name=${name}]`);
      if (await field.evaluate((e) => e.tagName) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    if (second) {
      await page.fill('#form [name=second_user]', 'sara');
      await page.fill('#form [name=second_password]', second);
    }
    await page.click('#form button:not([type=button])');
    return until(`${step}: an answer`, 20000, async () => (await page.locator('#said:not([hidden])').count() ? page.locator('#said').innerText() : await steps() > before && 'said'));
  };
  seen.alone = await say('open', { float: '50000', min: '5', max: '100' }, 'another password');
  seen.errors = seen.errors.filter((e) => !/403 .*\/session$/.test(e)); // the browser's own remark on that
  seen.opened = await say('open', { float: '50000', min: '5', max: '100' }, password);
  seen.filled = await say('fill', { amount: '2500' }, password);
  seen.forbidden = await say('limits_changed', { min: '2' });
  seen.allowed = await say('limits_changed', { min: '10', max: '200' });
  const changed = Date.now(); // from the next round on
  seen.rounds = await until('two rounds, one of them under the new limits', 180000, async () => page.evaluate(async ([t, from, at]) => {
    const all = await (await fetch(`/api/v1/tables/${t}/rounds?from=${from}`)).json();
    return all.length >= 2 && all.filter((x) => Date.parse(x.start) > at).length >= 2 && all.length;
  }, [table, begun.toISOString(), changed]));
  await page.reload(); // rounds are steps too
  await page.waitForSelector('#log tbody tr');
  await page.screenshot({ path: `${folder}/session.png`, fullPage: true });
  seen.last = await say('last_rounds_announced', { last: '1', by: 'jefe' });
  seen.closed = await say('close', { float: '52500', reason: 'end_of_day' }, password);
  seen.state = await page.locator('#state').innerText();
  await page.waitForTimeout(1000 - Date.now() % 1000); // an acta is asked for in whole seconds

  const room = await context.newPage();
  await context.clearCookies();
  await login(room, 'sara', '/actas');
  await room.waitForSelector('#ask:not([hidden])');
  await room.selectOption('[name=about]', `table ${table}`);
  // The field writes a whole minute without seconds (HTML, normalized local date and time), and fill expects what it writes.
  const local = (d) => new Date(d.getTime() - d.getTimezoneOffset() * 60e3).toISOString().slice(0, 19).replace(/:00$/, '');
  await room.fill('[name=from]', local(begun));
  await room.fill('[name=to]', local(new Date()));
  await room.click('#ask button');
  await room.waitForSelector('#acta:not([hidden]) #totals');
  const id = decodeURIComponent(new URL(room.url()).hash.slice(1));
  seen.acta = await room.evaluate(async (i) => (await fetch(`/api/v1/actas/${encodeURIComponent(i)}`)).json(), id);
  await room.screenshot({ path: `${folder}/acta.png`, fullPage: true });
  seen.pdf = `${folder}/acta.pdf`;
  await room.pdf({ path: seen.pdf, format: 'A4' });
  seen.bytes = (await stat(seen.pdf)).size;
});
