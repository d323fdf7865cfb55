// Two machines of a house: the wall of one shows the video of both, an alert of the other's
// table is acknowledged here and seen there; the other is killed, and its table's video comes
// back.
//   … OTHER TOKEN PID: the other machine's console, the tables' token, the other's process
import { day, folder, login, rest, until, url } from './day.mjs';

const [other, token, pid] = rest;
const [mine, theirs] = ['R1', 'R2'];

// say is what the croupier and the wheel of a table say, at whichever machine.
async function say(table, ago, kind, args) {
  const time = new Date(Date.now() - 1000 * ago).toISOString();
  const body = { id: `${table}${kind}${time}`, time, source: kind === 'ball' ? 'wheel' : 'terminal', kind, args };
  const r = await fetch(`${url}api/v1/tables/${table}/events`, {
    method: 'POST', body: JSON.stringify(body), headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  if (!r.ok) throw new Error(`${kind}: ${r.status} ${await r.text()}`);
}

const tables = (page) => page.evaluate(async () => (await fetch('/api/v1/tables')).json());

await day(async (page, seen, context) => {
  await login(page, 'sara');
  const plays = (p, table) => p.evaluate(async (t) => {
    const v = document.querySelector(`.tile[data-table="${t}"] video`);
    if (!v?.videoWidth) return 0;
    const from = v.currentTime;
    await new Promise((ok) => { setTimeout(ok, 500); });
    return v.currentTime > from ? v.videoWidth : 0;
  }, table);
  seen.tiles = {};
  for (const table of [mine, theirs]) seen.tiles[table] = await until(`pictures of ${table}`, 60000, () => plays(page, table));
  seen.runs = Object.fromEntries((await tables(page)).map((t) => [t.id, t.node]));

  const there = await context.newPage();
  await there.goto(other); // who has logged in at one is logged in at the other
  await there.waitForSelector(`.tile[data-table=${mine}]`);

  // A wheel's round ends by itself some seconds after its number: what is said comes as it is played.
  await say(theirs, 2, 'announce', { call: 'hagan_juego' });
  await say(theirs, 1, 'announce', { call: 'no_va_mas' });
  await Promise.all([say(theirs, 0, 'ball', { pocket: '17' }), say(theirs, -0.1, 'announce', { call: 'number', number: '18' })]);
  await say(theirs, -0.2, 'announce', { call: 'hagan_juego' });
  const alert = '.alert[data-code=variance_number]';
  const raised = Date.now();
  for (const p of [page, there]) await p.waitForSelector(alert);
  seen.shown = Date.now() - raised;
  seen.id = await page.locator(alert).getAttribute('data-id');
  await page.bringToFront();
  await page.locator(alert).focus();
  await page.locator(`${alert} .outcome.corrected`).click();
  const done = Date.now();
  for (const p of [page, there]) await p.waitForSelector(`${alert}.done`);
  seen.acknowledged = Date.now() - done;
  seen.by = await there.evaluate(async (id) => (await (await fetch('/api/v1/alerts')).json()).find((a) => a.id === id)?.ack.by, seen.id);
  await page.screenshot({ path: `${folder}/machines.png` });
  await there.close();

  const killed = Date.now();
  process.kill(Number(pid), 'SIGKILL');
  const runs = async () => (await tables(page)).find((t) => t.id === theirs).node === seen.runs[mine];
  await until('the table is taken', 60000, runs);
  seen.taken = Date.now() - killed;
  await until('its pictures are back', 60000, () => plays(page, theirs));
  seen.back = Date.now() - killed;
}, /whep/); // a line that is cut, and a machine that is gone
