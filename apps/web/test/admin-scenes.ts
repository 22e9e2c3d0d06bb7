import type { Page } from 'playwright-core';
import { admin, fixedId } from './fixtures.ts';
import type { World } from './handlers.ts';

export interface Scene {
  name: string;
  path: string;
  world?: Partial<World>;
  language?: 'sw';
  act?: (page: Page, world: World) => Promise<void>;
}

const PATHS = {
  dashboard: '/admin',
  deposits: '/admin/deposits',
  rates: '/admin/exchange-rates',
  credit: '/admin/credit-merchant',
  merchants: '/admin/merchants',
  settings: '/admin/settings',
  logs: '/admin/integration-logs',
  recovery: '/admin/transaction-recovery',
  notifications: '/admin/notifications',
  withdrawals: '/admin/withdrawals',
  fees: '/admin/fees',
  queues: '/admin/queues',
  audit: '/admin/audit-trail',
} as const;

const AWAY = [
  '/api/admin/overview',
  '/api/admin/deposits',
  '/api/rates/history',
  '/api/admin/merchants',
  '/api/admin/ledger/audit',
  '/api/admin/stuck-transactions',
  '/api/integration-logs/recent',
  '/api/admin/withdrawals',
  '/api/admin/fees',
  '/api/admin/queues',
  '/api/admin/audit-trail',
];
const EMPTY: Partial<World> = {
  deposits: [],
  rateHistory: [],
  merchants: [],
  logs: [],
  stuck: [],
  adminWithdrawals: [],
  fees: [],
  queues: [],
  auditEntries: [],
};

const page = (name: keyof typeof PATHS, suffix: string, rest: Partial<Scene> = {}): Scene => ({
  name: `admin-${name}${suffix}`,
  path: PATHS[name],
  ...rest,
  world: { user: admin, ...rest.world },
});

const names = Object.keys(PATHS) as (keyof typeof PATHS)[];
const lists = names.filter((name) => name !== 'credit' && name !== 'settings');

/** Every page of the admin area, its empty and failed states, its dialogs. */
export const adminScenes: Scene[] = [
  ...names.map((name) => page(name, '')),
  ...lists.map((name) => page(name, '-away', { world: { away: AWAY } })),
  ...lists.filter((name) => name !== 'dashboard').map((name) => page(name, '-empty', { world: EMPTY })),
  page('dashboard', '-not-active', {
    world: {
      overview: {
        checkedAt: '2026-01-12T06:31:00.000Z',
        parts: [
          { name: 'gateway', ready: true },
          { name: 'rates', ready: false },
          { name: 'transfers', ready: false },
        ],
        balances: null,
        recentDeposits: null,
        currentRate: null,
        transfers: null,
      },
    },
  }),
  page('dashboard', '-drawer', {
    act: async (tab) => {
      const menu = tab.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
    },
  }),
  page('deposits', '-errors', {
    act: async (tab) => {
      await tab.getByLabel('Amount').fill('1.5');
      await tab.getByRole('button', { name: 'Make deposit' }).click();
    },
  }),
  page('rates', '-confirm', {
    act: async (tab) => {
      await tab.getByLabel('Provider buy rate').fill('32.5');
      await tab.getByLabel('Markup percent').fill('2');
      await tab.getByRole('button', { name: 'Update rates' }).click();
    },
  }),
  page('merchants', '-block', {
    act: (tab) => tab.getByRole('button', { name: 'Block Juma Mwakyusa', exact: true }).click(),
  }),
  page('settings', '-notifications', { act: (tab) => tab.getByRole('tab', { name: 'Notifications' }).click() }),
  page('settings', '-system', { act: (tab) => tab.getByRole('tab', { name: 'System' }).click() }),
  page('logs', '-open', { act: (tab) => tab.locator('summary').first().click() }),
  page('logs', '-detail', {
    act: async (tab) => {
      await tab.locator('summary').first().click();
      await tab.getByRole('button', { name: /payout.initiate/ }).click();
    },
  }),
  page('queues', '-dead', {
    act: (tab) => tab.getByRole('button', { name: 'Dead messages: integration-log.calls' }).click(),
  }),
  page('queues', '-drop', {
    act: async (tab) => {
      await tab.getByRole('button', { name: 'Dead messages: integration-log.calls' }).click();
      await tab.getByRole('button', { name: 'Drop' }).first().click();
    },
  }),
  page('audit', '-detail', { act: (tab) => tab.getByRole('button', { name: /^Details: Changed the rates/ }).click() }),
  page('merchants', '-one', { path: `/admin/merchants/${fixedId(13)}` }),
  page('recovery', '-selected', { act: (tab) => tab.getByRole('checkbox').first().check() }),
  page('recovery', '-preview', {
    act: (tab) =>
      tab
        .getByRole('button', { name: /^Details of/ })
        .first()
        .click(),
  }),
  { name: 'admin-not-allowed', path: '/admin/merchants' },
];
