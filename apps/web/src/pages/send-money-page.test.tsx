import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { amina, transaction } from '#test/fixtures.ts';
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

test.each([
  ['2,500.00', '2,500'],
  ['2.500,5', '2,500'],
  ['2.500', '2,500'],
  ['KES 1,234,567', '1,234,567'],
])('takes a pasted %s as %s, over what stood there', async (pasted, shown) => {
  const app = renderApp('/');
  await fillDetails(app, '2500');
  const amount = screen.getByLabelText<HTMLInputElement>(/You send/);
  await app.user.click(amount);
  amount.setSelectionRange(0, amount.value.length);
  await app.user.paste(pasted);
  expect(amount).toHaveValue(shown);
});

test('takes a digit out of a grouped amount, and a typed point for nothing', async () => {
  const app = renderApp('/');
  await fillDetails(app, '1234');
  await app.user.type(screen.getByLabelText(/You send/), '{Backspace}');
  expect(screen.getByLabelText(/You send/)).toHaveValue('123');
  await app.user.type(screen.getByLabelText(/You send/), '.4');
  expect(screen.getByLabelText(/You send/)).toHaveValue('1,234');
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
  expect(document.activeElement).toHaveAttribute('aria-invalid', 'true');
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
  expect(screen.getAllByText('Invalid PIN. 2 attempts left.').length).toBeGreaterThan(0);
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

test('says that the server is too busy, and repeats the same transfer when it is confirmed again', async () => {
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

test('an amount that the server refuses to price is not reviewed, and says why', async () => {
  const app = renderApp('/send');
  await app.user.selectOptions(await screen.findByLabelText('Direction'), 'TZS to KES');
  await fillDetails(app, '1');
  expect(await screen.findByText('The amount is too small to send.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeDisabled();
  await app.user.type(screen.getByLabelText(/You send/), '000');
  await screen.findByText(/Rate held for/);
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeEnabled();
});

test('an amount that was reviewed before the server could refuse it is led back to, with the reason', async () => {
  const app = renderApp('/send', { silent: ['/api/quotes'] });
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  server.use(http.post('*/api/quotes', () => errorAnswer('rate_unavailable', 'No exchange rate has been set yet.')));
  act(() => void app.client.resetQueries({ queryKey: ['quote'] }));
  expect(await screen.findByText('No exchange rate has been set yet.')).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveAttribute('aria-invalid', 'true');
});

test('where too many quotes were asked for, the transfer goes at the shown rate', async () => {
  const app = renderApp('/send');
  server.use(http.post('*/api/quotes', () => errorAnswer('rate_limited', 'Too many requests')));
  await fillDetails(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeEnabled());
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

const draftOf = (app: App) => JSON.parse(sessionStorage.getItem(`vuka.transfer-draft.${app.world.user?.id}`) ?? '{}');

/** What another tab leaves behind when it sends a transfer under this id. */
function sendElsewhere(id: string) {
  localStorage.setItem('vuka.sent-transfer-ids', JSON.stringify([id]));
}
const wake = () => act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'vuka.sent-transfer-ids' })));

test('a duplicated tab drops its copy of a draft as soon as the other one is sent', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  const { clientTransactionId } = draftOf(app);
  sendElsewhere('CLIENT-1-other');
  wake();
  expect(screen.getByRole('heading', { name: 'Confirm Transfer' })).toBeVisible();
  sendElsewhere(clientTransactionId);
  wake();
  expect(await screen.findByText('This transfer was already sent')).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveValue('');
  expect(draftOf(app).clientTransactionId).not.toBe(clientTransactionId);
});

test('a duplicated tab that slept through it does not send the copy either', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  sendElsewhere(draftOf(app).clientTransactionId);
  await confirm(app);
  expect(await screen.findByText('This transfer was already sent')).toBeVisible();
  expect(app.world.received).toHaveLength(0);
  app.unmount();
  const reopened = renderApp('/send');
  expect(await reopened.findByLabelText(/You send/)).toHaveValue('');
});

test('two tabs that start from one empty form send two transfers', async () => {
  const app = renderApp('/send');
  await screen.findByLabelText(/You send/);
  const copied = draftOf(app).clientTransactionId;
  await fillDetails(app);
  expect(draftOf(app).clientTransactionId).not.toBe(copied);
});

test('an id that the server knows from another transfer is not sent again under a new one', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  server.use(http.post(CREATE, () => errorAnswer('idempotency_conflict', 'Used for a different transfer')));
  await confirm(app);
  expect(await screen.findByText('This transfer was already sent')).toBeVisible();
  expect(screen.getByText(/Check your transactions before you send again/)).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveValue('');
});

test('a wrong PIN after an attempt without an answer does not loosen the transfer: the same goes again', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => HttpResponse.error(), { once: true }));
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Network Error')).toBeVisible();
  const { attempt } = draftOf(app);
  await confirm(app, '9999');
  expect(await screen.findByText('Transfer failed')).toBeVisible();
  expect(draftOf(app).attempt).toMatchObject(attempt);
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  const [wrong, right] = app.world.received;
  expect({ ...right, pin: '' }).toEqual({ ...wrong, pin: '' });
  expect(right?.targetAmount).toBe(attempt.price.targetAmount);
});

test('a phone’s back button leads from the confirm step to the details, and again to the page before', async () => {
  const app = renderApp('/dashboard');
  await app.user.click(await screen.findByRole('link', { name: 'Send' }));
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '1357');
  app.goBack();
  expect(await screen.findByLabelText(/You send/)).toHaveValue('25,000');
  expect(app.address()).toBe('/');
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  expect(await screen.findByLabelText(PIN_LABEL)).toHaveValue('');
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  await screen.findByLabelText(/You send/);
  app.goBack();
  await waitFor(() => expect(app.address()).toBe('/dashboard'));
});

/** The history of a tab that was loaded anew on the confirm step. */
const RELOADED_ON_CONFIRM = ['/dashboard', '/send', { pathname: '/send', state: { step: 'confirm' } }];

test('after a reload of the confirm step one press of its back arrow leads to the details', async () => {
  const app = renderApp(RELOADED_ON_CONFIRM);
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '12');
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByLabelText(/You send/)).toHaveValue('25,000');
  expect(screen.queryByLabelText(PIN_LABEL)).toBeNull();
});

test('what is typed after a transfer is confirmed only once it was reviewed, wherever in the history it is typed', async () => {
  const app = renderApp(RELOADED_ON_CONFIRM);
  await openConfirm(app);
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  await app.user.type(await screen.findByLabelText(/You send/), '3');
  expect(screen.getByLabelText(/You send/)).toHaveValue('3');
  app.goForward();
  await app.user.type(screen.getByLabelText(/You send/), '4');
  expect(screen.getByLabelText(/You send/)).toHaveValue('34');
  app.goBack();
  expect(screen.getByLabelText(/You send/)).toHaveValue('34');
});

test('the forward button leads back to no confirmation: details that were changed are reviewed again', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  app.goBack();
  await app.user.type(await screen.findByLabelText(/You send/), '0000000');
  app.goForward();
  expect(screen.getByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.queryByLabelText(PIN_LABEL)).toBeNull();
});

test('each step starts at its top, with the focus on its heading and the window named after it', async () => {
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

test('the back button leaves a transfer that is on its way in sight', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => new Promise<never>(() => undefined)));
  await openConfirm(app);
  await confirm(app);
  await screen.findByRole('button', { name: 'Processing...' });
  app.goBack();
  expect(screen.getByRole('button', { name: 'Processing...' })).toBeVisible();
  expect(screen.getByText('Please keep this page open. You will not be charged twice.')).toBeVisible();
});

test('after 20 s without an answer the same transfer may be confirmed again', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => new Promise<never>(() => undefined), { once: true }));
  await openConfirm(app);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await confirm(app);
  const id = draftOf(app).clientTransactionId;
  await act(() => vi.advanceTimersByTimeAsync(19_000));
  expect(screen.getByRole('button', { name: 'Processing...' })).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(await screen.findByText(/This takes longer than usual/)).toBeVisible();
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received.map((body) => body.clientTransactionId)).toEqual([id]);
});

test('the PIN is one real password input, with numbers for a keyboard and a place in a password manager', async () => {
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

test('says an amount from 100,000 in words, and warns of one far above the usual', async () => {
  const usual = Array.from({ length: 6 }, (_, index) => transaction(index, { sourceAmount: '20000.00' }));
  const app = renderApp('/', { transactions: usual });
  await fillDetails(app, '99999');
  expect(screen.queryByText(/ninety-nine/)).toBeNull();
  expect(screen.queryByText(/more than 5 times/)).toBeNull();
  await app.user.clear(screen.getByLabelText(/You send/));
  await app.user.type(screen.getByLabelText(/You send/), '120500');
  expect(screen.getByText('one hundred and twenty thousand, five hundred')).toBeVisible();
  expect(await screen.findByText(/more than 5 times what you usually send \(20,000 KES\)/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeEnabled();
});

test('fills in the whole balance on request', async () => {
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
  expect(screen.getByLabelText(/You send/)).toHaveValue('125,400');
});

test('keeps the caret behind its digit while an amount is changed in the middle', async () => {
  const app = renderApp('/');
  await fillDetails(app, '25000');
  const amount = screen.getByLabelText<HTMLInputElement>(/You send/);
  await app.user.type(amount, '9', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(amount).toHaveValue('295,000');
  expect(amount.selectionStart).toBe(2);
});

test('names a whole number, shows the name wherever the number is known, renames and forgets it', async () => {
  const app = renderApp('/', { recipients: [] });
  await fillDetails(app);
  expect(screen.getByText('Usually Mixx by Yas')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save recipient' });
  const press = (name: string) => app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
  await press('Save');
  expect(within(dialog).getByText('Name is required')).toBeVisible();
  await app.user.type(within(dialog).getByLabelText('Name'), ' Asha Juma ');
  await press('Save');
  expect(await screen.findByRole('button', { name: 'Saved as Asha Juma' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Asha Juma ?.255 712 345 678$/ })).toHaveAttribute('aria-pressed', 'true');
  expect(app.world.recipients).toEqual([{ phone: '+255712345678', label: 'Asha Juma' }]);
  await app.user.click(screen.getByRole('button', { name: 'Saved as Asha Juma' }));
  await screen.findByRole('dialog', { name: 'Saved recipient' });
  server.use(http.delete('*/api/recipients/*', () => errorAnswer('unavailable', 'Not now'), { once: true }));
  await press('Remove');
  expect(await screen.findByText('Not now')).toBeVisible();
  await press('Remove');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(app.world.recipients).toEqual([]);
  expect(app.world.received).toHaveLength(0);
});

test('an empty form follows the default currency, one that was begun keeps its direction', async () => {
  const app = renderApp('/send');
  const visit = async (link: string) => app.user.click(await screen.findByRole('link', { name: link }));
  const saveDefault = async (currency: string) => {
    await visit('Profile');
    await app.user.selectOptions(await screen.findByLabelText('Default Currency'), currency);
    await app.user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Profile updated');
    await visit('Send');
  };
  expect(await screen.findByLabelText('Direction')).toHaveValue('KES_TO_TZS');
  await saveDefault('TZS');
  expect(await screen.findByLabelText('Direction')).toHaveValue('TZS_TO_KES');
  await app.user.type(screen.getByLabelText(/You send/), '5');
  await saveDefault('KES');
  expect(await screen.findByLabelText('Direction')).toHaveValue('TZS_TO_KES');
});

test('lets a number with a leading zero pass, and shows at the field that the server does not', async () => {
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

test('the amount is named by what happens to it', async () => {
  renderApp('/');
  expect(await screen.findByRole('textbox', { name: 'You send: Amount' })).toBeVisible();
});

test.each(['Save', 'Saved recipients'])('a dialog that is left gives the focus back to “%s”', async (name) => {
  const app = renderApp('/', { recipients: [{ phone: '+254722000999', label: 'Otieno' }] });
  await fillDetails(app);
  const opener = await screen.findByRole('button', { name });
  await app.user.click(opener);
  fireEvent(await screen.findByRole('dialog'), new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(opener).toHaveFocus();
});

test('finds a saved recipient by name or number', async () => {
  const recipients = [
    { phone: '+254722000999', label: 'Otieno' },
    { phone: '+255754111222', label: 'Baraka Mushi' },
  ];
  const app = renderApp('/', { recipients });
  await app.user.click(await screen.findByRole('button', { name: 'Saved recipients' }));
  const search = await screen.findByLabelText('Search by name or number');
  await app.user.type(search, 'zz');
  expect(screen.getByText('Nobody by that name or number')).toBeVisible();
  await app.user.clear(search);
  await app.user.type(search, '0722 000{Enter}');
  await app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /Otieno/ }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 999');
  expect(screen.getByLabelText('Direction')).toHaveValue('TZS_TO_KES');
});

test('takes a number from the phone’s contacts where the browser can, in any spelling', async () => {
  const select = vi.fn().mockResolvedValue([{ tel: ['+254 722 000 111'] }]);
  Object.assign(navigator, { contacts: { select } });
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Choose from contacts' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  expect(screen.getByLabelText('Direction')).toHaveValue('TZS_TO_KES');
  select.mockRejectedValue(new Error('closed'));
  await app.user.click(screen.getByRole('button', { name: 'Choose from contacts' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  Object.assign(navigator, { contacts: undefined });
});

test('sends nothing while offline, and says why', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText('You are offline. Connect to the internet to send.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Confirm Transfer' })).toBeDisabled();
  vi.restoreAllMocks();
});
