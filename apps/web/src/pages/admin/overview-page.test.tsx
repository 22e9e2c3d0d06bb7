import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { overview } from '#test/admin-fixtures.ts';
import { admin } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

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
  ['Exchange Rates', '/admin/exchange-rates', 'Exchange Rates'],
  ['Credit Merchant', '/admin/credit-merchant', 'Credit Merchant'],
  ['Merchant Management', '/admin/merchants', 'Merchant Management'],
  ['Withdrawals', '/admin/withdrawals', 'Withdrawals'],
  ['Fees', '/admin/fees', 'Fees'],
  ['Limits', '/admin/limits', 'Limits'],
  ['Integration Logs', '/admin/integration-logs', 'Integration Logs'],
  ['Transaction Recovery', '/admin/transaction-recovery', 'Transaction Recovery'],
  ['Reconciliation', '/admin/reconciliation', 'Reconciliation'],
  ['Notifications', '/admin/notifications', 'Notifications'],
  ['Message Queues', '/admin/queues', 'Message Queues'],
  ['Audit Trail', '/admin/audit-trail', 'Audit Trail'],
  ['API Keys', '/admin/api-keys', 'API Keys'],
  ['Failure Lab', '/admin/failure-lab', 'Failure Lab'],
  ['Admin Settings', '/admin/settings', 'Admin Settings'],
] as const;

test('on a laptop the navigation is at the side, with every page and the name of the administrator', async () => {
  widenScreen();
  const app = open();
  const navigation = within(await screen.findByRole('navigation', { name: 'Administration' }));
  await navigation.findByRole('link', { name: 'Failure Lab' });
  expect(navigation.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    PAGES.map(([label, path]) => [label, path]),
  );
  expect(navigation.getByText('Logged in as Admin')).toBeVisible();
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

test('the cards show the current figures', async () => {
  open();
  await shows('KES balance', '125,400 KES');
  await shows('TZS balance', '2,350,001 TZS');
  await shows('Default currency', 'KES');
  await shows('Recent deposits', '2in the last 7 days');
  await shows('Current rate', '23.5 TZS/KESMerchants get 23.030 after 2% markup');
  await shows('System status', 'ActiveAll 8 services are up');
  await shows('Stuck transactions', '1The oldest since Jan 11, 2026, 12:15 PM');
  expect(screen.getByRole('link', { name: /Stuck transactions/ })).toHaveAttribute(
    'href',
    '/admin/transaction-recovery',
  );
});

test('the system is active only when every service is ready; otherwise the card names those that are not', async () => {
  const parts = overview.parts.map((part) => ({ ...part, ready: part.name !== 'rates' }));
  open({ overview: { ...overview, parts, currentRate: null, recentDeposits: null, transfers: null } });
  await shows('System status', 'Not fully activeDown: rates');
  await shows('Current rate', 'Unavailable');
  await shows('Recent deposits', 'Unavailable');
  await shows('KES balance', '125,400 KES');
  expect(await screen.findByText('The figures are not available at the moment')).toBeVisible();
});

test('a rate that was never set is not called unavailable', async () => {
  open({ overview: { ...overview, currentRate: null } });
  await shows('Current rate', 'Not set');
});

test('balances are shown even where the overview cannot be loaded', async () => {
  open();
  server.use(http.get('*/api/admin/overview', () => errorAnswer('unavailable', 'Unavailable')));
  await shows('KES balance', '125,400 KES');
  await shows('System status', 'Unavailable');
  expect(await screen.findByText('The figures could not be loaded')).toBeVisible();
});

test('the charts of thirty days have their figures in a table too, newest first', async () => {
  const app = open();
  expect(await screen.findByRole('img', { name: 'Transfers per day' })).toBeVisible();
  await app.user.click(screen.getByText('Show as a table'));
  const table = within(screen.getByRole('table'));
  const [, newest] = table.getAllByRole('row');
  expect(table.getAllByRole('row')).toHaveLength(31);
  expect(newest).toHaveTextContent('Jan 12, 2026123141,537,500 KES10,332,000 TZS');
});

test('the ledger audit says whether every rule holds, and which one does not', async () => {
  const { unmount } = open();
  expect(await screen.findByText('Every rule of the ledger holds')).toBeVisible();
  expect(screen.getByText('Every journal sums to zero per currency')).toBeVisible();
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
