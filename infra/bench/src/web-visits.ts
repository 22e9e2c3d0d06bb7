import { RATED } from '@vuka/money/directions';
import type { Browser, CDPSession, Page } from 'playwright-core';

const MERCHANT = { username: 'amina@vuka.test', pin: '1357' };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** A slow 3G connection, and a phone six times slower than this machine. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_SLOWDOWN = 6;

/** The cookie of a signed-in merchant of the demo data. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(MERCHANT),
  });
  if (!response.ok) throw new Error(`signing in: ${response.status}`);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return session;
}

/** Bytes transferred on a first visit, headers included, until nothing more is loading. */
export async function measureVisitBytes(browser: Browser, url: string, path: string): Promise<number> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url + path, { waitUntil: 'networkidle' });
  await context.close();
  return bytes;
}

/** The largest contentful paint of a first visit, in ms from its start, in a browser with an empty cache. */
export async function measureFirstVisit(browser: Browser, url: string, path: string): Promise<number> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await slowDown(page);
  await page.goto(url + path, { waitUntil: 'networkidle' });
  const lcpMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await context.close();
  return Math.round(lcpMs);
}

/** When a returning merchant sees a balance on the send page, and when the current one has arrived, ms. */
export async function measureRepeatVisit(browser: Browser, url: string): Promise<{ shownMs: number; freshMs: number }> {
  const context = await browser.newContext({ ...PHONE, baseURL: url });
  const first = await context.newPage();
  await first.goto('/auth');
  await first.getByLabel('Email').fill(MERCHANT.username);
  await first.getByLabel('4-digit PIN').fill(MERCHANT.pin);
  await first.getByRole('button', { name: 'Log in' }).click();
  await first.waitForURL('**/dashboard');
  await first.getByText(RATED.source).first().waitFor();
  await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await first.waitForFunction(() => localStorage.getItem('vuka.kept')?.includes('/api/balances'));
  await first.close();
  const page = await context.newPage();
  await slowDown(page);
  const balances = page.waitForResponse('**/api/balances');
  await page.goto('/send', { waitUntil: 'commit' });
  // Measured inside the page, since each question from outside waits for the slowed processor.
  const shown = page.waitForFunction(
    (currency) =>
      new RegExp(`balance:\\s*[\\d,]+ ${currency}`).test(document.body?.textContent ?? '') && performance.now(),
    RATED.source,
  );
  const shownMs = Number(await (await shown).jsonValue());
  await (await balances).finished();
  const freshMs = await page.evaluate(() => performance.now());
  await context.close();
  return { shownMs: Math.round(shownMs), freshMs: Math.round(freshMs) };
}
