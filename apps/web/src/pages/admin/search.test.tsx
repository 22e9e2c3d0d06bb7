import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formatDay } from '#shared/format/date.ts';
import { shortId } from '#shared/format/short-id.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { adminTransactionPath, merchantPath } from '#shared/paths.ts';
import { admin, amina, fixedId } from '#test/fixtures.ts';
import { auditEntries } from '#test/operations-fixtures.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

async function search(text: string, world: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp('/admin', { user: admin, ...world });
  await screen.findByRole('heading', { name: 'Admin Dashboard' });
  await app.user.keyboard('{Control>}k{/Control}');
  await app.user.type(await screen.findByRole('combobox'), text);
  return app;
}

test.each(['+254 712 345 678', '0712345678', '+712345678', '00712345678', 'AMIN4821WKES', 'amina wanj'])(
  'Ctrl-K leads from %s to the merchant',
  async (text) => {
    const app = await search(text);
    expect(await screen.findByRole('option', { name: /Amina Wanjiru/ })).toHaveAttribute('aria-selected', 'true');
    await app.user.keyboard('{Enter}');
    expect(app.address()).toBe(`/admin/merchants/${amina.id}`);
  },
);

test('Ctrl-K opens nothing that was found for an earlier text', async () => {
  const app = await search('amina');
  await screen.findByRole('option', { name: /Amina Wanjiru/ });
  await app.user.keyboard('x{Enter}');
  expect(app.address()).toBe('/admin');
  expect(await screen.findByText('Nothing was found')).toBeVisible();
});

test('Ctrl-K leads to a page by a part of its name, its beginning first, with the arrow keys', async () => {
  const app = await search('me');
  const options = (await screen.findAllByRole('option')).map((option) => option.textContent);
  expect(options).toEqual(['Merchant ManagementPage', 'Message QueuesPage', 'Credit MerchantPage', 'AdjustmentsPage']);
  await app.user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{Enter}');
  expect(app.address()).toBe('/admin/queues');
});

test('Ctrl-K offers no page that the administrator’s role does not open', async () => {
  await search('audit', { user: { ...admin, adminRole: 'support' } });
  expect(await screen.findByText('Nothing was found')).toBeVisible();
});

test('Ctrl-K leads from a transaction’s id to one journal of its statuses, provider calls and administrators', async () => {
  const id = fixedId(1002);
  const retried = {
    id: fixedId(6100),
    action: 'transfer.retried',
    subject: { kind: 'transfer' as const, id, label: null },
  };
  const app = await search(id, { auditEntries: auditEntries.slice(0, 1).map((entry) => ({ ...entry, ...retried })) });
  await app.user.keyboard('{Enter}');
  expect(app.address()).toBe(adminTransactionPath(id));
  const journal = within(await screen.findByRole('list', { name: 'Journal of the transaction' }));
  expect(await journal.findByText(/payout.callback/)).toBeVisible();
  expect(await journal.findByText(/Zuri Admin/)).toBeVisible();
  expect(await journal.findByText('SETTLED')).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Amina Wanjiru' })).toHaveAttribute('href', merchantPath(amina.id));
  const times = [...journal.getAllByRole('listitem')].map((item) => item.querySelector('time')?.dateTime ?? '');
  expect(times).toEqual(times.toSorted());
  const shown = journal.getAllByText(/ [AP]M$/).map(({ textContent }) => textContent);
  expect(shown).toHaveLength(times.length);
  for (const text of shown) expect(text).toMatch(/\b\d+:\d\d:\d\d.[AP]M$/);
  // A day is named where it begins.
  expect(shown.filter((text) => /2026/.test(text))).toHaveLength(new Set(times.map((time) => formatDay(time))).size);
});

test('a transaction leads back to the page that led to it; opened by its address, to the recovery of transactions', async () => {
  widenScreen();
  const app = renderApp('/admin/transactions?recipient=0712345678', { user: admin });
  const recovery = () => screen.findAllByRole('link', { name: /^Transaction Recovery/ });
  expect((await recovery())[0]).toHaveAttribute('aria-current', 'page');
  const table = within(await screen.findByRole('region', { name: 'Transactions' }));
  await app.user.click(table.getAllByRole('link')[0] as HTMLElement);
  const back = await screen.findByRole('button', { name: 'Back' });
  const [inNavigation, ...others] = await recovery();
  expect(inNavigation).toHaveAttribute('aria-current', 'page');
  expect(others).toEqual([]);
  await app.user.click(back);
  expect(app.address()).toBe('/admin/transactions?recipient=0712345678');
  app.unmount();
  renderApp(adminTransactionPath(fixedId(1002)), { user: admin });
  const [, toRecovery] = await recovery();
  expect(toRecovery).toHaveAttribute('href', '/admin/transaction-recovery');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
});

test('a role that may not read merchants sees on a transaction only the number of its account', async () => {
  renderApp(adminTransactionPath(fixedId(1002)), { user: { ...admin, adminRole: 'operations' } });
  expect(await screen.findByText('Merchant')).toBeVisible();
  expect(screen.getByText(shortId(amina.id))).toBeVisible();
  expect(screen.queryByText('Amina Wanjiru')).toBeNull();
});

test.each([
  ['+255 712 345 678', '+255 712 345 678', '+255712345678'],
  ['255712345678', '+255 712 345 678', '+255712345678'],
  ['0712 345 678', '0712 345 678', '0712345678'],
  ['+712345678', '0712 345 678', '0712345678'],
  ['00712345678', '0712 345 678', '0712345678'],
])('Ctrl-K leads from %s to the transactions to it, and from there to each', async (typed, shown, recipient) => {
  widenScreen();
  const app = await search(typed);
  await app.user.click(
    await screen.findByRole('option', { name: new RegExp(`^Transactions to ${unbroken(shown).replace('+', '\\+')}`) }),
  );
  expect(app.address()).toBe(`/admin/transactions?${new URLSearchParams({ recipient })}`);
  expect(await screen.findByRole('heading', { name: `Transactions to ${shown}` })).toBeVisible();
  const table = within(await screen.findByRole('region', { name: 'Transactions' }));
  expect(table.getAllByText('+255 712 345 678').length).toBeGreaterThan(0);
  await app.user.click(table.getAllByRole('link')[0] as HTMLElement);
  expect(app.address()).toMatch(/^\/admin\/transactions\/[0-9a-f-]{36}$/);
});

test.each([
  ['a number that was never paid', '0799999999', 'owner'],
  ['a part of a number', '071234', 'owner'],
  ['a number, to a role that sees no transactions', '+255712345678', 'finance'],
] as const)('Ctrl-K offers no transactions to %s', async (_what, text, adminRole) => {
  const asked: string[] = [];
  server.events.on('request:start', ({ request }) => {
    if (request.url.includes('/api/admin/transactions')) asked.push(request.url);
  });
  await search(text, { user: { ...admin, adminRole } });
  expect(await screen.findByText('Nothing was found')).toBeVisible();
  await waitFor(() => expect(asked).toHaveLength(text === '0799999999' ? 1 : 0));
  expect(screen.queryByText(/^Transactions to/)).toBeNull();
});

test('the list of transactions to a number is empty, refused or unavailable in words', async () => {
  const { unmount } = renderApp('/admin/transactions?recipient=0799999999', { user: admin });
  expect(await screen.findByText('No transaction went to this number')).toBeVisible();
  unmount();
  renderApp('/admin/transactions?recipient=07', {
    user: admin,
    unavailable: ['/api/admin/transactions'],
  });
  expect(await screen.findByText('The transactions could not be loaded')).toBeVisible();
});
