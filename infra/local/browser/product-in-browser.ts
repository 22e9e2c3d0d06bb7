import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '@vuka/test-kit/launch-browser';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type ApiClient, PIN, registerMerchant, signInAdmin } from '../test/api-client.ts';
import { type RunningProduct, startProduct } from '../test/product.ts';

const PHONE = { width: 360, height: 740 };
export const LAPTOP = { width: 1280, height: 900 };

/**
 * The whole product and a browser for the tests of one file: call it once, at the top of the file. Windows have the
 * size of a phone by default. A window opened before the tests stays open for all of them; one opened in a test closes
 * with it. An error or a breach of the security policy in any window fails the test.
 */
export function productInBrowser(env: Record<string, string> = {}) {
  let running: { product: RunningProduct; browser: Browser; admin: ApiClient } | undefined;
  const problems: string[] = [];
  let contexts: BrowserContext[] = [];

  beforeAll(async () => {
    // All users of a file share one address, and tests that wait poll often.
    const limits = { VUKA_RATE_LIMIT_FACTOR: '10' };
    // The worker runs in the transfers process, as with `npm start`.
    const processes = { VUKA_SEPARATE_WORKER: 'false' };
    const [product, browser] = await Promise.all([startProduct({ ...limits, ...processes, ...env }), launchBrowser()]);
    running = { product, browser, admin: await signInAdmin(product.address) };
  }, 120_000);
  beforeEach(() => {
    contexts = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await photographFailure(task.name, contexts);
    await Promise.all(contexts.map((context) => context.close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await running?.browser.close();
    await running?.product.stop();
  });

  const started = () => {
    if (!running) throw new Error('the product only runs during tests and their hooks');
    return running;
  };
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text());
    });
  };

  /** A separate window; with a client, signed in as its user. */
  async function openPage(options: BrowserContextOptions = {}, client?: ApiClient): Promise<Page> {
    const { product, browser } = started();
    const context = await browser.newContext({ baseURL: product.address, viewport: PHONE, ...options });
    contexts.push(context);
    context.on('page', watch);
    await context.addCookies((client?.cookies ?? []).map((cookie) => ({ ...cookie, url: product.address })));
    return context.newPage();
  }

  /** A merchant with 100,000 KES and 1,000,000 TZS. */
  const newMerchant = (funds?: { KES?: number; TZS?: number }) => {
    const { product, admin } = started();
    return registerMerchant(product.address, admin, funds);
  };

  return {
    get admin() {
      return started().admin;
    },
    get product() {
      return started().product;
    },
    openPage,
    newMerchant,
    /** A merchant with money, and a window signed in as that merchant. */
    async openAsMerchant(options: BrowserContextOptions = {}) {
      const { client, user } = await newMerchant();
      return { client, user, page: await openPage(options, client) };
    },
  };
}

/** Prints what the windows of a failed test show, and where their pictures are. */
async function photographFailure(name: string, contexts: BrowserContext[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vuka-failed-'));
  for (const [number, page] of contexts.flatMap((context) => context.pages()).entries()) {
    const picture = join(folder, `${number + 1}.png`);
    await page.screenshot({ path: picture, timeout: 5000 }).catch(() => {});
    const content = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
    console.error(`${name}: window ${number + 1} at ${page.url()}, pictured in ${picture}:\n${content}`);
  }
}

/** Fills in the sign-in form, in the language on screen. */
export async function signIn(page: Page, email: string, pin = PIN): Promise<void> {
  await page.getByRole('textbox', { name: /Email|Barua pepe/ }).fill(email);
  await page.getByLabel(/PIN/).first().fill(pin);
  await page.getByRole('button', { name: /^(Log in|Ingia)$/ }).click();
}

export interface Details {
  amount: string;
  phone: string;
}

/** Fills in the details of a transfer and continues to the confirm step. */
export async function review(page: Page, { amount, phone }: Details): Promise<void> {
  await page.goto('/send');
  await page.getByLabel(/You send/).fill(amount);
  await page.getByLabel('Recipient phone').fill(phone);
  await goOn(page);
}

/** Continues from complete details to the confirm step. */
export async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review Transfer' }).click();
  await page.getByRole('heading', { name: 'Confirm Transfer' }).waitFor();
}

export async function confirm(page: Page, pin = PIN): Promise<void> {
  await page.getByLabel('Enter your 4-digit PIN').fill(pin);
  await page.getByRole('button', { name: 'Confirm Transfer' }).click();
}

/** A merchant's transfers, newest first, without the credits of an administrator. */
export async function sentBy(client: ApiClient) {
  const { body } = await client.get('/api/transactions');
  return body.filter((item: { metadata: { isAdminCredit: boolean } }) => !item.metadata.isAdminCredit);
}
