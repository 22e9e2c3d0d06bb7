import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Administrator } from '@vuka/contracts/http/administrators';
import { http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { formatAmount } from '#shared/format/money.ts';
import { overview } from '#test/admin-fixtures.ts';
import { administrators } from '#test/administrator-fixtures.ts';
import { admin, amina, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { limitProposal, ownProposal, rateProposal, tierLimitProposal } from '#test/proposal-fixtures.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';

const open = (world: Parameters<typeof renderApp>[1] = {}, path = '/admin') =>
  renderApp(path, { user: admin, ...world });
/** Waits until the card with this title shows this text. */
async function shows(title: string, text: string): Promise<void> {
  const heading = await screen.findByRole('heading', { name: title });
  await waitFor(() => expect(heading.closest('section')).toHaveTextContent(text));
}

const PAGES = [
  ['Dashboard', '/admin', 'Admin Dashboard'],
  ['Admin Deposits', '/admin/deposits', 'Admin Deposits'],
  ['Credit Merchant', '/admin/credit-merchant', 'Credit Merchant'],
  ['Withdrawals', '/admin/withdrawals', 'Withdrawals'],
  ['Reconciliation', '/admin/reconciliation', 'Reconciliation'],
  ['Adjustments', '/admin/adjustments', 'Adjustments'],
  ['Exchange Rates', '/admin/exchange-rates', 'Exchange Rates'],
  ['Fees', '/admin/fees', 'Fees'],
  ['Limits', '/admin/limits', 'Limits'],
  ['Merchant Management', '/admin/merchants', 'Merchant Management'],
  ['Notifications', '/admin/notifications', 'Notifications'],
  ['Transaction Recovery', '/admin/transaction-recovery', 'Transaction Recovery'],
  ['Integration Logs', '/admin/integration-logs', 'Integration Logs'],
  ['Message Queues', '/admin/queues', 'Message Queues'],
  ['Audit Trail', '/admin/audit-trail', 'Audit Trail'],
  ['API Keys', '/admin/api-keys', 'API Keys'],
  ['Admin Settings', '/admin/settings', 'Admin Settings'],
  ['Failure Lab', '/admin/failure-lab', 'Failure Lab'],
] as const;

test('on a laptop the navigation is at the side, with every page and the name of the administrator', async () => {
  widenScreen();
  const app = open();
  const navigation = within(await screen.findByRole('navigation', { name: 'Administration' }));
  await navigation.findByRole('link', { name: 'Failure Lab' });
  const links = navigation.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(PAGES.map(([, path]) => path));
  // What waits for a person is counted beside its page.
  await waitFor(() => expect(navigation.getByRole('link', { name: 'Transaction Recovery' })).toHaveTextContent('1'));
  expect(navigation.getByText('Logged in as Admin')).toBeVisible();
  expect(within(navigation.getByRole('list', { name: 'Pricing' })).getAllByRole('link')).toHaveLength(3);
  for (const [label, , title] of PAGES) {
    await app.user.click(navigation.getByRole('link', { name: label }));
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(navigation.getByRole('link', { name: label })).toHaveAttribute('aria-current', 'page');
  }
});

test('on a narrow screen the navigation is a drawer, which closes when a page is chosen', async () => {
  const app = open();
  expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
  await app.user.click(await screen.findByRole('button', { name: 'Menu' }));
  const drawer = within(screen.getByRole('dialog', { name: 'Administration' }));
  expect(drawer.getByText('Logged in as Admin')).toBeVisible();
  await app.user.click(drawer.getByRole('link', { name: 'Exchange Rates' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByRole('heading', { level: 1, name: 'Exchange Rates' })).toBeVisible();
});

test.each(PAGES.map(([, path]) => path))('%s is not for a merchant', async (path) => {
  renderApp(path);
  expect(await screen.findByRole('heading', { name: 'You do not have access to this page' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
});

test('an unknown address under /admin is a 404', async () => {
  open({}, '/admin/nowhere');
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});

test.each([
  ['a visitor', null],
  ['a merchant', amina],
  ['an administrator', admin],
])('an unknown address under /admin is the same 404 for %s', async (_, user) => {
  const app = renderApp('/admin/merchants/a/b', { user });
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(app.address()).toBe('/admin/merchants/a/b');
});

test('the cards show the current figures', async () => {
  open();
  await shows('KES balance', '125,400 KESyour own wallet');
  await shows('TZS balance', '2,350,001 TZSyour own wallet');
  await shows('Default currency', 'KESfrom your profile');
  await shows('Recent deposits', '2in the last 7 days');
  await shows('Current rate', '23.5 TZS/KES23.030 with 2% markup');
  await shows('System status', 'ActiveAll 8 services are up');
});

test('the dashboard begins with what waits for an administrator, each with its page, and then with today', async () => {
  open();
  await shows('Settled today', '1,537,500 KES10,332,000 TZS128 transfers: 123 settled, 1 failed, 4 in progress');
  await shows('Success rate', '99.1%');
  await shows('Time to deliver', '4.2 s');
  await shows('Float with the provider', '98,352,690 TZSTZS differs from our books');
  expect(screen.getByRole('link', { name: 'Float with the provider' })).toHaveAttribute(
    'href',
    '/admin/reconciliation',
  );
  const attention = await screen.findByRole('heading', { name: 'Needs attention' });
  const list = within(attention.closest('section') as HTMLElement);
  const stuck = await list.findByRole('link', { name: /Stuck transactions/ });
  expect(stuck).toHaveAttribute('href', '/admin/transaction-recovery');
  expect(stuck.textContent?.replaceAll('\u00a0', ' ')).toMatch(/since Jan 11, 2026$/);
  expect(await list.findByRole('link', { name: /Dead messages/ })).toHaveAttribute('href', '/admin/queues');
});

const PROPOSED = {
  rateProposals: [rateProposal],
  tierLimitProposals: [tierLimitProposal],
  limitProposals: [limitProposal],
};

test('a list that was counted only in part has a plus beside its page', async () => {
  widenScreen();
  const [waiting] = createWorld().adminWithdrawals;
  if (!waiting) throw new Error('no withdrawal in the fixtures');
  const adminWithdrawals = Array.from({ length: 60 }, (_, index) => ({ ...waiting, id: fixedId(8_000 + index) }));
  open({ adminWithdrawals });
  await waitFor(() => expect(screen.getByRole('link', { name: 'Withdrawals' })).toHaveTextContent('Withdrawals50+'));
  expect(screen.getByRole('link', { name: /^50 or more ?Withdrawals to approve/ })).toBeVisible();
});

test('a queue with messages and without a consumer needs attention, beside the dead messages', async () => {
  widenScreen();
  open();
  expect(await screen.findByRole('link', { name: '1Queues without a consumer' })).toHaveAttribute(
    'href',
    '/admin/queues',
  );
  await waitFor(() => expect(screen.getByRole('link', { name: 'Message Queues' })).toHaveTextContent('Queues3'));
});

const roleProposal: Administrator['roleProposal'] = { ...ownProposal(7601), from: 'auditor', to: 'finance' };

test('what administrators propose to each other, and expires, is counted on the dashboard and beside its page', async () => {
  widenScreen();
  // Another one of the fixtures waits for a second administrator to unlock the account.
  open({
    ...PROPOSED,
    administrators: administrators.map((one, index) => (index === 1 ? { ...one, roleProposal } : one)),
  });
  for (const [name, page, path, inAll] of [
    [/Changes of the rate to approve/, 'Exchange Rates', '/admin/exchange-rates', 1],
    [/Higher limits to approve/, 'Limits', '/admin/limits', 1],
    [/Higher approval limits to approve/, 'Admin Settings', '/admin/settings', 3],
    [/^2Roles and unlocks to approve/, 'Admin Settings', '/admin/settings', 3],
  ] as const) {
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', path);
    await waitFor(() => expect(screen.getByRole('link', { name: page })).toHaveTextContent(`${page}${inAll}`));
  }
});

test.each([
  ['operations', []],
  ['finance', ['rate-proposals', 'tier-limit-proposals']],
  ['auditor', ['rate-proposals', 'tier-limit-proposals', 'limit-proposals']],
] as const)('of the proposals, %s is told those of the pages that the role opens', async (adminRole, lists) => {
  const asked: string[] = [];
  const record = ({ request }: { request: Request }): void => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('-proposals')) asked.push(pathname.replace('/api/admin/', ''));
  };
  server.events.on('request:start', record);
  onTestFinished(() => void server.events.removeListener('request:start', record));
  open({ ...PROPOSED, user: { ...admin, adminRole } });
  await screen.findByRole('link', { name: /Payments that do not match/ });
  await waitFor(() =>
    expect(screen.queryAllByRole('link', { name: /(rate|limits) to approve/ })).toHaveLength(lists.length),
  );
  expect(asked).toEqual(lists);
});

const NOTHING_STUCK = { count: 0, oldestCreatedAt: null };

test.each([
  ['a list that cannot be read', { unavailable: ['/api/admin/queues'] }],
  ['an unavailable message bus', { busConnected: false }],
])('%s is named, and is not taken for nothing that needs attention', async (_, world) => {
  const { transfers } = overview;
  if (!transfers) throw new Error('the fixture has transfers');
  open({
    overview: { ...overview, transfers: { ...transfers, stuck: NOTHING_STUCK } },
    adminWithdrawals: [],
    largeCredits: [],
    adjustments: [],
    exceptions: [],
    ...world,
  });
  expect(await screen.findByText('Could not be loaded: Dead messages')).toBeVisible();
  expect(screen.queryByText('Nothing needs attention')).toBeNull();
});

test.each([
  [420, '0.4 s'],
  [12_300, '12 s'],
  [240_000, '4 min'],
  [null, 'None yet'],
])('a median of %s ms until delivery reads %s', async (medianDeliveryMs, text) => {
  const { transfers } = overview;
  if (!transfers) throw new Error('the fixture has transfers');
  open({ overview: { ...overview, transfers: { ...transfers, medianDeliveryMs } } });
  await shows('Time to deliver', text);
});

test('a float that was never compared with the provider does not agree with our books', async () => {
  open({ floats: [] });
  await shows('Float with the provider', 'None yetnot compared with the provider yet');
});

test('a float that cannot be read is called unavailable, and is not left out', async () => {
  open();
  server.use(http.get('*/api/admin/reconciliation', () => errorAnswer('unavailable', 'Unavailable')));
  await shows('Float with the provider', 'Float with the providerUnavailable');
});

test('a float that the role may not read is left out', async () => {
  open({ user: { ...admin, adminRole: 'support' } });
  await shows('Time to deliver', '4.2 s');
  expect(screen.queryByText('Float with the provider')).toBeNull();
});

test('the flow of money names what is in wallets, reserved, with the provider and delivered, each with its page', async () => {
  open();
  const flow = (await screen.findByRole('heading', { name: 'Where the money is now' })).closest(
    'section',
  ) as HTMLElement;
  await within(flow).findByText('4,812,350 KES');
  const today = overview.transfers?.days.at(-1)?.volumes;
  const stages = within(flow).getAllByRole('link');
  expect(stages.map((stage) => [stage.getAttribute('href'), stage.textContent])).toEqual([
    ['/admin/merchants', 'In wallets4,812,350 KES98,210,400 TZS'],
    ['/admin/transaction-recovery', 'Reserved for transfers54,200 KES350,000 TZS'],
    ['/admin/reconciliation', 'Of which with the provider29,200 KES46,060 TZS'],
    [
      '/admin/integration-logs',
      `Settled today${formatAmount(today?.KES ?? '', 'KES')}${formatAmount(today?.TZS ?? '', 'TZS')}`,
    ],
  ]);
  const reserved = within(flow).getAllByRole('listitem')[1] as HTMLElement;
  expect(within(reserved).getByText('Of which with the provider')).toBeVisible();
});

test('a stage of the flow whose service did not answer says so, and the others are shown', async () => {
  open({ overview: { ...overview, wallets: null } });
  const flow = (await screen.findByRole('heading', { name: 'Where the money is now' })).closest(
    'section',
  ) as HTMLElement;
  expect(await within(flow).findByText('29,200 KES')).toBeVisible();
  expect(within(flow).getAllByText('Unavailable')).toHaveLength(2);
});

test('the system is active only when every service is ready; otherwise the card names those that are not', async () => {
  const parts = overview.parts.map((part) => ({ ...part, ready: part.name !== 'rates' }));
  open({ overview: { ...overview, parts, currentRate: null, recentDeposits: null, transfers: null } });
  await shows('System status', 'Not fully activeDown: rates');
  await shows('Current rate', 'Unavailable');
  await shows('Recent deposits', 'Unavailable');
  await shows('KES balance', '125,400 KESyour own wallet');
  expect(await screen.findByText('The figures are not available at the moment')).toBeVisible();
});

test('a rate that was never set is not called unavailable', async () => {
  open({ overview: { ...overview, currentRate: null } });
  await shows('Current rate', 'Not set');
});

test('balances are shown even where the overview cannot be loaded', async () => {
  open();
  server.use(http.get('*/api/admin/overview', () => errorAnswer('unavailable', 'Unavailable')));
  await shows('KES balance', '125,400 KESyour own wallet');
  await shows('System status', 'Unavailable');
  expect(await screen.findByText('The figures could not be loaded')).toBeVisible();
});

test('the chart of thirty days has a scale, and shows the figures of the day under the pointer', async () => {
  const app = open();
  const chart = await screen.findByRole('img', { name: 'Transfers per day' });
  const figure = within(chart.closest('figure') as HTMLElement);
  expect(figure.getByText('150')).toBeVisible();
  expect(figure.getAllByText('Jan 12, 2026')).toHaveLength(1);
  fireEvent.pointerMove(chart.parentElement as HTMLElement, { clientX: 1_000 });
  expect(figure.getAllByText('Jan 12, 2026')).toHaveLength(2);
  await app.user.click(screen.getByRole('radio', { name: 'TZS' }));
  expect(screen.getByRole('img', { name: 'Settled per day, sent in TZS' })).toBeVisible();
  expect(screen.getByText('10M')).toBeVisible();
});

test('the chart says that nothing was sent, instead of showing an empty frame', async () => {
  const none = { settled: 0, failed: 0, open: 0, volumes: { KES: '0.00', TZS: '0.00' } };
  const days = overview.transfers?.days.map(({ day }) => ({ day, ...none })) ?? [];
  open({ overview: { ...overview, transfers: { stuck: { count: 0, oldestCreatedAt: null }, days } } });
  expect(await screen.findByText('No transfers in these 30 days')).toBeVisible();
});

test('the figures of the chart are in a table too, newest first', async () => {
  const app = open();
  await app.user.click(await screen.findByText('Show as a table'));
  const table = within(screen.getByRole('table'));
  const [, newest] = table.getAllByRole('row');
  expect(table.getAllByRole('row')).toHaveLength(31);
  expect(newest).toHaveTextContent('Jan 12, 2026123411,537,500 KES10,332,000 TZS');
});

test('the ledger audit says whether every rule holds, and which one does not', async () => {
  const { unmount } = open();
  expect(await screen.findByText('Every rule of the ledger holds')).toBeVisible();
  expect(screen.getByText('Every journal sums to zero in each currency.')).toBeVisible();
  unmount();
  const app = open();
  app.world.audit = {
    ...app.world.audit,
    holds: false,
    invariants: app.world.audit.invariants.map((one, index) => (index === 0 ? { ...one, violations: 2 } : one)),
  };
  expect(await screen.findByText('A rule of the ledger is broken')).toBeVisible();
  expect(screen.getByText(/2 violations/)).toBeVisible();
});
