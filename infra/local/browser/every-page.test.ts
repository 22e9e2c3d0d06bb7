import { readFile } from 'node:fs/promises';
import { until } from '@vuka/test-kit/until';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, order, PIN } from '../test/api-client.ts';
import { findBarriers, showOffScreenContent } from './barriers.ts';
import { findOverflow } from './overflow.ts';
import { LAPTOP, productInBrowser, sentBy } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '50' });

const LONG_MS = 600_000;

let merchant: ApiClient;
/** The values for the parameters of routes. */
const named: Record<string, string> = {};
let routes: string[];
beforeAll(async () => {
  routes = await readRoutes();
  const { client, user } = await inBrowser.newMerchant();
  merchant = client;
  await sendToSaved(['+255763456711', '+255763456722', '+255763456733', '+255763456744']);
  const { body } = await merchant.post('/api/transactions/create', order());
  const { id } = body.transaction;
  await until(async () => /SETTLED/.test((await merchant.get(`/api/transactions/${id}`)).body.transaction.status));
  const { code } = (await merchant.get(`/api/transactions/${id}/verification`)).body;
  const phone = { phoneNumber: '+254712345678', carrier: 'M-PESA' };
  const account = { accountType: 'mobile_money', accountName: 'Amina Otieno', ...phone, pin: PIN };
  expect((await merchant.post('/api/linked-accounts', account)).status).toBe(201);
  Object.assign(named, {
    '/transaction/:id': `/transaction/${id}`,
    '/verify/:code': `/verify/${code}`,
    '/admin/merchants/:id': `/admin/merchants/${user.id}`,
    '/admin/transactions/:id': `/admin/transactions/${id}`,
    '/admin/transactions': '/admin/transactions?recipient=0763456711',
    '*': '/nowhere',
  });
});

/** Saves more named recipients than fit beside one another on a phone. */
async function sendToSaved(phones: readonly string[]): Promise<void> {
  for (const recipientPhone of phones) {
    expect((await merchant.post('/api/transactions/create', order({ recipientPhone }))).status).toBe(201);
    const label = { label: 'Asha Mohamed Mwinyi' };
    expect((await merchant.put(`/api/recipients/${recipientPhone}`, label)).status).toBe(200);
  }
}

const WEB = new URL('../../../apps/web/src/', import.meta.url);
const ROUTE =
  /<Route\s+(?:index|path=(?:"([^"]+)"|\{(?:inAdmin\()?(?:PATHS\.(\w+)|`\$\{PATHS\.(\w+)\}([^`]*)`)\)?\}))/g;

/** The routes of the app, read from the files that declare them, so that a new one is visited without a change here. */
async function readRoutes(): Promise<string[]> {
  const files = await Promise.all(
    ['router', 'admin-routes'].map((name) => readFile(new URL(`app/${name}.tsx`, WEB), 'utf8')),
  );
  const text = files.join('\n');
  const { PATHS } = (await import(new URL('shared/paths.ts', WEB).href)) as { PATHS: Record<string, string> };
  const found = [...text.matchAll(ROUTE)].map(([, literal, name, parent, rest]) =>
    literal ? literal : `${PATHS[name ?? parent ?? 'admin']}${rest ?? ''}`,
  );
  // Fails if a route is written in a form that the pattern above does not match.
  expect(found).toHaveLength((text.match(/<Route\s+(?:path=|index)/g) ?? []).length);
  expect(found).toEqual(expect.arrayContaining(Object.values(PATHS)));
  // The admin area's own route leads to its file, where the pages are.
  return [...new Set(found)].filter((route) => !route.endsWith('/*'));
}

/** An address for every route that passes the filter. */
function addressesOf(isIncluded: (route: string) => boolean): string[] {
  return routes.filter(isIncluded).map((route) => {
    const address = named[route] ?? route;
    expect(address, `an address for the route ${route}`).not.toMatch(/[:*]/);
    return address;
  });
}

/** Opens a page and waits until its content has loaded. */
async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('.boot').waitFor({ state: 'detached' });
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.animate-appear, [aria-busy="true"]'));
  await showOffScreenContent(page);
}

/** Barriers do not depend on the language, but the width of the texts does. */
const problemsOf = async (page: Page, language: 'en' | 'sw') => [
  ...(language === 'en' ? await findBarriers(page) : []),
  ...(await findOverflow(page)),
];

const VISITORS = {
  'a visitor': {
    isShown: (route: string) => ['/auth', '/reset-pin', '/verify/:code', '*'].includes(route),
    client: () => undefined,
  },
  'a merchant': { isShown: (route: string) => !/^\/(auth$|admin)/.test(route), client: () => merchant },
  'an administrator': {
    isShown: (route: string) => /^\/(admin|dashboard)/.test(route),
    client: () => inBrowser.admin,
  },
} as const;
const VISITS = (Object.keys(VISITORS) as (keyof typeof VISITORS)[]).flatMap((who) =>
  (['en', 'sw'] as const).map((language) => [who, language] as const),
);

test.each(VISITS)(
  'every page of %s in %s is no wider than its window, even with text at twice the size; the English one is accessible in both themes',
  async (who, language) => {
    const { isShown, client } = VISITORS[who];
    const page = await inBrowser.openPage({ locale: language, reducedMotion: 'reduce' }, client());
    const found: string[] = [];
    for (const path of addressesOf(isShown)) {
      await openWhole(page, path);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      found.push(...(await problemsOf(page, language)).map((problem) => `${path}: ${problem}`));
    }
    expect(found.join('\n')).toBe('');
  },
  LONG_MS,
);

/** The stops of the Tab key. A group of radio buttons or tabs is one stop, with arrow keys inside it. */
const STOPS = ['a[href]', 'button:enabled', 'input:enabled', 'select:enabled', '[tabindex="0"]']
  .map((selector) => `${selector}:not([tabindex="-1"], [type="radio"]:not(:checked))`)
  .join(', ');

/** Presses Tab through the whole page. Returns the stops that it missed, and those without a visible focus. */
async function tabThrough(page: Page): Promise<string[]> {
  const stops = await page.locator(STOPS).filter({ visible: true }).elementHandles();
  const left = new Set(stops.keys());
  const faults: string[] = [];
  // There may be more stops than were counted: some parts of a page load late.
  for (let presses = 0; presses < 2 * stops.length && left.size > 0; presses++) {
    await page.keyboard.press('Tab');
    const isFocused = await Promise.all(stops.map((stop) => stop.evaluate((node) => node === document.activeElement)));
    const index = isFocused.indexOf(true);
    const stop = stops[index];
    if (!stop || !left.delete(index)) continue;
    const focused = await page.screenshot({ animations: 'disabled' });
    await stop.evaluate((node: HTMLElement) => node.blur());
    const blurred = await page.screenshot({ animations: 'disabled' });
    if (focused.equals(blurred)) faults.push(`no focus to see: ${await htmlOf(stop)}`);
    await stop.focus();
  }
  for (const index of left) faults.push(`not reached: ${await htmlOf(stops[index])}`);
  return faults;
}

type Stop = Awaited<ReturnType<ReturnType<Page['locator']>['elementHandles']>>[number];

const htmlOf = (stop: Stop | undefined) => stop?.evaluate((node) => (node as HTMLElement).outerHTML.slice(0, 120));

test(
  'the Tab key reaches every control of the sign-in page and of the send page, and shows where it is',
  async () => {
    const visitor = await inBrowser.openPage({ viewport: LAPTOP, reducedMotion: 'reduce' });
    await openWhole(visitor, '/auth');
    expect(await tabThrough(visitor)).toEqual([]);
    await visitor.getByRole('tab', { name: 'Register' }).click();
    expect(await tabThrough(visitor)).toEqual([]);
    const sender = await inBrowser.openPage({ viewport: LAPTOP, reducedMotion: 'reduce' }, merchant);
    await openWhole(sender, '/send');
    expect(await tabThrough(sender)).toEqual([]);
  },
  LONG_MS,
);

test('money can be sent with only the keyboard', async () => {
  const { client, page } = await inBrowser.openAsMerchant({ viewport: LAPTOP });
  await openWhole(page, '/send');
  const tabTo = async (label: RegExp | string) => {
    const target = page.getByLabel(label);
    await until(
      async () => {
        if (await target.evaluate((node) => node === document.activeElement)) return true;
        await page.keyboard.press('Tab');
        return false;
      },
      { everyMs: 0, what: `Tab leads to ${label}` },
    );
  };
  await tabTo(/You send/);
  await page.keyboard.type('1000');
  await tabTo('Recipient phone');
  await page.keyboard.type('763456700');
  await page.keyboard.press('Enter');
  await page.getByText('Rate held for').waitFor();
  await tabTo('Enter your 4-digit PIN');
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await page.getByText('Transaction Initiated').waitFor();
  expect(await sentBy(client)).toHaveLength(1);
});
