import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { chooseLanguage } from '#shared/i18n/i18n.ts';
import { logs } from '#test/admin-fixtures.ts';
import { admin, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';

type World = Parameters<typeof renderApp>[1];
const openRecovery = (world: World = {}) => renderApp('/admin/transaction-recovery', { user: admin, ...world });
const openLogs = (world: World = {}) => renderApp('/admin/integration-logs', { user: admin, ...world });
const noReason = () => new HttpResponse('', { status: 500 });

test('recovery: a transfer without a target amount or a recipient reads N/A', async () => {
  widenScreen();
  const { world } = openRecovery();
  server.use(
    http.get('*/api/admin/stuck-transactions', () => {
      const [{ transaction } = { transaction: {} }] = world.stuck;
      const bare = { ...transaction, targetAmount: null, targetCurrency: null, recipientPhone: null };
      return HttpResponse.json({ stuckTransactions: [{ transaction: bare }] });
    }),
  );
  await screen.findByRole('table');
  const [, row] = screen.getAllByRole('row');
  expect(row).toHaveTextContent('25,000 KES → N/A');
  expect(within(row as HTMLElement).getAllByText(/N\/A/)).toHaveLength(2);
});

test('recovery: the table has its columns, with creation and update times, amounts and recipients', async () => {
  widenScreen();
  const app = openRecovery();
  await screen.findByRole('table');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Time',
    'Transaction ID',
    'Amount',
    'Status',
    'Recipient',
    'Actions',
  ]);
  const [, row] = screen.getAllByRole('row');
  for (const text of [
    'Jan 11, 2026, 12:15 PM',
    'Updated 4 s later',
    '0190a5c0…1001',
    '25,000 KES → 575,750 TZS',
    'Pending',
    'The payout is not confirmed yet',
    '+255 754 111 222',
  ]) {
    expect(row).toHaveTextContent(text);
  }
  const [first] = app.world.stuck;
  if (!first) throw new Error('no stuck transaction in the fixtures');
  app.world.stuck = [
    {
      transaction: {
        ...first.transaction,
        updatedAt: first.transaction.createdAt,
        recipientPhone: null,
        status: 'PROCESSING',
      },
    },
  ];
  await app.user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(await screen.findByText('N/A')).toBeVisible();
  expect(screen.getByText('PROCESSING')).toBeVisible();
  expect(screen.queryByText(/^Updated/)).toBeNull();
});

test.each([
  ['the same day', '2026-01-11T15:42:00.000Z', 'Updated 6:42 PM'],
  ['a later day', '2026-01-12T05:42:00.000Z', 'Updated Jan 12, 2026, 8:42 AM'],
])('recovery: the time of an update on %s names only a day that differs', async (_, updatedAt, text) => {
  const stuck = createWorld().stuck.map(({ transaction }) => ({ transaction: { ...transaction, updatedAt } }));
  openRecovery({ stuck });
  expect(await screen.findByText(new RegExp(`^${text}`))).toBeVisible();
});

test.each([
  ['PENDING', 'Pending'],
  ['SETTLED', 'Success'],
  ['success', 'Success'],
  ['COMPLETED', 'Success'],
  ['FAILED', 'Failed'],
  ['ON_HOLD', 'ON_HOLD'],
])('recovery: the status %s is shown as %s', async (status, text) => {
  const app = openRecovery();
  const [first] = app.world.stuck;
  if (!first) throw new Error('no stuck transaction in the fixtures');
  // Older records have status words that the contract no longer has.
  const transaction = { ...first.transaction, status: status as 'PENDING' };
  app.world.stuck = [{ transaction }];
  expect(await screen.findByText(text)).toBeVisible();
});

test('recovery: the filter keeps ids that contain the text, case-insensitively', async () => {
  const app = openRecovery();
  const filter = await screen.findByLabelText('Filter by transaction ID');
  await app.user.type(filter, '0190A5C0');
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
  await app.user.type(filter, 'X');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.getByText('No transaction ID contains this text')).toBeVisible();
});

test('recovery: a retry shows only on its own row, and then the list is fetched again', async () => {
  const app = openRecovery();
  const [first] = app.world.stuck;
  if (!first) throw new Error('no stuck transaction in the fixtures');
  app.world.stuck.push({ transaction: { ...first.transaction, id: fixedId(1009) } });
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/retry', async () => {
      await answered.promise;
    }),
  );
  const [retry] = await screen.findAllByRole('button', { name: 'Retry' });
  await app.user.click(retry as HTMLElement);
  expect(await screen.findByRole('button', { name: 'Retrying...' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeEnabled();
  answered.resolve();
  expect(await screen.findByText('Transaction Retry Initiated')).toBeVisible();
  expect(screen.getByText(`Transaction ${fixedId(1001)} has been successfully queued for retry.`)).toBeVisible();
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1));
});

test.each([
  [() => errorAnswer('not_retryable', 'It has ended'), 'It has ended'],
  [() => HttpResponse.json({}, { status: 500 }), 'An unknown error occurred'],
  [noReason, 'Failed to retry transaction'],
])('recovery: a refused retry says why', async (answer, sentence) => {
  const app = openRecovery();
  server.use(http.post('*/retry', answer));
  await app.user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Failed to Retry Transaction')).toBeVisible();
  // In the toast, and in the row.
  expect(screen.getAllByText(sentence)).toHaveLength(2);
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeEnabled();
});

test('recovery: the dialog itself says why a retry or a question to the provider failed', async () => {
  const app = openRecovery();
  server.use(
    http.post('*/retry', () => errorAnswer('not_retryable', 'It has ended')),
    http.post('*/recovery/inquire', () => errorAnswer('unavailable', 'Not now')),
  );
  await app.user.click(await screen.findByRole('button', { name: /^Details/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await app.user.click(await dialog.findByRole('button', { name: 'Retry' }));
  expect(await dialog.findByText('It has ended')).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Ask the provider now' }));
  expect(await dialog.findByText('The provider could not be asked')).toBeVisible();
});

test('recovery: an empty list says so; a list that cannot be loaded says so and can be retried', async () => {
  const { unmount } = openRecovery({ stuck: [] });
  expect(await screen.findByText('No Stuck Transactions')).toBeVisible();
  expect(screen.getByText('All transactions appear to be processing normally')).toBeVisible();
  unmount();
  const app = openRecovery();
  server.use(http.get('*/api/admin/stuck-transactions', noReason, { once: true }));
  expect(await screen.findByText('Error Loading Transactions')).toBeVisible();
  expect(screen.getByText('Failed to load stuck transactions')).toBeVisible();
  expect(screen.getByText('Query Error')).toBeVisible();
  expect(screen.getByText('Failed to fetch stuck transactions')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
});

test('recovery: why the list could not be loaded is said in the user’s language', async () => {
  await chooseLanguage('sw');
  openRecovery();
  server.use(http.get('*/api/admin/stuck-transactions', noReason, { once: true }));
  expect(await screen.findByText('Imeshindikana kupata miamala iliyokwama')).toBeVisible();
  await chooseLanguage('en');
});

test('recovery: the guidelines say when to retry, what a retry does, and whom to contact', async () => {
  openRecovery();
  const card = within((await screen.findByRole('heading', { name: 'Guidelines' })).closest('section') as HTMLElement);
  for (const text of [
    /stuck in PENDING for more than 15 minutes/,
    /no provider-wide issue is confirmed/,
    /a customer reports payment deducted but not completed/,
    /re-publishes the execution message to the message queue/,
    /attempts internal transfers if not already done/,
    /sends no duplicate payment if already processed/,
    /updates the status from the result/,
    'If retries keep failing, contact the technical team.',
  ]) {
    expect(card.getByText(text)).toBeVisible();
  }
});

test('logs: are grouped by transaction, newest first, and a group opens to its operations', async () => {
  const app = openLogs();
  const group = (await screen.findByText(fixedId(1001))).closest('details') as HTMLDetailsElement;
  expect(group).toHaveTextContent('2 operations');
  expect(group.open).toBe(false);
  await app.user.click(screen.getByText(fixedId(1001)));
  expect(group.open).toBe(true);
  expect(
    within(group)
      .getAllByRole('button')
      .map((row) => row.textContent),
  ).toEqual([
    expect.stringMatching(/^payout.statusGET No answer.*Failed$/),
    expect.stringMatching(/^payout.initiatePOST 200.*Answered$/),
  ]);
});

test('logs: a group is named by its payout; without one, by its transaction’s ID', async () => {
  const [, request] = logs;
  openLogs({
    logs: [request, { ...request, id: fixedId(3298), transactionId: fixedId(1007), requestBody: null }] as typeof logs,
  });
  const paid = (await screen.findByText('575,750 TZS to +255 754 111 222')).closest('summary');
  expect(paid).toHaveTextContent(fixedId(1001));
  // A separator ends a line, and begins none.
  expect(paid).toHaveTextContent('Jan 11, 2026, 12:15 PM · 1 operation');
  expect(paid).toHaveTextContent('0190a5c0…1001 · pawapay');
  expect(screen.getByText(fixedId(1007))).toBeVisible();
});

test('logs: a list that the server ended says so', async () => {
  const [log] = logs;
  openLogs({
    logs: Array.from({ length: 200 }, (_, index) => ({ ...log, id: fixedId(9_000 + index) })) as typeof logs,
  });
  expect(await screen.findByText('Only the newest 200 are listed.')).toBeVisible();
});

test('logs: the filter keeps ids that contain the text; a whole id is sent to the server', async () => {
  const app = openLogs();
  await screen.findByText(fixedId(1001));
  const filter = screen.getByLabelText('Filter by transaction ID');
  await app.user.type(filter, '1002');
  expect(screen.queryByText(fixedId(1001))).toBeNull();
  expect(screen.getByText(fixedId(1002))).toBeVisible();
  await app.user.type(filter, 'x');
  expect(screen.getByText('No transaction ID contains this text')).toBeVisible();
  const old = {
    ...app.world.logs[1],
    id: fixedId(3299),
    transactionId: fixedId(77),
  } as (typeof app.world.logs)[number];
  server.use(
    http.get('*/api/integration-logs/recent', ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('transactionId');
      return HttpResponse.json({ logs: wanted === old.transactionId ? [old] : [] });
    }),
  );
  await app.user.clear(filter);
  await app.user.click(filter);
  await app.user.paste(fixedId(77));
  expect(await screen.findByText(fixedId(77))).toBeVisible();
});

async function openDetail(app: ReturnType<typeof openLogs>): Promise<void> {
  const id = await screen.findByText(fixedId(1001));
  await app.user.click(id);
  const group = within(id.closest('details') as HTMLElement);
  await app.user.click(group.getByRole('button', { name: /payout.initiate/ }));
}

test('logs: a detail has the request and the response, each of which can be copied', async () => {
  const app = openLogs();
  await openDetail(app);
  const dialog = within(await screen.findByRole('dialog', { name: 'payout.initiate' }));
  expect(dialog.getByRole('tab', { name: 'Request' })).toHaveAttribute('aria-selected', 'true');
  expect(dialog.getByText(/"amount": "575750"/)).toBeVisible();
  expect(dialog.getByText('POST https://api.pawapay.test/v2/payouts')).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Copy' }));
  expect(await dialog.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(JSON.parse(await navigator.clipboard.readText())).toMatchObject({ currency: 'TZS' });
  await app.user.click(dialog.getByRole('tab', { name: 'Response' }));
  expect(dialog.getByText(/"status": "ACCEPTED"/)).toBeVisible();
  expect(dialog.getByText('200')).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('logs: a detail that cannot be loaded says so', async () => {
  const app = openLogs();
  server.use(http.get('*/api/integration-logs/log/:id', () => errorAnswer('not_found', 'Log not found')));
  await openDetail(app);
  expect(await screen.findByText('Error Loading Details')).toBeVisible();
  expect(screen.getByText('Failed to fetch log details')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('logs: a detail that cannot be loaded leaves another one, opened meanwhile, open', async () => {
  const app = openLogs();
  const answer = Promise.withResolvers<void>();
  server.use(
    http.get(
      '*/api/integration-logs/log/:id',
      async () => {
        await answer.promise;
        return errorAnswer('not_found', 'Log not found');
      },
      { once: true },
    ),
  );
  await openDetail(app);
  const first = await screen.findByRole('dialog', { name: 'payout.initiate' });
  await app.user.click(within(first).getByRole('button', { name: 'Close' }));
  await app.user.click(screen.getByRole('button', { name: /payout.status/ }));
  await screen.findByRole('dialog', { name: 'payout.status' });
  answer.resolve();
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.getByRole('dialog', { name: 'payout.status' })).toBeVisible();
  expect(screen.queryByText('Error Loading Details')).toBeNull();
});

test('logs: an empty list offers to generate test logs', async () => {
  const app = openLogs({ logs: [] });
  await app.user.click(await screen.findByRole('button', { name: 'Generate Test Logs' }));
  expect(await screen.findByText('TEST-1')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Generate Test Logs' })).toBeNull();
});

test('logs: a list that cannot be loaded says so', async () => {
  openLogs();
  server.use(http.get('*/api/integration-logs/recent', () => errorAnswer('unavailable', 'Unavailable')));
  const toast = within(
    await screen
      .findByText('Error Loading Logs', { selector: '[role=alert] p.inline' })
      .then((title) => title.parentElement as HTMLElement),
  );
  expect(toast.getByText('Failed to fetch integration logs')).toBeVisible();
});

test('logs: an ended session is noticed when a log is opened', async () => {
  const app = openLogs();
  server.use(http.get('*/api/integration-logs/log/:id', () => errorAnswer('unauthenticated', 'Please sign in.')));
  await openDetail(app);
  await waitFor(() => expect(app.address()).toMatch(/^\/auth/));
});
