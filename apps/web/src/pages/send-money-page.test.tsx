import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { amina } from '#test/fixtures.ts';
import { errorAnswer, quoteFor, type World } from '#test/handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

type App = ReturnType<typeof renderApp>;

const CREATE = '*/api/transactions/create';
const PIN_LABEL = 'Enter your 4-digit PIN';

afterEach(() => void vi.useRealTimers());

async function fillDetails({ user }: App, amount = '25000', phone = '712345678') {
  await user.type(await screen.findByLabelText(/You send/), amount);
  await user.type(screen.getByLabelText('Recipient phone'), phone);
}

async function openConfirm(app: App) {
  await fillDetails(app);
  await screen.findByText(/Rate held for/);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
}

async function confirm(app: App, pin = '1357') {
  await app.user.type(screen.getByLabelText(PIN_LABEL), pin);
  await app.user.click(screen.getByRole('button', { name: 'Confirm Transfer' }));
}

async function send(overrides: Partial<World> = {}) {
  const app = renderApp('/send', overrides);
  await openConfirm(app);
  await confirm(app);
  return app;
}

test('shows available balance, what the recipient receives, the rate and the fee', async () => {
  const app = renderApp('/');
  await fillDetails(app);
  expect(await screen.findByText('125,400 KES')).toBeVisible();
  expect(await screen.findByText('575,750')).toBeVisible();
  expect(screen.getByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.getByText('1 TZS = 0.04342 KES')).toBeVisible();
  expect(await screen.findByText('0 KES')).toBeVisible();
  expect(screen.getByText('+255')).toBeVisible();
});

test('turns direction, wallet and prefix together', async () => {
  const app = renderApp('/');
  expect(await screen.findByRole('option', { name: 'KES to TZS' })).toBeInTheDocument();
  await app.user.selectOptions(screen.getByLabelText('Direction'), 'TZS to KES');
  expect(await screen.findByText('2,350,001 TZS')).toBeVisible();
  expect(screen.getByText('+254')).toBeVisible();
});

test('shows thousands separators and takes digits alone', async () => {
  const app = renderApp('/');
  await fillDetails(app, '1a2b3.4,567', '7x12 345 6789');
  expect(screen.getByLabelText(/You send/)).toHaveValue('1,234,567');
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('712 345 678');
});

test('locks the review when the amount exceeds the balance', async () => {
  const app = renderApp('/');
  await screen.findByText('125,400 KES');
  await fillDetails(app, '125401');
  expect(screen.getByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeDisabled();
});

test('says what is missing, in the form and in a toast', async () => {
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Review Transfer' }));
  expect(await screen.findByText('Amount is required')).toBeVisible();
  expect(screen.getByText('Phone number is required')).toBeVisible();
  expect(screen.getByText('Please check the form')).toBeVisible();
  expect(screen.getByText('Please fill in all required fields correctly')).toBeVisible();
  await fillDetails(app, '0', '7123');
  expect(await screen.findByText('Amount must be greater than 0')).toBeVisible();
  expect(screen.getByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
});

test('fills in a recent recipient and turns towards their country', async () => {
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: '+254 722 000 111' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  expect(screen.getByLabelText('Direction')).toHaveValue('TZS_TO_KES');
});

test('confirms with all that was agreed, and the back arrow clears the PIN', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  expect(screen.getByText('575,750 TZS')).toBeVisible();
  expect(screen.getByText('+255 712 345 678')).toBeVisible();
  expect(screen.getByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.getByLabelText(PIN_LABEL)).toHaveAttribute('type', 'password');
  await app.user.type(screen.getByLabelText(PIN_LABEL), '13x5');
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('135');
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(screen.getByLabelText(/You send/)).toHaveValue('25,000');
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  expect(await screen.findByLabelText(PIN_LABEL)).toHaveValue('');
});

test('asks for a missing and for a short PIN', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await app.user.click(screen.getByRole('button', { name: 'Confirm Transfer' }));
  expect(await screen.findByText('Please enter your 4-digit PIN')).toBeVisible();
  expect(screen.getByText('PIN Required')).toBeVisible();
  expect(screen.getByText('Please enter your PIN to confirm this transaction')).toBeVisible();
  await confirm(app, '13');
  expect(await screen.findByText('PIN must be exactly 4 numeric digits')).toBeVisible();
  expect(app.world.received).toHaveLength(0);
});

test('sends once, says so, refreshes balances and history, and starts anew with another id', async () => {
  const app = await send();
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  expect(screen.getByText('Your transfer request has been received and is being processed.')).toBeVisible();
  expect(await screen.findByLabelText(/You send/)).toHaveValue('');
  expect(await screen.findByText('Last transfer')).toBeVisible();
  await openConfirm(app);
  await confirm(app);
  await waitFor(() => expect(app.world.received).toHaveLength(2));
  const [first, second] = app.world.received;
  expect(first).toMatchObject({ sourceAmount: '25000', targetAmount: '575750.00', recipientPhone: '+255712345678' });
  expect(first?.quoteId).toBeDefined();
  expect(first?.clientTransactionId).toMatch(/^CLIENT-\d+-[0-9a-z]+$/);
  expect(first?.metadata).toMatchObject({ clientTransactionId: first?.clientTransactionId });
  expect(second?.clientTransactionId).not.toBe(first?.clientTransactionId);
});

test('reads Processing... while it waits, and refuses a second submission', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => new Promise<never>(() => undefined)));
  await openConfirm(app);
  await confirm(app);
  await app.user.click(await screen.findByRole('button', { name: 'Processing...' }));
  expect(await screen.findByText('Please wait')).toBeVisible();
  expect(screen.getByText('Your transfer is already being processed')).toBeVisible();
});

test('keeps the id after a wrong PIN, and clears the PIN', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await confirm(app, '9999');
  expect(await screen.findByText('Transfer failed')).toBeVisible();
  expect(screen.getAllByText('Wrong PIN. 2 attempts left.').length).toBeGreaterThan(0);
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  const ids = app.world.received.map((body) => body.clientTransactionId);
  expect(new Set(ids).size).toBe(1);
  expect(app.address()).toBe('/send');
});

test('repeats an unanswered transfer to the letter, over a reload too', async () => {
  const bodies: Record<string, unknown>[] = [];
  const app = renderApp('/send');
  server.use(
    http.post(CREATE, async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.error();
    }),
  );
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Network Error')).toBeVisible();
  expect(screen.getByText(/No answer came/)).toBeVisible();
  app.unmount();
  const reloaded = renderApp('/send', { rates: { ...app.world.rates, kesToTzs: 20 } });
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  await reloaded.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  await confirm(reloaded);
  await screen.findByText('Transaction Initiated');
  expect(reloaded.world.received).toEqual(bodies);
});

test('shows the old and the new amount when the rate has changed, and wants a fresh confirmation', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  app.world.rates.kesToTzs = 22;
  const quote = quoteFor(app.world, 'KES_TO_TZS', '25000');
  server.use(http.post(CREATE, () => errorAnswer('rate_changed', 'The rate has changed', { quote }), { once: true }));
  await confirm(app);
  const notice = await screen.findByText('Check the new amount and enter your PIN to confirm it.');
  expect(notice.closest('[role=alert]')).toHaveTextContent('575,750 TZS550,000 TZS');
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
  expect(app.world.received).toHaveLength(0);
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received[0]).toMatchObject({ targetAmount: '550000.00', quoteId: quote.quoteId });
});

test('asks for a new quote when the hold ends, and says when it differs', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '1357');
  app.world.rates.kesToTzs = 22;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  act(() => void app.client.invalidateQueries({ queryKey: ['quote'] }));
  expect(await screen.findByText('The rate has changed')).toBeVisible();
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
});

test('prices by the shown rate, and holds nothing, where no quote can be had', async () => {
  const app = renderApp('/send');
  server.use(http.post('*/api/quotes', () => errorAnswer('unavailable', 'Quotes are away')));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeEnabled());
  expect(screen.queryByText(/Rate held for/)).toBeNull();
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received[0]).toMatchObject({ targetAmount: '575750' });
  expect(app.world.received[0]).not.toHaveProperty('quoteId');
});

test('takes a new id after an outcome that used up the old one', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  const kept = () => JSON.parse(sessionStorage.getItem(`vuka.transfer-draft.${app.world.user?.id}`) ?? '{}');
  const before = kept().clientTransactionId;
  server.use(
    http.post(CREATE, () => errorAnswer('insufficient_funds', 'Amount exceeds available balance'), { once: true }),
  );
  await confirm(app);
  expect(await screen.findByText('Transfer failed')).toBeVisible();
  expect(kept().clientTransactionId).not.toBe(before);
  expect(JSON.stringify(kept())).not.toContain('1357');
});

test('leads to the sign-in and back when the session has ended, and keeps the draft', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  server.use(http.post(CREATE, () => errorAnswer('unauthenticated', 'Please sign in'), { once: true }));
  app.world.user = null;
  await confirm(app);
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Fsend'));
  await app.user.type(await screen.findByLabelText('Email'), amina.email);
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByLabelText(/You send/)).toHaveValue('25,000');
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('712 345 678');
});
