import { mkdir } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { merchantPath, PATHS, receiptPath, verifyPath } from '../src/shared/paths.ts';
import { adminScenes, type Scene } from './admin-scenes.ts';
import { amina } from './fixtures.ts';
import { ownLimits } from './limit-handlers.ts';
import { longWorld } from './long-world.ts';
import { startMockServer } from './mock-server.ts';
import { codeOf } from './receipt-handlers.ts';
import { createWorld } from './world.ts';

// Opens every page at several sizes in both themes, saves a screenshot of each, and reports overflow, accessibility
// violations, console errors and breaches of the content security policy.

const FOLDER = process.env.SHOTS ?? '/tmp/web-shots';
/** Comma-separated prefixes of scene names; one that ends with $ is a whole name. */
const ONLY = process.env.ONLY?.split(',');
const PHONE = { width: 360, height: 740 };
const TABLET = { width: 1024, height: 768 };
const LAPTOP = { width: 1280, height: 800 };
type Size = typeof PHONE;
const sizesOf = ({ path }: Scene): Size[] => (path.startsWith('/admin') ? [LAPTOP, TABLET, PHONE] : [LAPTOP, PHONE]);
const OVERFLOW_WIDTHS = [320, 360, 768, 1024] as const;

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel(/You send/).fill('25000');
  await page.getByLabel('Recipient phone').fill('712345678');
  await page.getByText('Rate held for').waitFor();
}

async function review(page: Page): Promise<void> {
  await fillDetails(page);
  await page.getByRole('button', { name: 'Review Transfer' }).click();
}

const overLimit = {
  ownLimits: {
    tier: 'unverified',
    limits: ownLimits.limits.map((each) => ({ ...each, day: { ...each.day, left: '12000.00' } })),
  },
} as const;

const empty = {
  transactions: [],
  balances: { defaultCurrency: 'KES', balances: { KES: '0.00', TZS: '0.00' } },
} as const;

const SCENES: Scene[] = [
  { name: 'auth-login', path: '/auth', world: { user: null } },
  {
    name: 'auth-login-errors',
    path: '/auth?next=%2Ftransactions',
    world: { user: null },
    act: async (page) => {
      await page.getByLabel('Email').fill('amina');
      await page.getByRole('button', { name: 'Log in' }).click();
    },
  },
  {
    name: 'auth-register',
    path: '/auth',
    world: { user: null },
    act: (page) => page.getByRole('tab', { name: 'Register' }).click(),
  },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'dashboard-empty', path: '/dashboard', world: { ...empty, transactions: [] } },
  {
    name: 'dashboard-unavailable',
    path: '/dashboard',
    world: { unavailable: ['/api/balances', '/api/transactions', '/api/rates'] },
  },
  {
    name: 'dashboard-loading',
    path: '/dashboard',
    world: { silent: ['/api/balances', '/api/transactions', '/api/rates'] },
  },
  { name: 'send-rates-unavailable', path: '/', world: { unavailable: ['/api/rates', '/api/quotes'] } },
  {
    name: 'receipt-unavailable',
    path: '/transaction/0190a5c0-0000-7000-8000-000000000000',
    world: { unavailable: ['/api/transactions/:id'] },
  },
  { name: 'security', path: '/security' },
  { name: 'security-sw', path: '/security', language: 'sw' },
  { name: 'send-limit', path: '/send', act: review, world: overLimit },
  { name: 'send', path: '/' },
  { name: 'send-filled', path: '/send', act: fillDetails },
  {
    name: 'send-exceeds',
    path: '/send',
    act: async (page) => {
      await page.getByLabel(/You send/).fill('900000');
      await page.getByLabel('Recipient phone').fill('71234');
      await page.getByLabel('Recipient phone').blur();
    },
  },
  {
    name: 'confirm',
    path: '/send',
    act: async (page) => {
      await review(page);
      await page.getByLabel('Enter your 4-digit PIN').fill('13');
    },
  },
  {
    name: 'confirm-fee-changed',
    path: '/send',
    world: { unavailable: ['/api/quotes'], transferFee: { fixed: 75, percent: 0 } },
    act: async (page) => {
      await page.getByLabel(/You send/).fill('25000');
      await page.getByLabel('Recipient phone').fill('712345678');
      await page.getByRole('button', { name: 'Review Transfer' }).click();
      await page.getByLabel('Enter your 4-digit PIN').fill('1357');
      await page.getByRole('button', { name: 'Confirm Transfer' }).click();
      await page.getByText('The fee has changed').waitFor();
    },
  },
  {
    name: 'send-decimals',
    path: '/send',
    act: async (page) => {
      await page.getByLabel(/You send/).pressSequentially('1250.5');
      await page.getByText('Whole amounts only').waitFor();
    },
  },
  {
    name: 'confirm-wrong-pin',
    path: '/send',
    act: async (page) => {
      await review(page);
      await page.getByLabel('Enter your 4-digit PIN').fill('9999');
      await page.getByRole('button', { name: 'Confirm Transfer' }).click();
      await page.getByText('Transfer failed').waitFor();
    },
  },
  {
    name: 'sent',
    path: '/send',
    act: async (page) => {
      await review(page);
      await page.getByLabel('Enter your 4-digit PIN').fill('1357');
      await page.getByRole('button', { name: 'Confirm Transfer' }).click();
      await page.getByText('Last transfer').waitFor();
    },
  },
  {
    name: 'send-unusual',
    path: '/send',
    act: async (page) => {
      await page.getByLabel(/You send/).fill('125400');
      await page.getByLabel('Recipient phone').fill('754111222');
      await page.getByText('Rate held for').waitFor();
    },
  },
  {
    name: 'send-save-recipient',
    path: '/send',
    act: async (page) => {
      await fillDetails(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'send-pick-recipient',
    path: '/send',
    act: async (page) => {
      await page.getByRole('button', { name: 'Saved recipients' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'accounts', path: '/accounts' },
  { name: 'accounts-sw', path: '/accounts', language: 'sw' },
  { name: 'accounts-empty', path: '/accounts', world: { linkedAccounts: [] } },
  {
    name: 'accounts-bank',
    path: '/accounts',
    act: (page) => page.getByText('Bank', { exact: true }).click(),
  },
  {
    name: 'withdraw',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount').fill('5000');
      await page.getByText('5,030 KES').waitFor();
    },
  },
  { name: 'withdraw-sw', path: '/withdraw', language: 'sw' },
  { name: 'withdraw-no-account', path: '/withdraw', world: { linkedAccounts: [] } },
  {
    name: 'withdraw-confirm',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount').fill('110000');
      await page.getByRole('button', { name: 'Review withdrawal' }).click();
      await page.getByLabel('Enter your 4-digit PIN').fill('13');
    },
  },
  {
    name: 'withdraw-done',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount').fill('110000');
      await page.getByRole('button', { name: 'Review withdrawal' }).click();
      await page.getByLabel('Enter your 4-digit PIN').fill('1357');
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click();
      await page.getByText('Withdrawal waiting for approval').waitFor();
    },
  },
  { name: 'transactions', path: '/transactions' },
  ...[0, 1, 2, 4].map((index) => ({
    name: `receipt-${createWorld().transactions[index]?.status.toLowerCase()}`,
    path: `/transaction/${createWorld().transactions[index]?.id}`,
  })),
  { name: 'transactions-many', path: '/transactions', world: longWorld() },
  { name: 'dashboard-many', path: '/dashboard', world: longWorld() },
  { name: 'transactions-unavailable', path: '/transactions', world: { unavailable: ['/api/transactions'] } },
  { name: 'transactions-empty', path: '/transactions', world: { ...empty, transactions: [] } },
  { name: 'accounts-unavailable', path: '/accounts', world: { unavailable: ['/api/linked-accounts'] } },
  {
    name: 'statement-unavailable',
    path: '/statement?from=2026-01-01&to=2026-01-31',
    world: { unavailable: ['/api/statements'] },
  },
  { name: 'transactions-filtered', path: '/transactions?status=SETTLED&direction=TZS_TO_KES&from=2026-01-01' },
  { name: 'transactions-nothing', path: '/transactions?q=999999' },
  {
    name: 'transactions-sheet',
    path: '/transactions',
    act: async (page) => {
      const button = page.getByRole('button', { name: 'Filter' });
      if (await button.isVisible()) await button.click();
    },
  },
  { name: 'statement', path: '/statement?from=2026-01-01&to=2026-01-31' },
  { name: 'statement-wrong', path: '/statement?from=2024-01-01&to=2026-01-31' },
  ...[0, 2, 4].map((index) => ({
    name: `verify-${createWorld().transactions[index]?.status.toLowerCase()}`,
    path: `/verify/${codeOf(createWorld().transactions[index]?.id ?? '')}`,
    world: { user: null },
  })),
  { name: 'verify-forged', path: `/verify/${codeOf('nobody')}`, world: { user: null } },
  { name: 'receipt-missing', path: '/transaction/0190a5c0-0000-7000-8000-000000000000' },
  { name: 'profile', path: '/profile' },
  { name: 'debug', path: '/debug' },
  {
    name: 'session-warning',
    path: '/profile',
    act: async (page, world) => {
      world.sessionEndsAtMs = Date.now() + 50_000;
      await page.evaluate((endsAtMs) => {
        const news = { key: 'vuka.session-ends-at', newValue: String(endsAtMs) };
        window.dispatchEvent(new StorageEvent('storage', news));
      }, world.sessionEndsAtMs);
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'not-found', path: '/nowhere' },
  { name: 'sw-auth', path: '/auth', world: { user: null }, language: 'sw' },
  ...['dashboard', 'send', 'profile'].map((page) => ({
    name: `sw-${page}`,
    path: `/${page}`,
    language: 'sw' as const,
  })),
  ...adminScenes,
];

const problems: string[] = [];

/** The date of the admin area's fixtures; a chart that ended today would be nearly empty. */
const NOW = new Date('2026-01-12T06:40:00.000Z');

/** Whether a page has finished loading: no placeholders and no spinners. */
const isWhole = () => !document.querySelector('.boot, .animate-appear, .animate-spin, [aria-busy="true"]');

async function open(browser: Browser, scene: Scene, size: Size) {
  const server = await startMockServer(0, { user: amina, ...scene.world });
  const context = await browser.newContext({
    viewport: size,
    colorScheme: 'light',
    locale: scene.language ?? 'en-US',
    timezoneId: 'Africa/Nairobi',
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const label = `${scene.name} ${size.width}`;
  if (scene.path.startsWith('/admin')) await page.clock.setFixedTime(NOW);
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      problems.push(`${label}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${label}: ${error.message}`));
  await page.goto(server.url + scene.path);
  const settle = async (): Promise<void> => {
    if (!scene.world?.silent) await page.waitForFunction(isWhole);
    await page.waitForTimeout(200);
  };
  await page.locator('.boot').waitFor({ state: 'detached' });
  await settle();
  await scene.act?.(page, server.world);
  await settle();
  const close = async (): Promise<void> => {
    await context.close();
    server.close();
  };
  return { page, label, close };
}

async function checkAccess(page: Page, label: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const violation of violations) {
    const where = violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ');
    problems.push(`${label}: axe ${violation.id}: ${where}`);
  }
}

/** The themes differ in colours and the sizes in layout: light on a phone and dark on a laptop cover both. */
async function shoot(browser: Browser, scene: Scene, size: Size): Promise<void> {
  const { page, label, close } = await open(browser, scene, size);
  try {
    const file = `${FOLDER}/${scene.name}-${size.width}`;
    await page.screenshot({ path: `${file}-light.png` });
    if (size === PHONE) await checkAccess(page, label);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${file}-dark.png`, animations: 'disabled' });
    if (size === LAPTOP) await checkAccess(page, `${label} dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: size.width, height: Math.min(height, 4_000) });
    await page.screenshot({ path: `${file}-full.png`, animations: 'disabled' });
    for (const width of size === PHONE ? OVERFLOW_WIDTHS : []) {
      await page.setViewportSize({ width, height: 740 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) problems.push(`${label}: ${wide} px wide at ${width}`);
    }
  } finally {
    await close();
  }
}

/** Paths of the app without a screenshot. */
function pathsWithoutScene(): string[] {
  const shown = SCENES.map(({ path }) => path.replace(/\?.*/, ''));
  const places = [...Object.values(PATHS), receiptPath('x'), verifyPath('x'), merchantPath('x')];
  return places.filter(
    (place) => !shown.some((path) => path === place || (place.endsWith('/x') && path.startsWith(place.slice(0, -1)))),
  );
}

problems.push(...pathsWithoutScene().map((path) => `no picture of ${path}`));
await mkdir(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const scene of SCENES.filter(({ name }) => !ONLY || ONLY.some((start) => `${name}$`.startsWith(start)))) {
  for (const size of sizesOf(scene)) {
    await shoot(browser, scene, size).catch((error: Error) => {
      problems.push(`${scene.name} ${size.width}: ${error.message}`);
    });
  }
}
await browser.close();
process.stdout.write(problems.length > 0 ? `${problems.join('\n')}\n` : 'No problems found\n');
process.exitCode = problems.length > 0 ? 1 : 0;
