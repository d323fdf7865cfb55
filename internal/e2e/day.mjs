// What every person's day needs: a browser, a log-in, patience. A day prints what
// it saw as one JSON object; PERSON.mjs URL STAND PASSWORD FOLDER CHROMIUM …
import { chromium } from 'playwright-core';

export const [url, stand, password, folder, executablePath, ...rest] = process.argv.slice(2);

export const hand = (what) => fetch(`${stand}/${what}`).then((r) => { if (!r.ok) throw new Error(`${what}: ${r.status}`); return r; });

// until waits for f to be true, and gives what it gave.
export async function until(what, ms, f) {
  for (const end = Date.now() + ms; ;) {
    const v = await f();
    if (v) return v;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((ok) => { setTimeout(ok, 100); });
  }
}

export async function login(page, user, next = '/', secret = password) {
  await page.goto(`${url}login?next=${encodeURIComponent(next)}`);
  await page.fill('[name=user]', user);
  await page.fill('[name=password]', secret);
  await page.click('button');
}

// day opens a browser for f(page, seen, context) and prints what it saw. What matches
// forgiven is no fault of the page when the browser complains of it.
export async function day(f, forgiven = /^$/) {
  const seen = { errors: [] };
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
  });
  let page;
  try {
    const context = await browser.newContext({ locale: 'es-ES', viewport: { width: 1600, height: 900 }, acceptDownloads: true, hasTouch: true });
    context.setDefaultTimeout(60000);
    const watch = (p) => {
      p.on('pageerror', (e) => seen.errors.push(`${p.url()}: ${e.stack}`));
      p.on('console', (m) => {
        const { url: of } = m.location();
        if (m.type() !== 'error' || /401|409|favicon|ERR_INTERNET_DISCONNECTED/.test(m.text())) return;
        if (/404/.test(m.text()) && of.includes('/rounds/')) return; // an alert whose round is still being played
        if (forgiven.test(`${m.text()} ${of}`)) return;
        seen.errors.push(`${m.text()} ${of}`);
      });
    };
    context.on('page', watch);
    page = await context.newPage();
    await f(page, seen, context);
  } catch (e) {
    seen.failed = `${e}`;
    await page?.screenshot({ path: `${folder}/failed.png` }).catch(() => {});
  } finally {
    await browser.close();
  }
  console.log(JSON.stringify(seen));
  process.exit(seen.failed ? 1 : 0);
}
