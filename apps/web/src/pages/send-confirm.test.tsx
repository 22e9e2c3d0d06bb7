import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { applyEvent } from '#shared/live-updates.ts';
import { transaction } from '#test/fixtures.ts';
import { errorAnswer, quoteFor } from '#test/handlers.ts';
import { goOffline, goOnline } from '#test/network.ts';
import { renderApp } from '#test/render-app.tsx';
import { CREATE, confirm, fillDetails, openConfirm, PIN_LABEL } from '#test/send-flow.ts';
import { server } from '#test/setup.ts';

afterEach(() => void vi.useRealTimers());

test('confirms with all that was agreed, and the back arrow clears the PIN', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  expect(screen.getByText('Recipient receives').nextElementSibling).toHaveTextContent('575,750 TZS');
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

test('a saved recipient is named beside the number, before and after the transfer', async () => {
  const app = renderApp('/send');
  await openConfirm(app, '754111222');
  expect(screen.getByText('Recipient phone').nextElementSibling).toHaveTextContent('Baraka Mushi+255 754 111 222');
  await confirm(app);
  expect(await screen.findByText('to Baraka Mushi · +255 754 111 222')).toBeVisible();
});

test('a fee is shown with what it takes from the balance together with the amount', async () => {
  const app = renderApp('/send', { transferFee: { fixed: 12.5, percent: 0 } });
  await openConfirm(app);
  expect(screen.getByText('Fee').nextElementSibling).toHaveTextContent('12.50 KES');
  expect(screen.getByText('Taken from your balance').nextElementSibling).toHaveTextContent('25,012.50 KES');
});

test('reports a missing and a short PIN', async () => {
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

test('sends once, says so, refreshes balances and history, and starts a new transfer with another id', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  expect(screen.getByText('Your transfer request has been received and is being processed.')).toBeVisible();
  expect(await screen.findByLabelText(/You send/)).toHaveValue('');
  expect(await screen.findByText('Last transfer')).toBeVisible();
  expect(screen.getByText('Recipient receives 575,750 TZS')).toBeVisible();
  expect(screen.getByText('Request received')).toBeVisible();
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

test('the transfer that was sent is followed to its delivery, and how long that took', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await confirm(app);
  await screen.findByText('Request received');
  const [sent] = app.world.transactions;
  const change = (status: 'PROCESSING' | 'SETTLED', updatedAt: string) => {
    app.world.transactions = [transaction(0, { ...sent, status, updatedAt })];
    return act(() =>
      applyEvent(app.client, 'transaction', JSON.stringify({ transactionId: sent?.id, status, at: updatedAt })),
    );
  };
  await change('PROCESSING', sent?.createdAt ?? '');
  expect(await screen.findByText('On its way')).toBeVisible();
  await change('SETTLED', new Date(Date.parse(sent?.createdAt ?? '') + 4_200).toISOString());
  expect(await screen.findByText('Delivered in 4 s')).toBeVisible();
});

test('reads Processing... while it waits, and rejects a second submission', async () => {
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
  expect(screen.getAllByText('Invalid PIN. 2 attempts left.').length).toBeGreaterThan(0);
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  const ids = app.world.received.map((body) => body.clientTransactionId);
  expect(new Set(ids).size).toBe(1);
  expect(app.address()).toBe('/send');
});

test('says that the server is too busy, and repeats the same transfer on the next confirmation', async () => {
  const bodies: Record<string, unknown>[] = [];
  const app = renderApp('/send');
  const busy = 'We are very busy at the moment. Please try again in a few seconds.';
  server.use(
    http.post(
      CREATE,
      async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>);
        return errorAnswer('unavailable', busy);
      },
      { once: true },
    ),
  );
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText(busy)).toBeVisible();
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received).toEqual(bodies);
});

test('shows the old and the new amount when the rate has changed, and requires a new confirmation', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  app.world.rates.kesToTzs = 22;
  const quote = quoteFor(app.world, 'KES_TO_TZS', '25000');
  server.use(http.post(CREATE, () => errorAnswer('rate_changed', 'The rate has changed', { quote }), { once: true }));
  await confirm(app);
  const notice = await screen.findByText('Check the new amount and enter your PIN to confirm it.');
  expect(notice.closest('[role=alert]')).toHaveTextContent('575,750 TZS550,000 TZS');
  expect(screen.getByText('Transfer failed')).toBeVisible();
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
  expect(app.world.received).toHaveLength(0);
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received[0]).toMatchObject({ targetAmount: '550000.00', quoteId: quote.quoteId });
});

test('requests a new quote when the hold ends, and says if it differs', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '1357');
  app.world.rates.kesToTzs = 22;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  act(() => void app.client.invalidateQueries({ queryKey: ['quote'] }));
  expect(await screen.findByText('The rate has changed')).toBeVisible();
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
});

test('sends the fee that was shown, and shows the old and the new one if the server requires another', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  app.world.transferFee.fixed = 75;
  const scrollTo = vi.spyOn(window, 'scrollTo');
  await confirm(app);
  const notice = await screen.findByText('Check the new fee and enter your PIN to confirm it.');
  expect(notice.closest('[role=alert]')).toHaveTextContent('The fee has changedFee0 KES75 KES');
  expect(scrollTo).toHaveBeenLastCalledWith(0, 0);
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received.map(({ fee }) => fee)).toEqual(['0.00', '75.00']);
});

test('a fee is shown to the cent on every step', async () => {
  const app = renderApp('/send', { transferFee: { fixed: 12.5, percent: 0 } });
  await fillDetails(app);
  expect(await screen.findByText('12.50 KES')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  expect(screen.getByText('12.50 KES')).toBeVisible();
  app.world.transferFee.fixed = 12.75;
  await confirm(app);
  const notice = await screen.findByText('Check the new fee and enter your PIN to confirm it.');
  expect(notice.closest('[role=alert]')).toHaveTextContent('The fee has changedFee12.50 KES12.75 KES');
});

test('a different fee in the next quote is reported, and clears the PIN', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '1357');
  app.world.transferFee.fixed = 75;
  app.world.rates.kesToTzs = 22;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  act(() => void app.client.invalidateQueries({ queryKey: ['quote'] }));
  const notice = await screen.findByText('Check the new amount and fee, and enter your PIN to confirm them.');
  expect(notice.closest('[role=alert]')).toHaveTextContent(
    'The price has changedRecipient receives575,750 TZS550,000 TZSFee0 KES75 KES',
  );
  expect(screen.getByLabelText(PIN_LABEL)).toHaveValue('');
});

test('a transfer that is reviewed before its quote arrives has no fee that changed', async () => {
  const app = renderApp('/send', { transferFee: { fixed: 75, percent: 0 } });
  const quoted = Promise.withResolvers<void>();
  server.use(http.post('*/api/quotes', () => quoted.promise));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  quoted.resolve();
  const fee = () => screen.getByText('Fee', { selector: 'dt' }).nextElementSibling;
  await waitFor(() => expect(fee()).toHaveTextContent('75 KES'));
  expect(screen.queryByText('The fee has changed')).toBeNull();
});

test('without a quote, the transfer agrees to no fee', async () => {
  const app = renderApp('/send', { transferFee: { fixed: 75, percent: 0 } });
  server.use(http.post('*/api/quotes', () => errorAnswer('unavailable', 'Quotes are unavailable')));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeEnabled());
  await confirm(app);
  expect(await screen.findByText('The fee has changed')).toBeVisible();
  expect(screen.getByText('Fee', { selector: 'dt' }).nextElementSibling).toHaveTextContent('75 KES');
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received.map(({ fee }) => fee)).toEqual(['0.00', '75.00']);
});

test('without a quote, prices by the displayed rate and holds nothing', async () => {
  const app = renderApp('/send');
  server.use(http.post('*/api/quotes', () => errorAnswer('unavailable', 'Quotes are unavailable')));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeEnabled());
  expect(screen.queryByText(/Rate held for/)).toBeNull();
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received[0]).toMatchObject({ targetAmount: '575750' });
  expect(app.world.received[0]).not.toHaveProperty('quoteId');
});

test('an amount that the server refuses only after the review leads back to the details, with the reason', async () => {
  const app = renderApp('/send', { silent: ['/api/quotes'] });
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  server.use(http.post('*/api/quotes', () => errorAnswer('rate_unavailable', 'No exchange rate has been set yet.')));
  act(() => void app.client.resetQueries({ queryKey: ['quote'] }));
  expect(await screen.findByText('No exchange rate has been set yet.')).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveAttribute('aria-invalid', 'true');
});

test('after too many quote requests, the transfer is sent at the displayed rate', async () => {
  const app = renderApp('/send');
  server.use(http.post('*/api/quotes', () => errorAnswer('rate_limited', 'Too many requests')));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeEnabled());
});

test('each step starts at its top, with the focus on its heading and its name in the title', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo');
  const app = renderApp('/send');
  await openConfirm(app);
  expect(screen.getByRole('heading', { name: 'Confirm Transfer' })).toHaveFocus();
  await waitFor(() => expect(document.title).toBe('Confirm Transfer – Vuka'));
  scrollTo.mockClear();
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByRole('heading', { name: 'Send Money' })).toHaveFocus();
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  scrollTo.mockClear();
  await confirm(app);
  expect(await screen.findByRole('heading', { name: 'Send Money' })).toHaveFocus();
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
  await waitFor(() => expect(document.title).toBe('Send Money – Vuka'));
});

test('the PIN is one real password input, with a numeric keyboard and password manager support', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  const pin = screen.getByLabelText(PIN_LABEL);
  expect(pin.tagName).toBe('INPUT');
  for (const [name, value] of Object.entries({
    type: 'password',
    inputmode: 'numeric',
    autocomplete: 'current-password',
  }))
    expect(pin).toHaveAttribute(name, value);
  await app.user.click(pin);
  await app.user.paste('12ab345');
  expect(pin).toHaveValue('1234');
});

test('lets a number with a leading zero pass, and shows the server’s refusal at the field', async () => {
  const sentence = 'Please enter a valid 9-digit phone number without leading zero';
  const app = renderApp('/send');
  const refuse = () =>
    errorAnswer('validation_failed', sentence, { issues: [{ path: 'recipientPhone', message: sentence }] });
  server.use(http.post(CREATE, refuse, { once: true }));
  await fillDetails(app, '25000', '012345678');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await screen.findByText(/Rate held for/);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  await confirm(app);
  expect(await screen.findByText('Transfer failed')).toBeVisible();
  expect(await screen.findByLabelText('Recipient phone')).toHaveAccessibleDescription(new RegExp(sentence));
  await app.user.clear(screen.getByLabelText('Recipient phone'));
  await app.user.type(screen.getByLabelText('Recipient phone'), '712345678');
  expect(screen.getByLabelText('Recipient phone')).not.toHaveAttribute('aria-invalid');
});

test('reviews nothing while offline', async () => {
  const app = renderApp('/send');
  await fillDetails(app);
  const review = screen.getByRole('button', { name: 'Review Transfer' });
  expect(review).toBeEnabled();
  goOffline();
  expect(review).toBeDisabled();
  goOnline();
  expect(review).toBeEnabled();
});

test('sends nothing while offline, and says why', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  goOffline();
  expect(screen.getByText('You are offline. Connect to the internet to send.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeDisabled();
  vi.restoreAllMocks();
});
