// The croupier's day: a blackjack and a roulette round on the touch page of each
// table. What has to be said comes from the stand; each is said by touching the
// buttons that the page shows, as large as they are on an 8-inch screen.
import { day, folder, hand, until, url } from './day.mjs';

const token = process.argv[7];

// touches are the labels to touch, one after the other, for what is to be said.
function touches(said, calls) {
  const { kind, args } = said;
  const same = (a, b) => Object.entries(a).every(([k, v]) => String(b[k]) === String(v));
  for (const c of calls) {
    if (c.kind !== kind || !same(c.args, args)) continue;
    const out = [c.es];
    if (c.per_seat) out.push(`Puesto ${args.seat ?? args.zone.slice('seat:'.length)}`);
    if (c.zones) out.push(c.zones.find((z) => z.zone === args.zone)?.es);
    if (c.choices) out.push(c.choices.find((x) => same(x.args, args))?.label);
    return out.includes(undefined) ? null : out;
  }
  return null;
}

// work serves a table until stop says that it is enough.
async function work(context, table, seen, enough) {
  const page = await context.newPage();
  const view = { width: 800, height: 480 };
  await page.setViewportSize(view);
  await page.goto(`${url}terminal/${table}#${token}`);
  await page.waitForSelector('#buttons button');
  const { calls } = await (await fetch(`${url}api/v1/tables/${table}/calls`, { headers: { Authorization: `Bearer ${token}` } })).json();
  seen[table] = { said: [], none: [], small: Infinity };
  const mine = seen[table];
  await until(`${table}: enough was said`, 240000, async () => {
    for (const said of await (await hand(`next/${table}`)).json()) {
      const way = touches(said, calls);
      if (!way) { mine.none.push(said.args.call ?? said.kind); continue; }
      for (const label of way) {
        const b = page.getByRole('button', { name: label, exact: true }).filter({ visible: true });
        const box = await b.boundingBox();
        mine.small = Math.min(mine.small, box.width, box.height);
        await b.tap();
      }
      mine.said.push({ kind: said.kind, args: said.args });
      if (said.args.call === 'no_va_mas' || said.args.call === 'puntos_banca') await page.screenshot({ path: `${folder}/terminal-${table}.png` });
    }
    return enough(mine.said);
  });
  await page.waitForFunction(() => document.querySelector('#sent').textContent.trim().startsWith('Enviado'));
  if (table === 'R1') { // the line is cut for a moment: nothing is lost
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Hagan juego', exact: true }).tap();
    await page.waitForFunction(() => document.querySelector('#sent').textContent.includes('(1)'));
    await context.setOffline(false);
    await page.waitForFunction(() => document.querySelector('#sent').textContent.trim().startsWith('Enviado'));
    mine.caughtUp = true;
  }
  await hand(`leave/${table}`);
}

const count = (said, call) => said.filter((s) => s.args.call === call).length;

await day(async (_, seen, context) => {
  // Both begin within a round: the second end is that of a whole one.
  await Promise.all([
    work(context, 'BJ1', seen, (said) => count(said, 'puntos_banca') >= 2),
    work(context, 'R1', seen, (said) => count(said, 'number') >= 2 && count(said, 'no_va_mas') >= 2),
  ]);
});
