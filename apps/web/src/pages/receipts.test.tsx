import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { fixedId, receiptOf, transaction } from '#test/fixtures.ts';
import { codeOf } from '#test/receipt-handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const networkFails = () => HttpResponse.error();
const rows = () => screen.queryAllByRole('link', { name: /→/ }).length;

afterEach(() => {
  Object.assign(navigator, { share: undefined, canShare: undefined });
  window.history.replaceState({}, '', '/');
});

test('a settled receipt begins with what arrived, where, and how fast; an open one with what was sent, and to whom', async () => {
  const { unmount } = renderApp(`/transaction/${fixedId(1002)}`);
  const arrived = await screen.findByText('delivered to +254 722 000 111 in 4 s');
  expect(arrived.previousElementSibling).toHaveTextContent(/^14,596 KES$/);
  unmount();
  renderApp(`/transaction/${fixedId(1001)}`);
  expect(await screen.findByText('PENDING')).toBeVisible();
  expect(screen.queryByText(/delivered to/)).toBeNull();
  const underWay = screen.getByText('575,750 TZS to +255 754 111 222');
  expect(underWay.previousElementSibling).toHaveTextContent(/^25,000 KES$/);
});

test('a receipt shows its fee to the cent', async () => {
  renderApp(`/transaction/${fixedId(1001)}`);
  const paid = receiptOf(transaction(1)).transaction;
  server.use(http.get('*/api/transactions/:id', () => HttpResponse.json({ transaction: { ...paid, fee: '12.50' } })));
  expect(await screen.findByText('12.50 KES')).toBeVisible();
});

test('the history’s filters are in the address, which restores them, and on a phone chips remove them', async () => {
  widenScreen();
  const app = renderApp('/transactions');
  await waitFor(() => expect(rows()).toBe(8));
  await app.user.selectOptions(screen.getByLabelText('Status'), 'FAILED');
  expect(app.address()).toBe('/transactions?status=FAILED');
  await waitFor(() => expect(rows()).toBe(1));
  await app.user.selectOptions(screen.getByLabelText('Direction'), 'KES_TO_TZS');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
  expect(app.address()).toBe('/transactions?status=FAILED&direction=KES_TO_TZS&from=2026-01-01');
  app.unmount();
  widenScreen(22);
  const again = renderApp('/transactions?status=FAILED&direction=KES_TO_TZS&from=2026-01-01');
  await waitFor(() => expect(rows()).toBe(1));
  const chips = within(screen.getByRole('list', { name: 'Active filters' }));
  expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
    'Failed',
    'KES → TZS',
    'From Jan 1, 2026',
  ]);
  await again.user.click(chips.getByRole('button', { name: 'Remove filter: Failed' }));
  expect(again.address()).toBe('/transactions?direction=KES_TO_TZS&from=2026-01-01');
  await waitFor(() => expect(rows()).toBe(5));
});

test('a search is sent when the user pauses typing, and an incomplete one is not a failure', async () => {
  const asked: string[] = [];
  const app = renderApp('/transactions');
  await waitFor(() => expect(rows()).toBe(8));
  server.events.on('request:start', ({ request }) => {
    const q = new URL(request.url).searchParams.get('q');
    if (q) asked.push(q);
  });
  const field = screen.getByLabelText('Search transactions');
  await app.user.type(field, '754111');
  await waitFor(() => expect(rows()).toBe(1));
  expect(asked).toEqual(['754111']);
  expect(app.address()).toBe('/transactions?q=754111');
  await app.user.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(rows()).toBe(8));
  await app.user.type(field, 'am{Enter}');
  expect(await screen.findByText('No matches')).toBeVisible();
  expect(screen.getByText('Search for a transaction ID, a phone number or an amount.')).toBeVisible();
  expect(screen.queryByText('Query Error')).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(rows()).toBe(8));
  expect(app.address()).toBe('/transactions');
  app.goBack();
  expect(app.address()).toBe('/transactions?q=am');
  // Otherwise the field would search for its own text again.
  expect(screen.getByLabelText('Search transactions')).toHaveValue('am');
});

test('on a phone the filters are chosen in a sheet and applied together', async () => {
  const app = renderApp('/transactions');
  await waitFor(() => expect(rows()).toBe(8));
  await app.user.click(screen.getByRole('button', { name: 'Filter' }));
  const sheet = within(screen.getByRole('dialog', { name: 'Filter transactions' }));
  await app.user.selectOptions(sheet.getByLabelText('Status'), 'SETTLED');
  await app.user.selectOptions(sheet.getByLabelText('Direction'), 'TZS_TO_KES');
  expect(app.address()).toBe('/transactions');
  await app.user.click(sheet.getByRole('button', { name: 'Show results' }));
  expect(app.address()).toBe('/transactions?status=SETTLED&direction=TZS_TO_KES');
  await waitFor(() => expect(rows()).toBe(2));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('invalid filters in an address are ignored, and filters without matches say so', async () => {
  const app = renderApp('/transactions?status=DONE&from=soon&to=2026-02-30&direction=KES_TO_TZS');
  await waitFor(() => expect(rows()).toBe(5));
  app.unmount();
  widenScreen();
  const none = renderApp('/transactions?from=2030-01-01');
  const notice = (await screen.findByText('No matches')).closest('[role="status"]') as HTMLElement;
  expect(notice).toHaveTextContent('Try another search, or fewer filters.');
  expect(screen.queryByText('No transactions found')).toBeNull();
  await none.user.click(within(notice).getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(rows()).toBe(8));
});

test('the history says that it could not be loaded, keeps its data when a refresh fails, and retries', async () => {
  const app = renderApp('/transactions', { unavailable: ['/api/transactions'] });
  expect(await screen.findByText('Transactions could not be loaded')).toBeVisible();
  app.unmount();
  const later = renderApp('/transactions');
  await waitFor(() => expect(rows()).toBe(8));
  server.use(http.get('*/api/transactions', networkFails, { once: true }));
  await act(() => later.client.invalidateQueries({ queryKey: ['/api/transactions'] }));
  expect(await screen.findByText('The list could not be updated.')).toBeVisible();
  expect(rows()).toBe(8);
  await later.user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('The list could not be updated.')).toBeNull());
});

test.each([
  ['PENDING', 'Your money is reserved'],
  ['PROCESSING', 'Most transfers arrive within a minute'],
] as const)(
  'the receipt of a %s transfer explains the state of the money, until the transfer ends',
  async (status, title) => {
    const app = renderApp(`/transaction/${fixedId(1000)}`, { transactions: [transaction(0, { status })] });
    expect(await screen.findByText(title)).toBeVisible();
    app.world.transactions = [transaction(0, { status: 'SETTLED' })];
    await act(() => app.client.invalidateQueries({ queryKey: ['/api/transactions', fixedId(1000)] }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
  },
);

/** Serves the receipt of a withdrawal, or of another variation of a transfer. */
function serveReceipt(status: 'PENDING' | 'PROCESSING' | 'FAILED', changes: object, metadata: object) {
  const item = transaction(0, { status });
  const { transaction: receipt } = receiptOf(item);
  renderApp(`/transaction/${item.id}`, { transactions: [item] });
  server.use(
    http.get(`*/api/transactions/${item.id}`, () =>
      HttpResponse.json({ transaction: { ...receipt, ...changes, metadata: { ...receipt.metadata, ...metadata } } }),
    ),
  );
}

const TO_BANK = { recipientPhone: null, recipientAccount: '••••6789' };

test.each([
  ['PENDING', {}, /^Our team reviews large withdrawals, and all withdrawals to a bank/],
  ['PENDING', TO_BANK, /^Our team reviews large withdrawals, and all withdrawals to a bank/],
  ['PROCESSING', {}, /^The mobile network is paying you/],
  ['PROCESSING', TO_BANK, /^Our team pays bank accounts by hand/],
] as const)('the receipt of a withdrawal that is %s, with %j, explains its state', async (status, to, sentence) => {
  serveReceipt(status, { type: 'withdrawal' }, to);
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByText('Your money is reserved')).toBeVisible();
  expect(screen.queryByText(/few seconds|the recipient/)).toBeNull();
});

test.each([
  ['PENDING', 'Your money is reserved'],
  ['FAILED', 'Nothing was paid out. The amount is back in your balance.'],
] as const)(
  'a %s receipt of another user’s transfer says nothing about the reader’s money',
  async (status, sentence) => {
    serveReceipt(status, {}, { clientTransactionId: null });
    expect(await screen.findAllByText(status === 'FAILED' ? 'Not delivered' : 'Request received')).not.toHaveLength(0);
    expect(screen.queryByText(sentence)).toBeNull();
  },
);

test('a delayed transfer says so, that the money is safe, and not to send it again', async () => {
  const waiting = 'The mobile network has not answered yet. Your money is safe; we keep asking.';
  renderApp(`/transaction/${fixedId(1001)}`);
  const row = (status: string, notes: string, minute: number) => ({
    status,
    notes,
    timestamp: `2026-01-11T09:${minute}:00.000Z`,
  });
  server.use(
    http.get('*/api/transactions/:id/timeline', () =>
      HttpResponse.json({
        timeline: [
          row('PENDING', 'Transfer received.', 10),
          row('PROCESSING', 'Sent.', 11),
          row('PENDING', waiting, 26),
        ],
      }),
    ),
  );
  expect(await screen.findByText('This takes longer than usual')).toBeVisible();
  expect(screen.getByText(waiting)).toBeVisible();
  expect(screen.getByText(/Please do not send it a second time/)).toBeVisible();
});

test.each([
  ['failed', 1004, '25,000', '688 333 444'],
  ['settled', 1002, '350,000', '722 000 111'],
])(
  'a transfer that has %s can be sent again: the form is filled in, and nothing is sent',
  async (_, id, amount, phone) => {
    const app = renderApp(`/transaction/${fixedId(id)}`);
    await app.user.click(await screen.findByRole('link', { name: 'Send again' }));
    expect(app.address()).toBe('/');
    expect(await screen.findByLabelText(/You send/)).toHaveValue(amount);
    expect(screen.getByLabelText('Recipient phone')).toHaveValue(phone);
    expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeVisible();
  },
);

test.each([
  ['under way', 1000, 'PROCESSING'],
  ['from another merchant', 1005, 'SETTLED'],
  ['a deposit', 1003, 'SETTLED'],
])('a transfer that is %s cannot be sent again', async (_, id, status) => {
  renderApp(`/transaction/${fixedId(id)}`);
  expect(await screen.findByText(status)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Send again' })).toBeNull();
});

const SENDING = 'Money reserved. Sending it to the mobile network.';

test('a step says what is happening now', async () => {
  renderApp(`/transaction/${fixedId(1000)}`);
  const progress = await screen.findByRole('region', { name: 'Progress' });
  expect(await within(progress).findByText(SENDING)).toBeVisible();
});

test('a step says nothing twice, and nothing that is over', async () => {
  const app = renderApp(`/transaction/${fixedId(1000)}`);
  app.world.transactions = [transaction(0, { status: 'SETTLED' })];
  const progress = await screen.findByRole('region', { name: 'Progress' });
  expect(await within(progress).findByText(/^Delivered/)).toBeVisible();
  expect(within(progress).queryByText(SENDING)).toBeNull();
  expect(within(progress).queryByText('Delivered.')).toBeNull();
});

test('the receipt polls while it is open, and stops at a final status', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const app = renderApp(`/transaction/${fixedId(1000)}`);
  await screen.findByText('PROCESSING');
  let asked = 0;
  server.events.on('request:start', ({ request }) => {
    if (request.url.endsWith(fixedId(1000))) asked += 1;
  });
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(asked).toBe(1);
  app.world.transactions = [transaction(0, { status: 'SETTLED' })];
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(await screen.findByText('SETTLED')).toBeVisible();
  const atTheEnd = asked;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked).toBe(atTheEnd);
  vi.useRealTimers();
});

test('the receipt has a QR code and the public address that verifies it', async () => {
  const app = renderApp(`/transaction/${fixedId(1002)}`);
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
  const url = `http://vuka.test/verify/${codeOf(fixedId(1002))}`;
  const link = screen.getByRole('link', { name: /verify/ });
  expect(link).toHaveAttribute('href', `/verify/${codeOf(fixedId(1002))}`);
  // On screen the code is short; paper has all of it.
  expect([...link.children].map((part) => part.textContent)).toEqual([
    expect.stringMatching(/\/verify\/.{4}….{4}$/),
    url,
  ]);
  await app.user.click(screen.getByRole('button', { name: 'Copy verification link' }));
  expect(await screen.findByText('Verification link copied to clipboard')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(url);
});

test('a device that shares files gets a picture, or the text where none can be drawn', async () => {
  const share = vi.fn().mockResolvedValue(undefined);
  const app = renderApp(`/transaction/${fixedId(1002)}`);
  await screen.findByRole('img', { name: /QR code/ });
  Object.assign(navigator, { share, canShare: () => true });
  await app.user.click(screen.getByRole('button', { name: 'Share Receipt' }));
  // jsdom cannot draw, and neither can some phones.
  await waitFor(() =>
    expect(share).toHaveBeenCalledWith({ title: 'Vuka receipt', text: expect.stringContaining(fixedId(1002)) }),
  );
  expect(share.mock.calls[0]?.[0].text).toContain('Verify: http://vuka.test/verify/');
});

test('a share sheet that was closed is no error, and one that fails falls back to copying', async () => {
  const app = renderApp(`/transaction/${fixedId(1002)}`);
  const button = await screen.findByRole('button', { name: 'Share Receipt' });
  const share = vi.fn().mockRejectedValueOnce(new DOMException('closed', 'AbortError'));
  Object.assign(navigator, { share });
  await app.user.click(button);
  expect(share).toHaveBeenCalledOnce();
  expect(screen.queryByText('Receipt copied to clipboard')).toBeNull();
  share.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
  await app.user.click(button);
  expect(await screen.findByText('Receipt copied to clipboard')).toBeVisible();
});

test.each([
  ['SETTLED', 'Genuine receipt', 'The money has been delivered.'],
  ['PROCESSING', 'Not delivered yet', 'This page updates when the money has been delivered.'],
  ['FAILED', 'Not delivered', 'The transfer failed, and the money went back to the sender.'],
] as const)('a visitor sees that a receipt is genuine, and the state of a %s one', async (status, heading, words) => {
  renderApp(`/verify/${codeOf(fixedId(1000))}`, { user: null, transactions: [transaction(0, { status })] });
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  expect(screen.getByText('Genuine receipt')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  for (const fact of ['25,000 KES', '575,750 TZS', '+255••••••678', fixedId(1000), status]) {
    expect(screen.getByText(fact)).toBeVisible();
  }
  expect(screen.queryByRole('navigation')).toBeNull();
});

test.each([
  ['a code of an unknown transfer', codeOf('nobody')],
  ['a truncated code', codeOf(fixedId(1002)).slice(0, 80)],
])('%s is not genuine', async (_what, code) => {
  renderApp(`/verify/${code}`, { user: null });
  expect(await screen.findByRole('heading', { name: 'Not genuine' })).toBeVisible();
  expect(screen.queryByText('Amount Sent')).toBeNull();
});

test('a check that cannot be made gives no verdict', async () => {
  renderApp(`/verify/${codeOf(fixedId(1002))}`, { user: null, unavailable: ['/api/verify/:code'] });
  expect(await screen.findByText('The receipt could not be checked')).toBeVisible();
  expect(screen.queryByText('Not genuine')).toBeNull();
});

test('a statement shows what each wallet held and every movement, to the cent, and offers the file', async () => {
  renderApp('/statement?from=2026-01-01&to=2026-01-31');
  expect(await screen.findByRole('heading', { name: 'Kenyan Shilling' })).toBeVisible();
  const kes = within(screen.getByRole('heading', { name: 'Kenyan Shilling' }).closest('section') as HTMLElement);
  const lines = kes.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(lines).toEqual([
    ['Opening balance', '100,000.00'],
    ['Money in', '+64,596.00'],
    ['Money out', '-1,250.50'],
    ['Fees', '0.00'],
    ['Closing balance', '163,345.50'],
  ]);
  expect(kes.getByText('4,200.00')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/statement.csv?from=2026-01-01&to=2026-01-31',
  );
  expect(screen.getAllByRole('link', { name: 'Sent to +255\u00a0767\u00a0555\u00a0666' })[0]).toHaveAttribute(
    'href',
    `/transaction/${fixedId(1006)}`,
  );
});

test('a period is chosen by name or by days and is in the address; an invalid one says why', async () => {
  const app = renderApp('/statement?from=2026-01-01&to=2026-01-31');
  await screen.findByRole('heading', { name: 'Kenyan Shilling' });
  await app.user.click(screen.getByRole('button', { name: 'Last 90 days' }));
  expect(app.address()).toMatch(/^\/statement\?from=20\d\d-\d\d-\d\d&to=20\d\d-\d\d-\d\d$/);
  expect(screen.getByRole('button', { name: 'Last 90 days' })).toHaveAttribute('aria-pressed', 'true');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2020-01-01' } });
  expect(await screen.findByText('A statement covers 12 months at most')).toBeVisible();
  expect(screen.getByLabelText('From')).toBeInvalid();
  expect(screen.getByLabelText('To')).toHaveAccessibleDescription('A statement covers 12 months at most');
  expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull();
});

test('a statement that cannot be loaded says so', async () => {
  renderApp('/statement', { unavailable: ['/api/statement'] });
  expect(await screen.findByText('The statement could not be loaded')).toBeVisible();
});
