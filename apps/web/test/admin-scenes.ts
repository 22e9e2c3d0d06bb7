import type { Page } from 'playwright-core';
import { adminTransactionPath } from '../src/shared/paths.ts';
import { administrators } from './administrator-fixtures.ts';
import { misbehaving } from './failure-lab-fixtures.ts';
import { admin, fixedId, PIN } from './fixtures.ts';
import { longWorld } from './long-world.ts';
import { limitProposal, rateProposal, tierLimitProposal } from './proposal-fixtures.ts';
import { mayBePaid } from './withdrawal-fixtures.ts';
import type { World } from './world.ts';

export interface Scene {
  name: string;
  path: string;
  world?: Partial<World>;
  language?: 'sw';
  /** The steps find their controls in both languages. */
  isBilingual?: true;
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
  limits: '/admin/limits',
  reconciliation: '/admin/reconciliation',
  adjustments: '/admin/adjustments',
  queues: '/admin/queues',
  audit: '/admin/audit-trail',
  keys: '/admin/api-keys',
  lab: '/admin/failure-lab',
} as const;

const UNAVAILABLE = [
  '/api/admin/overview',
  '/api/admin/deposits',
  '/api/rates/history',
  '/api/admin/merchants',
  '/api/admin/ledger/audit',
  '/api/admin/stuck-transactions',
  '/api/integration-logs/recent',
  '/api/admin/withdrawals',
  '/api/admin/credits',
  '/api/admin/rate-proposals',
  '/api/admin/fees',
  '/api/admin/limits',
  '/api/admin/reconciliation',
  '/api/admin/adjustments',
  '/api/admin/queues',
  '/api/admin/audit-trail',
  '/api/admin/api-keys',
  '/api/admin/failure-lab',
  '/api/admin/notifications',
];
const EMPTY: Partial<World> = {
  deposits: [],
  largeCredits: [],
  recentCredits: [],
  adjustments: [],
  floats: [],
  rateHistory: [],
  merchants: [],
  logs: [],
  stuck: [],
  adminWithdrawals: [],
  fees: [],
  exceptions: [],
  reconciliations: [],
  queues: [],
  auditEntries: [],
  apiKeys: [],
  network: [],
  books: [],
  notifications: [],
};

const page = (name: keyof typeof PATHS, suffix: string, rest: Partial<Scene> = {}): Scene => ({
  name: `admin-${name}${suffix}`,
  path: PATHS[name],
  ...rest,
  world: { user: admin, ...rest.world },
});

const names = Object.keys(PATHS) as (keyof typeof PATHS)[];
const lists = names.filter((name) => name !== 'settings');

type Act = NonNullable<Scene['act']>;

/** The first button with this name, in either language. */
const press =
  (name: RegExp): Act =>
  (tab) =>
    tab.getByRole('button', { name }).first().click();

/** A scene in both languages. */
const inBoth = (name: keyof typeof PATHS, suffix: string, act: Act, world: Partial<World> = {}): Scene[] => [
  page(name, suffix, { act, world }),
  page(name, `${suffix}-sw`, { act, world, language: 'sw' }),
];

const askForPin: Act = (tab) => tab.getByRole('button', { name: /^(Unlock|Fungua PIN ya) Neema Admin$/ }).click();
/** The scene shows its page, not the moment before the page's code has loaded. */
const hasHeading: Act = (tab) => tab.getByRole('heading', { level: 1 }).waitFor();
const openSystem: Act = (tab) => tab.getByRole('tab').nth(2).click();

/** Proposals that wait for another administrator, as seen by one who may decide and by the proposer. */
const waiting: Scene[] = [
  page('rates', '-waiting', { world: { rateProposals: [rateProposal] } }),
  page('rates', '-waiting-own', { world: { rateProposals: [{ ...rateProposal, isOwn: true }] } }),
  page('rates', '-waiting-approve', { world: { rateProposals: [rateProposal] }, act: press(/^Approve$/) }),
  page('limits', '-waiting', { world: { tierLimitProposals: [tierLimitProposal] } }),
  ...inBoth('limits', '-change', press(/^(Change|Badilisha):/)),
  ...inBoth('settings', '-waiting', openSystem, { limitProposals: [limitProposal] }),
];

/** The dialogs, panels and forms with errors. */
const opened: Scene[] = [
  ...inBoth('dashboard', '-drawer', async (tab) => {
    const menu = tab.getByRole('button', { name: /^(Menu|Menyu)$/ });
    if (await menu.isVisible()) await menu.click();
  }),
  ...inBoth('deposits', '-errors', async (tab) => {
    await tab.locator('[name=amount]').fill('1.5');
    await tab.locator('form [type=submit]').click();
  }),
  ...inBoth('rates', '-confirm', async (tab) => {
    await tab.locator('[name=buyRate]').fill('32.5');
    await tab.locator('[name=markup]').fill('2');
    await tab.locator('form [type=submit]').click();
  }),
  page('rates', '-errors', {
    act: async (tab) => {
      await tab.locator('[name=buyRate]').fill('23.5');
      await tab.locator('[name=markup]').fill('101');
      await tab.locator('form [type=submit]').click();
    },
  }),
  ...waiting,
  ...inBoth('credit', '-errors', (tab) => tab.locator('form [type=submit]').click()),
  ...inBoth('credit', '-approve', press(/^(Approve|Idhinisha)$/)),
  ...inBoth('credit', '-refuse', press(/^(Refuse|Kataa)$/)),
  ...inBoth('merchants', '-block', press(/^(Block|Zuia) Juma Mwakyusa$/)),
  ...inBoth('merchants', '-unblock', press(/^(Unblock|Fungulia) Neema Mushi$/)),
  ...inBoth('withdrawals', '-approve', press(/^(Approve|Idhinisha)$/)),
  ...inBoth('withdrawals', '-refuse', async (tab, world) => {
    await press(/^(Refuse|Kataa)$/)(tab, world);
    await tab.locator('dialog [type=submit]').click();
  }),
  ...inBoth('withdrawals', '-may-be-paid', async (tab) => void (await tab.locator('select').selectOption('pending')), {
    adminWithdrawals: [mayBePaid],
  }),
  page('withdrawals', '-approve-failed', {
    world: { unavailable: ['/api/admin/withdrawals/:id/approve'] },
    act: async (tab, world) => {
      await press(/^Approve$/)(tab, world);
      await tab.locator('dialog input').fill(PIN);
      await tab.locator('dialog [type=submit]').click();
      await tab.locator('dialog [role=alert]').waitFor();
    },
  }),
  ...inBoth('adjustments', '-errors', (tab) => tab.locator('form [type=submit]').click()),
  ...inBoth('fees', '-errors', (tab) => tab.locator('form [type=submit]').click()),
  ...inBoth('fees', '-remove', press(/^(Remove|Ondoa)$/)),
  ...inBoth('reconciliation', '-resolve', press(/^(Resolve|Tatua)$/)),
  ...inBoth('logs', '-open', (tab) => tab.locator('summary').first().click()),
  ...inBoth('logs', '-detail', async (tab, world) => {
    await tab.locator('summary').first().click();
    await press(/payout.initiate/)(tab, world);
  }),
  ...inBoth('logs', '-response', async (tab, world) => {
    await tab.locator('summary').first().click();
    await press(/payout.initiate/)(tab, world);
    await tab.getByRole('tab', { name: /^(Response|Jibu)$/ }).click();
  }),
  ...inBoth('notifications', '-open', (tab) => tab.locator('summary').nth(1).click()),
  { name: 'admin-transaction', path: adminTransactionPath(fixedId(1002)), world: { user: admin } },
  page('recovery', '-to-phone', { path: '/admin/transactions?recipient=0712345678' }),
  page('dashboard', '-search-phone', {
    act: async (tab) => {
      await tab.keyboard.press('Control+k');
      await tab.getByRole('combobox').fill('0712 345 678');
      await tab.getByRole('option', { name: /0712 345 678/ }).waitFor();
    },
  }),
  page('dashboard', '-search-sw', {
    language: 'sw',
    act: async (tab) => {
      await tab.keyboard.press('Control+k');
      await tab.getByRole('combobox').fill('zzzz');
    },
  }),
  page('dashboard', '-search', {
    act: async (tab) => {
      await tab.keyboard.press('Control+k');
      await tab.getByRole('combobox').fill('me');
    },
  }),
  ...inBoth('queues', '-dead', press(/^(Dead messages|Ujumbe uliokwama): integration-log.calls$/)),
  ...inBoth('queues', '-redrive', async (tab, world) => {
    await press(/^(Dead messages|Ujumbe uliokwama): integration-log.calls$/)(tab, world);
    await press(/^(Send many again|Rudisha mwingi)$/)(tab, world);
  }),
  ...inBoth('queues', '-drop', async (tab, world) => {
    await press(/^(Dead messages|Ujumbe uliokwama): integration-log.calls$/)(tab, world);
    await press(/^(Drop|Futa)$/)(tab, world);
  }),
  ...inBoth('audit', '-detail', press(/^(Details|Maelezo):/)),
  ...inBoth('keys', '-errors', (tab) => tab.locator('form [type=submit]').click()),
  ...inBoth('keys', '-issued', async (tab) => {
    await tab.locator('[name=name]').fill('Bookkeeping of the Dar es Salaam desk');
    await tab.locator('[name=pin]').fill(PIN);
    await tab.locator('form [type=submit]').click();
    await tab.locator('code').waitFor();
  }),
  page('keys', '-revoke-many', { world: longWorld(), act: press(/^Revoke bookkeeping/) }),
  ...inBoth('keys', '-revoke', press(/^(Revoke|Batilisha) Bookkeeping$/)),
  ...inBoth('recovery', '-selected', (tab) => tab.getByRole('checkbox').first().check()),
  ...inBoth('recovery', '-preview', press(/^(Details of|Maelezo ya)/)),
  ...inBoth('settings', '-pin', askForPin, { isPinStale: true }),
  ...inBoth(
    'settings',
    '-pin-wrong',
    async (tab, world) => {
      await askForPin(tab, world);
      await tab.locator('dialog input').fill('9753');
      await tab.locator('dialog [type=submit]').click();
      await tab.locator('dialog [aria-invalid]').waitFor();
    },
    { isPinStale: true },
  ),
  page('settings', '-on-server', {
    world: {
      administrators: administrators.map((one) => (one.lockedUntil ? { ...one, unlockStep: 'on-server' } : one)),
    },
  }),
  ...inBoth('settings', '-errors', (tab) => tab.locator('form [type=submit]').click()),
  ...inBoth('settings', '-notifications', (tab) => tab.getByRole('tab').nth(1).click()),
  ...inBoth('settings', '-system', (tab) => tab.getByRole('tab').nth(2).click()),
];

/** Every page of the admin area, its empty and failed states, its dialogs. */
export const adminScenes: Scene[] = [
  ...names.map((name) => page(name, '')),
  ...lists.map((name) => page(name, '-unavailable', { world: { unavailable: UNAVAILABLE } })),
  ...lists.filter((name) => name !== 'dashboard').map((name) => page(name, '-empty', { world: EMPTY })),
  ...lists.filter((name) => name !== 'dashboard').map((name) => page(name, '-many', { world: longWorld() })),
  page('merchants', '-found', { path: `${PATHS.merchants}?search=kenya&sort=fullName` }),
  page('merchants', '-nobody', { path: `${PATHS.merchants}?search=zzz` }),
  page('merchants', '-one-many', { path: `${PATHS.merchants}/${fixedId(20_000)}`, world: longWorld() }),
  page('merchants', '-one-unavailable', {
    path: `${PATHS.merchants}/${fixedId(13)}`,
    world: { unavailable: ['/api/admin/merchants/:id'] },
  }),
  page('lab', '-on', { world: misbehaving() }),
  page('lab', '-none', { world: { isDemo: false } }),
  page('lab', '-loading', { world: { silent: ['/api/admin/failure-lab'] }, act: hasHeading }),
  page('merchants', '-loading', { world: { silent: ['/api/admin/merchants'] }, act: hasHeading }),
  page('queues', '-bus-unavailable', { world: { busConnected: false, queues: [] } }),
  page('lab', '-wrong-number', {
    act: async (tab) => {
      await tab.getByLabel('Only to this number').fill('0712');
      await tab.getByLabel('Only to this number').blur();
    },
  }),
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
        wallets: null,
        currentRate: null,
        transfers: null,
      },
    },
  }),
  ...opened,
  page('merchants', '-one', { path: `${PATHS.merchants}/${fixedId(13)}` }),
  {
    name: 'admin-security-passkey',
    path: '/security',
    world: { user: admin },
    act: (tab) => tab.getByRole('button', { name: 'Add a passkey' }).click(),
  },
  { name: 'admin-not-allowed', path: '/admin/merchants' },
];
