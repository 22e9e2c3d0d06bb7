import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { largeCredits } from '#test/credit-fixtures.ts';
import { admin, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

type App = ReturnType<typeof renderApp>;
const open = (path: string, world: Parameters<typeof renderApp>[1] = {}): App =>
  renderApp(path, { user: admin, ...world });
const CREDIT = /^Credit (balance|\d)/;
const press = async (app: App, name: string | RegExp): Promise<void> =>
  app.user.click(await screen.findByRole('button', { name }));

async function fillDeposit(app: App, values: { amount?: string; reason?: string; pin?: string } = {}): Promise<void> {
  const { amount = '500', reason = 'cash at the counter', pin = '1357' } = values;
  const fields = [
    ['Amount', amount],
    ['Reason', reason],
    ['Your PIN', pin],
  ];
  for (const [label, value] of fields) {
    const field = await screen.findByLabelText(String(label));
    await app.user.clear(field);
    if (value) await app.user.type(field, value);
  }
}

test.each([
  [{ amount: '0' }, 'Amount must be greater than 0'],
  [{ amount: '-5' }, 'Amount must be greater than 0'],
  [{ amount: '' }, 'Amount must be greater than 0'],
  [{ amount: '1.5' }, 'Amount must be a whole number'],
  [{ amount: '1000000000000' }, 'Amount is too large'],
  [{ reason: '' }, 'Reason is required'],
  [{ pin: '123' }, 'PIN must be at least 4 digits'],
])('a deposit with %j is refused before it is sent', async (values, sentence) => {
  const app = open('/admin/deposits');
  await fillDeposit(app, values);
  await press(app, 'Make deposit');
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(app.world.submitted).toEqual([]);
});

test.each([
  ['2,500.00', '2500.00'],
  ['2,500', '2500'],
  ['2,50', '2.50'],
])('a pasted amount of %s is read as %s, never as more', async (pasted, read) => {
  const app = open('/admin/deposits');
  await app.user.click(await screen.findByLabelText('Amount'));
  await app.user.paste(pasted);
  expect(screen.getByLabelText('Amount')).toHaveValue(read);
});

test.each([
  ['1250,50', '1250.50'],
  ['0,5', '0.5'],
  ['0,125', '0.125'],
  ['2,500', '2500'],
  ['1,250,000', '1250000'],
  ['1.234', '1.234'],
])('a typed amount of %s is read as %s, never as more', async (typed, read) => {
  const app = open('/admin/deposits');
  await app.user.type(await screen.findByLabelText('Amount'), typed);
  expect(screen.getByLabelText('Amount')).toHaveValue(read);
});

test.each([
  ['2,5', '2.5'],
  ['1,125', '1.125'],
  ['12', '12'],
])('a typed fee of %s percent is read as %s', async (typed, read) => {
  const app = open('/admin/fees');
  const field = await screen.findByLabelText(/percent/i);
  await app.user.clear(field);
  await app.user.type(field, typed);
  expect(field).toHaveValue(read);
});

test('a reason has at most 500 characters, a PIN at most six digits', async () => {
  const app = open('/admin/deposits');
  await fillDeposit(app, { pin: '12x34567' });
  expect(screen.getByLabelText('Your PIN')).toHaveValue('123456');
  await app.user.click(screen.getByLabelText('Reason'));
  await app.user.paste('x'.repeat(501));
  await press(app, 'Make deposit');
  expect(await screen.findByText('Reason must be less than 500 characters')).toBeVisible();
});

test('a deposit names its amount and reference, and appears in the history', async () => {
  const app = open('/admin/deposits');
  // The code comes first, so that a narrow field cannot cut it off.
  await app.user.selectOptions(await screen.findByLabelText('Currency'), 'USD · US Dollar');
  await fillDeposit(app, { amount: '2500' });
  await press(app, 'Make deposit');
  expect(await screen.findByText('Deposit successful')).toBeVisible();
  expect(screen.getByText('2,500 USD deposited. Reference DEP-20260112-00000001')).toBeVisible();
  const history = await screen.findByRole('list', { name: 'Deposit history' });
  const reference = await within(history).findByRole('link', { name: 'DEP-20260112-00000001' });
  expect(reference).toHaveAttribute('href', '/admin/transactions/0190a5c0-0000-7000-8000-000000003901');
  expect(screen.getByLabelText('Your PIN')).toHaveValue('');
});

test('a refused deposit says why and clears the PIN; one without a reason from the server has a message too', async () => {
  const app = open('/admin/deposits');
  await fillDeposit(app, { pin: '9753' });
  await press(app, 'Make deposit');
  expect(await screen.findByText('Deposit failed')).toBeVisible();
  expect(screen.getByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  expect(screen.getByLabelText('Your PIN')).toHaveValue('');
  server.use(http.post('*/api/admin/deposit', () => HttpResponse.json({}, { status: 201 })));
  await fillDeposit(app);
  await press(app, 'Make deposit');
  expect(await screen.findByText('Failed to process deposit')).toBeVisible();
});

test.each([
  ['deposit', '/admin/deposits', 'Make deposit'],
  ['credit', '/admin/credit-merchant', CREDIT],
] as const)(
  'a %s keeps its key over a double click and an unanswered attempt, until its outcome is known',
  async (what, path, button) => {
    const app = open(path);
    const fill = async (): Promise<void> => {
      if (what === 'deposit') return fillDeposit(app);
      await fillCredit(app, { merchantId: 'AMIN4821WKES', amount: '500' });
    };
    const url = what === 'deposit' ? '*/api/admin/deposit' : '*/api/admin/credit-balance';
    const keys: (string | null)[] = [];
    const held = Promise.withResolvers<void>();
    server.use(
      http.post(
        url,
        async ({ request }) => {
          keys.push(request.headers.get('idempotency-key'));
          await held.promise;
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    await fill();
    await app.user.dblClick(await screen.findByRole('button', { name: button }));
    held.resolve();
    expect(await screen.findByText(/Sending the same form again cannot make a second one/)).toBeVisible();
    app.unmount();
    const again = open(path);
    await (what === 'deposit' ? fillDeposit(again) : fillCredit(again, { merchantId: 'AMIN4821WKES', amount: '500' }));
    await press(again, button);
    await waitFor(() => expect(again.world.submitted).toHaveLength(1));
    expect(keys).toEqual([expect.stringMatching(/^[\w.:-]{8,80}$/)]);
    expect(again.world.submitted[0]?.key).toBe(keys[0]);
    expect(await screen.findByText(/[^.]\. You sent this before\. It was received only once\.$/)).toBeVisible();
    await (what === 'deposit' ? fillDeposit(again) : fillCredit(again, { merchantId: 'AMIN4821WKES', amount: '500' }));
    await press(again, button);
    await waitFor(() => expect(again.world.submitted).toHaveLength(2));
    expect(again.world.submitted[1]?.key).not.toBe(keys[0]);
  },
);

test('an unanswered credit keeps its key while another one is made, and after a refusal', async () => {
  const app = open('/admin/credit-merchant');
  let lost = '';
  server.use(
    http.post(
      '*/api/admin/credit-balance',
      ({ request }) => {
        lost = request.headers.get('idempotency-key') ?? '';
        return HttpResponse.error();
      },
      { once: true },
    ),
  );
  const credit = async (amount: string): Promise<void> => {
    await app.user.clear(screen.getByLabelText('Merchant ID'));
    await app.user.clear(screen.getByLabelText('Amount'));
    await fillCredit(app, { merchantId: 'AMIN4821WKES', amount });
    await press(app, CREDIT);
  };
  await screen.findByLabelText('Merchant ID');
  await credit('500');
  expect(await screen.findByText(/Sending the same form again cannot make a second one/)).toBeVisible();
  await credit('300');
  await waitFor(() => expect(app.world.submitted).toHaveLength(1));
  expect(screen.queryByText(/You sent this before/)).toBeNull();
  server.use(
    http.post('*/api/admin/credit-balance', () => errorAnswer('not_found', 'Merchant not found'), {
      once: true,
    }),
  );
  await credit('500');
  expect(await screen.findByText('Merchant not found')).toBeVisible();
  await credit('500');
  await waitFor(() => expect(app.world.submitted).toHaveLength(2));
  expect(app.world.submitted.map(({ key }) => key === lost)).toEqual([false, true]);
  expect(await screen.findByText(/[^.]\. You sent this before\. It was received only once\.$/)).toBeVisible();
});

test('a repeated credit that was refused meanwhile is not shown as waiting', async () => {
  const app = open('/admin/credit-merchant');
  const [credit] = largeCredits;
  server.use(
    http.post('*/api/admin/credit-balance', () =>
      HttpResponse.json({ credit: { ...credit, status: 'refused' } }, { status: 202 }),
    ),
  );
  await fillCredit(app, { merchantId: 'AMIN4821WKES', amount: '500' });
  await press(app, CREDIT);
  expect(await screen.findByText('Refused by another administrator')).toBeVisible();
  expect(screen.queryByText('Credit waits for approval')).toBeNull();
});

test('the stored state of an unanswered deposit contains no PIN', async () => {
  const app = open('/admin/deposits');
  server.use(http.post('*/api/admin/deposit', () => HttpResponse.error()));
  await fillDeposit(app);
  await press(app, 'Make deposit');
  await screen.findByText('Deposit failed');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('1357');
});

test('the deposit history has its columns, can be refreshed, and says when it is empty', async () => {
  widenScreen();
  const app = open('/admin/deposits', { deposits: [] });
  expect(
    await screen.findByText('No deposit history found. Use the form above to make your first deposit.'),
  ).toBeVisible();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Date',
    'Amount',
    'Reason',
    'Reference',
  ]);
  app.world.deposits = [
    {
      id: '0190a5c0-0000-7000-8000-000000003000',
      created_at: '2026-01-12T07:30:00.000Z',
      amount: '250000.00',
      currency: 'KES',
      reason: 'Float',
      reference: 'DEP-1',
      transactionId: null,
    },
  ];
  await press(app, 'Refresh');
  expect((await screen.findByText('DEP-1')).closest('tr')).toHaveTextContent(
    'Jan 12, 2026, 10:30 AM250,000 KESFloatDEP-1',
  );
});

test('a deposit history that cannot be loaded says why', async () => {
  open('/admin/deposits');
  server.use(http.get('*/api/admin/deposits', () => errorAnswer('unavailable', 'Deposits are unavailable')));
  expect(await screen.findByText('Error loading deposit history: Deposits are unavailable')).toBeVisible();
});

async function fillCredit(app: App, values: { merchantId: string; amount: string }): Promise<void> {
  const merchantId = await screen.findByLabelText('Merchant ID');
  await app.user.clear(merchantId);
  await app.user.type(merchantId, values.merchantId);
  await app.user.clear(screen.getByLabelText('Amount'));
  if (values.amount) await app.user.type(screen.getByLabelText('Amount'), values.amount);
}

test.each(['ABC1234EFGH', 'ABCD12345FGH', 'ADM', 'ADMX'])('%s is no merchant id', async (merchantId) => {
  const app = open('/admin/credit-merchant');
  await fillCredit(app, { merchantId, amount: '500' });
  await press(app, CREDIT);
  expect(await screen.findByText('Invalid merchant ID format')).toBeVisible();
  expect(app.world.submitted).toEqual([]);
});

test.each([
  ['', 'Amount must be greater than 0'],
  ['0', 'Amount must be greater than 0'],
  ['2.5', 'Amount must be a whole number'],
  ['1000000000000', 'Amount is too large'],
])('a credit of “%s” is refused before it is sent', async (amount, sentence) => {
  const app = open('/admin/credit-merchant');
  await fillCredit(app, { merchantId: 'ADM12', amount });
  await press(app, CREDIT);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a whole merchant ID is answered with the name behind it, before money moves', async () => {
  const app = open('/admin/credit-merchant');
  const field = await screen.findByLabelText('Merchant ID');
  await app.user.type(field, 'amin4821wkes');
  expect(await screen.findByText('Amina Wanjiru, Kenya, KES')).toBeVisible();
  expect(await screen.findByText('Available now: 20,250 KES, 1,250,000 TZS')).toBeVisible();
  await app.user.type(screen.getByLabelText('Amount'), '50000');
  expect(screen.getByRole('button', { name: 'Credit 50,000 KES to Amina Wanjiru' })).toBeVisible();
  await app.user.clear(field);
  await app.user.type(field, 'abcd1234efgh');
  expect(await screen.findByText('No merchant has this ID')).toBeVisible();
});

test('the latest credits lead to their transactions, and a new one is at their top', async () => {
  const app = open('/admin/credit-merchant');
  const link = await screen.findByRole('link', { name: 'Transaction of 50,000 KES to Amina Wanjiru' });
  expect(link).toHaveAttribute('href', `/admin/transactions/${fixedId(3350)}`);
  const list = link.closest('ul') as HTMLElement;
  expect(within(list).getByText('Juma Mwakyusa').closest('li')).toHaveTextContent(/2,300,000 TZSOn its way/);
  await fillCredit(app, { merchantId: 'AMIN4821WKES', amount: '7000' });
  await press(app, CREDIT);
  await waitFor(() => expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('Amina WanjiruAMIN4821WKES'));
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('7,000 KES');
});

test('a role that may not read the journal of a transaction gets no link to it', async () => {
  open('/admin/credit-merchant', { user: { ...admin, adminRole: 'finance' } });
  expect(await screen.findByText('On its way')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Transaction of/ })).toBeNull();
});

test('a credit says whom it went to; letters are capitalised while typing', async () => {
  const app = open('/admin/credit-merchant');
  await fillCredit(app, { merchantId: 'amin4821wkes', amount: '7000' });
  await app.user.selectOptions(screen.getByLabelText('Currency'), 'TZS');
  await press(app, CREDIT);
  expect(await screen.findByText('Balance credited')).toBeVisible();
  expect(screen.getByText('7,000 TZS credited to AMIN4821WKES')).toBeVisible();
});

test.each([
  [() => errorAnswer('not_found', 'Merchant not found'), 'Merchant not found'],
  [() => HttpResponse.json({ ok: true }, { status: 201 }), 'Invalid server response format'],
  [() => new HttpResponse('', { status: 500 }), 'Failed to credit balance'],
])('a failed credit says what went wrong', async (answer, sentence) => {
  const app = open('/admin/credit-merchant');
  server.use(http.post('*/api/admin/credit-balance', answer));
  await fillCredit(app, { merchantId: 'AMIN4821WKES', amount: '500' });
  await press(app, CREDIT);
  expect(await screen.findByText('Credit failed')).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
});

test('while a deposit is in progress the button says so', async () => {
  const app = open('/admin/deposits');
  server.use(http.post('*/api/admin/deposit', () => new Promise<never>(() => undefined)));
  await fillDeposit(app);
  await press(app, 'Make deposit');
  expect(await screen.findByRole('button', { name: 'Depositing...' })).toHaveAttribute('aria-disabled', 'true');
});
