import type { Page } from 'playwright-core';
import type { Scene } from './admin-scenes.ts';
import { transaction } from './fixtures.ts';
import { ownLimits } from './limit-handlers.ts';
import { longWorld } from './long-world.ts';
import { codeOf } from './receipt-handlers.ts';
import { createWorld } from './world.ts';

// These find their controls in both languages.
const fill = (page: Page, name: string, text: string): Promise<void> => page.locator(`[name="${name}"]`).fill(text);
const submit = (page: Page): Promise<void> => page.locator('[type="submit"]').click();

async function fillDetails(page: Page): Promise<void> {
  await fill(page, 'amount', '25000');
  await fill(page, 'recipientPhone', '712345678');
  await page.getByText(/^(Rate held for|Kiwango kimehifadhiwa kwa)/).waitFor();
}

async function review(page: Page): Promise<void> {
  await fillDetails(page);
  await submit(page);
}

const overLimit = {
  ownLimits: {
    tier: 'unverified',
    limits: ownLimits.limits.map((each) => ({
      ...each,
      day: { ...each.day, used: `${Number(each.day.limit) - 12_000}.00`, left: '12000.00' },
    })),
  },
} as const;

const empty = {
  ownLimits: { ...ownLimits, tier: 'unverified' },
  transactions: [],
  balances: { defaultCurrency: 'KES', balances: { KES: '0.00', TZS: '0.00' } },
} as const;

/** The pages that a merchant sees, in every state. */
export const merchantScenes: Scene[] = [
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
    isBilingual: true,
    act: (page) => page.getByRole('tab').nth(1).click(),
  },
  { name: 'dashboard', path: '/dashboard' },
  ...(['en', 'sw'] as const).map((language) => ({
    name: `dashboard-offline${language === 'sw' ? '-sw' : ''}`,
    path: '/dashboard',
    ...(language === 'sw' ? { language } : {}),
    act: (page: Page) => page.context().setOffline(true),
  })),
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
  { name: 'security-unverified', path: '/security', world: overLimit },
  { name: 'send-limit', path: '/send', act: review, world: overLimit },
  {
    name: 'send-above-limit',
    path: '/send',
    world: overLimit,
    act: async (page) => {
      await page.getByLabel(/You send/).fill('25000');
      await page.getByRole('link', { name: 'Verify for higher limits' }).waitFor();
    },
  },
  { name: 'send', path: '/' },
  { name: 'send-first', path: '/', world: { ...empty, transactions: [], recipients: [] } },
  { name: 'send-filled', path: '/send', isBilingual: true, act: fillDetails },
  {
    name: 'send-exceeds',
    path: '/send',
    isBilingual: true,
    act: async (page) => {
      await fill(page, 'amount', '900000');
      await fill(page, 'recipientPhone', '71234');
      await page.locator('[name="recipientPhone"]').blur();
    },
  },
  {
    name: 'confirm',
    path: '/send',
    isBilingual: true,
    act: async (page) => {
      await review(page);
      await fill(page, 'pin', '13');
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
      await page.getByText('The fee has changed', { exact: true }).waitFor();
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
    isBilingual: true,
    act: async (page) => {
      await review(page);
      await fill(page, 'pin', '1357');
      await submit(page);
      await page.getByText(/^(Last transfer|Muamala wa mwisho)$/).waitFor();
    },
  },
  {
    name: 'send-unusual',
    path: '/send',
    // The usual amount is that of at least five transfers.
    world: { transactions: Array.from({ length: 5 }, (_, index) => transaction(index)) },
    act: async (page) => {
      await page.getByLabel(/You send/).fill('125400');
      await page.getByLabel('Recipient phone').fill('754111222');
      await page.getByText('Rate held for').waitFor();
      await page.getByText('This is more than 5 times what you usually send').waitFor();
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
  { name: 'accounts-empty', path: '/accounts', world: { linkedAccounts: [] } },
  {
    name: 'accounts-link',
    path: '/accounts',
    act: (page) => page.getByRole('button', { name: 'Link an account' }).click(),
  },
  {
    name: 'accounts-bank',
    path: '/accounts',
    act: async (page) => {
      await page.getByRole('button', { name: 'Link an account' }).click();
      await page.getByText('Bank', { exact: true }).click();
    },
  },
  {
    name: 'withdraw',
    path: '/withdraw',
    isBilingual: true,
    act: async (page) => {
      await fill(page, 'amount', '5000');
      await page.getByText('5,030 KES').waitFor();
    },
  },
  {
    name: 'withdraw-errors',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount').fill('900000');
      await page.getByLabel('Amount').blur();
    },
  },
  { name: 'withdraw-offline', path: '/withdraw', act: (page) => page.context().setOffline(true) },
  {
    name: 'confirm-offline',
    path: '/send',
    act: async (page) => {
      await review(page);
      await page.context().setOffline(true);
      await page.getByText('You are offline').first().waitFor();
    },
  },
  {
    name: 'security-closing',
    path: '/security',
    act: async (page) => {
      await page.getByRole('heading', { name: 'Close account' }).click();
      await page.getByRole('button', { name: 'Close my account' }).click();
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByLabel('PIN to close the account').waitFor();
    },
  },
  {
    name: 'security-pin',
    path: '/security',
    act: async (page) => {
      await page.getByRole('heading', { name: 'Change your PIN' }).click();
      await page.getByLabel('Current PIN').waitFor();
    },
  },
  { name: 'withdraw-no-account', path: '/withdraw', world: { linkedAccounts: [] } },
  {
    name: 'withdraw-confirm',
    path: '/withdraw',
    isBilingual: true,
    act: async (page) => {
      await fill(page, 'amount', '110000');
      await submit(page);
      await fill(page, 'pin', '13');
    },
  },
  {
    name: 'withdraw-price-unavailable',
    path: '/withdraw',
    world: { unavailable: ['/api/withdrawals/price'] },
    act: async (page) => {
      await page.getByLabel('Amount').fill('5000');
      await page.getByRole('button', { name: 'Review Withdrawal' }).click();
      await page.getByText('The price could not be loaded').first().waitFor();
    },
  },
  {
    name: 'withdraw-done',
    path: '/withdraw',
    act: async (page) => {
      await page.getByLabel('Amount').fill('110000');
      await page.getByRole('button', { name: 'Review Withdrawal' }).click();
      await page.getByLabel('Enter your 4-digit PIN').fill('1357');
      await page.getByRole('button', { name: 'Confirm Withdrawal' }).click();
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
    world: { unavailable: ['/api/statement'] },
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
  { name: 'statement', path: '/statement' },
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
  { name: 'reset-pin', path: '/reset-pin', world: { user: null } },
  { name: 'not-found', path: '/nowhere' },
];
