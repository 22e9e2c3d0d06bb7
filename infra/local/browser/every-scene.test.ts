import { launchBrowser } from '@vuka/test-kit/launch-browser';
import { adminTransactionPath, merchantPath, PATHS, receiptPath, verifyPath } from '@vuka/web/paths';
import { openScene } from '@vuka/web/testing/open-scene';
import { scenes } from '@vuka/web/testing/scenes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBarriers, showOffScreenContent } from './barriers.ts';

const PHONE = { width: 360, height: 740, scale: 1 };
const WIDTHS = [320, 360, 768, 1024] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser.close());

test('every path of the app is in a scene, and every scene has a name of its own', () => {
  const shown = scenes.map(({ path }) => path.replace(/\?.*/, ''));
  for (const path of Object.values(PATHS)) expect(shown).toContain(path);
  for (const pathOf of [receiptPath, verifyPath, merchantPath, adminTransactionPath])
    expect(shown.some((path) => path.startsWith(pathOf('')))).toBe(true);
  expect(scenes.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) !== index)).toEqual([]);
});

/** A page with hundreds of rows takes axe half a minute of processor time, and the scenes share the processors. */
const SLOWEST_MS = 180_000;

/** In Kiswahili every-page.test.ts opens each page. */
const checked = scenes.filter(({ language }) => language !== 'sw');

test.concurrent.for(checked)(
  '$name is accessible in both themes, fits every width, and reports no error',
  { timeout: SLOWEST_MS },
  async (scene, context) => {
    const problems: string[] = [];
    const { page, close } = await openScene(browser, scene, PHONE, (text) => problems.push(text));
    try {
      await showOffScreenContent(page);
      await untilToastCloses(page);
      problems.push(...(await findBarriers(page)), ...(await findOverflow(page)));
    } finally {
      await close();
    }
    context.expect(problems).toEqual([]);
  },
);

/** On a phone a toast covers the header and some of its buttons for five seconds. */
function untilToastCloses(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'hidden' });
}

async function findOverflow(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...PHONE, width });
    const whole = await page.evaluate(() => document.documentElement.scrollWidth);
    if (whole > width) found.push(`${whole} px wide at ${width}`);
  }
  return found;
}
