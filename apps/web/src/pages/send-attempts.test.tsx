import { act, screen, waitFor } from '@testing-library/react';
import { type DefaultBodyType, HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { chooseLanguage } from '#shared/i18n/i18n.ts';
import { amina, receiptOf, transaction } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { CREATE, confirm, draftOf, fillDetails, openConfirm, PIN_LABEL } from '#test/send-flow.ts';
import { server } from '#test/setup.ts';

afterEach(async () => {
  vi.useRealTimers();
  await act(() => chooseLanguage('en'));
});

test('repeats an unanswered transfer exactly, after a reload too', async () => {
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
  expect(screen.getByText(/No answer arrived/)).toBeVisible();
  app.unmount();
  const reloaded = renderApp('/send', { rates: { ...app.world.rates, kesToTzs: 20 } });
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  await reloaded.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  await confirm(reloaded);
  await screen.findByText('Transaction Initiated');
  expect(reloaded.world.received).toEqual(bodies);
});

test('takes a new id after an outcome has used up the old one', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  const before = draftOf(app).clientTransactionId;
  server.use(
    http.post(CREATE, () => errorAnswer('insufficient_funds', 'Amount exceeds available balance'), { once: true }),
  );
  await confirm(app);
  expect(await screen.findByText('Transfer failed')).toBeVisible();
  expect(draftOf(app).clientTransactionId).not.toBe(before);
  expect(JSON.stringify(draftOf(app))).not.toContain('1357');
});

test('leads to the sign-in page and back when the session has ended, and keeps the draft', async () => {
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

/** The traces of another tab that has sent a transfer under this id. */
function sendElsewhere(id: string) {
  localStorage.setItem('vuka.sent-transfer-ids', JSON.stringify([id]));
}

const wake = () => act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'vuka.sent-transfer-ids' })));

test('a duplicated tab drops its copy of a draft as soon as the original is sent', async () => {
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

test('a duplicated tab that was asleep meanwhile does not send the copy either', async () => {
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

test('two tabs that start from the same empty form send two transfers', async () => {
  const app = renderApp('/send');
  await screen.findByLabelText(/You send/);
  const copied = draftOf(app).clientTransactionId;
  await fillDetails(app);
  expect(draftOf(app).clientTransactionId).not.toBe(copied);
});

test('a transfer whose id the server knows from another one is not sent again under a new id', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  server.use(http.post(CREATE, () => errorAnswer('idempotency_conflict', 'Used for a different transfer')));
  await confirm(app);
  expect(await screen.findByText('This transfer was already sent')).toBeVisible();
  expect(screen.getByText(/Check your transactions before you send again/)).toBeVisible();
  expect(screen.getByText('Transfer failed')).toBeVisible();
  expect(screen.getByText('Used for a different transfer')).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveValue('');
});

test('a wrong PIN after an unanswered attempt does not release the transfer: the same one is sent again', async () => {
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

test('a phone’s back button leads from the confirm step to the details, and then to the previous page', async () => {
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

/** The history of a tab that was reloaded on the confirm step. */
const RELOADED_ON_CONFIRM = ['/dashboard', '/send', { pathname: '/send', state: { step: 'confirm' } }];

test('after a reload of the confirm step its back arrow leads to the details with one press', async () => {
  const app = renderApp(RELOADED_ON_CONFIRM);
  await openConfirm(app);
  await app.user.type(screen.getByLabelText(PIN_LABEL), '12');
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByLabelText(/You send/)).toHaveValue('25,000');
  expect(screen.queryByLabelText(PIN_LABEL)).toBeNull();
});

test('details typed after a transfer are confirmed only after a review, wherever in the history they are typed', async () => {
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

test('the forward button leads to no confirmation: changed details are reviewed again', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  app.goBack();
  await app.user.type(await screen.findByLabelText(/You send/), '0000000');
  app.goForward();
  expect(screen.getByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.queryByLabelText(PIN_LABEL)).toBeNull();
});

test('the back button does not hide a transfer that is being sent', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => new Promise<never>(() => undefined)));
  await openConfirm(app);
  await confirm(app);
  await screen.findByRole('button', { name: 'Processing...' });
  app.goBack();
  expect(screen.getByRole('button', { name: 'Processing...' })).toBeVisible();
  expect(screen.getByText('Please keep this page open. You will not be charged twice.')).toBeVisible();
});

test('the reason of an immediate failure is shown in the user’s language', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  await act(() => chooseLanguage('sw'));
  const failed = receiptOf(transaction(0, { status: 'FAILED' })).transaction;
  const status_reason = 'The mobile network does not know this number.';
  const status_reason_codes = [{ code: 'number_unknown' }];
  server.use(
    http.post(CREATE, () =>
      HttpResponse.json({ transaction: { ...failed, status_reason, status_reason_codes } }, { status: 201 }),
    ),
  );
  await app.user.type(screen.getByLabelText('Weka PIN yako ya tarakimu 4'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Thibitisha Muamala' }));
  expect(await screen.findByText('Mtandao wa simu hauijui namba hii.')).toBeVisible();
});

/** Confirms a transfer, and returns to the form by way of the dashboard before the server answers. */
async function comeBackEarly(app: ReturnType<typeof renderApp>) {
  const answer = Promise.withResolvers<HttpResponse<DefaultBodyType> | undefined>();
  server.use(http.post(CREATE, () => answer.promise, { once: true }));
  await openConfirm(app);
  await confirm(app);
  await app.user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await screen.findByText('Recent Transactions');
  await app.user.click(screen.getByRole('link', { name: 'Send' }));
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  return answer;
}

test('an answer that arrives after the page was closed and opened again updates the new page', async () => {
  const app = renderApp('/send');
  const answer = await comeBackEarly(app);
  answer.resolve(HttpResponse.json(receiptOf(transaction(0, { status: 'PENDING' })), { status: 201 }));
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Your last attempt got no answer')).toBeNull());
  expect(screen.getByLabelText(/You send/)).toHaveValue('');
  expect(draftOf(app)).not.toHaveProperty('attempt');
});

test('a late answer to a transfer that has since been replaced does not change the new one', async () => {
  const app = renderApp('/send');
  const answer = await comeBackEarly(app);
  await app.user.type(screen.getByLabelText(/You send/), '7');
  const typed = draftOf(app);
  answer.resolve(errorAnswer('insufficient_funds', 'Amount exceeds available balance'));
  await act(() => answer.promise);
  await app.user.type(screen.getByLabelText(/You send/), '7');
  expect(draftOf(app)).toEqual({ ...typed, amount: '2500077', unanswered: [] });
});

test('details that are changed and changed back after an unanswered attempt are the same transfer', async () => {
  const app = renderApp('/send');
  const answer = await comeBackEarly(app);
  const { clientTransactionId: id } = draftOf(app);
  await app.user.click(screen.getByRole('button', { name: 'Swap currencies' }));
  expect(screen.queryByText('Your last attempt got no answer')).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Swap currencies' }));
  expect(screen.getByText('Your last attempt got no answer')).toBeVisible();
  expect(screen.queryByText(/Rate held for/)).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received.map((body) => body.clientTransactionId)).toEqual([id]);
  answer.resolve(HttpResponse.json(receiptOf(transaction(0, { status: 'PENDING' })), { status: 201 }));
  await act(() => answer.promise);
  expect(screen.getAllByText('Transaction Initiated')).toHaveLength(1);
});

test('a late success of a transfer that has since been replaced is announced, and leaves the new one as it is', async () => {
  const app = renderApp('/send');
  const answer = await comeBackEarly(app);
  await app.user.type(screen.getByLabelText(/You send/), '7');
  const typed = draftOf(app);
  answer.resolve(HttpResponse.json(receiptOf(transaction(0, { status: 'PENDING' })), { status: 201 }));
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  expect(screen.getByLabelText(/You send/)).toHaveValue('250,007');
  expect(draftOf(app)).toEqual({ ...typed, unanswered: [] });
});

test('an unanswered transfer can be confirmed again although its own hold has reduced the balance', async () => {
  const app = renderApp('/send');
  await comeBackEarly(app);
  app.world.balances = { ...app.world.balances, balances: { ...app.world.balances.balances, KES: '1000.00' } };
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/balances'] }));
  expect(await screen.findByText(/1,000 KES/)).toBeVisible();
  const { clientTransactionId: id } = draftOf(app);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  await confirm(app);
  await screen.findByText('Transaction Initiated');
  expect(app.world.received.map((body) => body.clientTransactionId)).toEqual([id]);
});

/** The answer to a repeat: the transfer was there already. */
const known = (facts: Parameters<typeof transaction>[1]) =>
  http.post(CREATE, () => HttpResponse.json(receiptOf(transaction(0, facts))), { once: true });
const REPEAT_NOTE = 'You sent this before. It was received only once.';

test.each([
  ['is announced as received before, not as a new one', 'PENDING', 'Transaction Initiated'],
  ['and failed meanwhile says that it was received only once', 'FAILED', 'Transfer failed'],
] as const)('a repeated transfer that the server knew already %s', async (_, status, title) => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => HttpResponse.error(), { once: true }));
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Network Error')).toBeVisible();
  server.use(known({ status }));
  await confirm(app);
  expect((await screen.findByText(title)).parentElement).toHaveTextContent(REPEAT_NOTE);
});

test('a transfer that was confirmed once is announced without a word of a repeat, whatever the server had to repeat', async () => {
  const app = renderApp('/send');
  await openConfirm(app);
  server.use(known({ status: 'PENDING' }));
  await confirm(app);
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  expect(screen.queryByText(new RegExp(REPEAT_NOTE))).toBeNull();
});

test('a repeated transfer that arrived for the first time is announced as a new one', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => HttpResponse.error(), { once: true }));
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Network Error')).toBeVisible();
  await confirm(app);
  expect(await screen.findByText('Transaction Initiated')).toBeVisible();
  expect(screen.queryByText(new RegExp(REPEAT_NOTE))).toBeNull();
});

test.each([
  ['before anything was stored', errorAnswer('invalid_pin', 'Invalid PIN'), 'Invalid PIN'],
  ['for good', errorAnswer('insufficient_funds', 'Not enough money'), 'Amount exceeds available balance'],
])(
  'a transfer that is refused %s after its details were changed says so, and is forgotten',
  async (_, refusal, words) => {
    const app = renderApp('/send');
    const answer = await comeBackEarly(app);
    const { clientTransactionId: id } = draftOf(app);
    await app.user.type(screen.getByLabelText(/You send/), '7');
    answer.resolve(refusal);
    expect(await screen.findByText('Transfer failed')).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    await app.user.type(screen.getByLabelText(/You send/), '{Backspace}');
    expect(screen.queryByText('Your last attempt got no answer')).toBeNull();
    expect(draftOf(app)).toMatchObject({ amount: '25000', unanswered: [] });
    expect(draftOf(app).clientTransactionId).not.toBe(id);
  },
);

test('a repeat whose sender is refused after its details were changed says so, and stays without an answer', async () => {
  const app = renderApp('/send');
  server.use(http.post(CREATE, () => HttpResponse.error(), { once: true }));
  await openConfirm(app);
  await confirm(app);
  expect(await screen.findByText('Network Error')).toBeVisible();
  const { clientTransactionId: id } = draftOf(app);
  const answer = Promise.withResolvers<HttpResponse<DefaultBodyType> | undefined>();
  server.use(http.post(CREATE, () => answer.promise, { once: true }));
  await confirm(app);
  await app.user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await screen.findByText('Recent Transactions');
  await app.user.click(screen.getByRole('link', { name: 'Send' }));
  await app.user.type(await screen.findByLabelText(/You send/), '7');
  answer.resolve(errorAnswer('invalid_pin', 'Invalid PIN'));
  expect(await screen.findByText('Invalid PIN')).toBeVisible();
  await app.user.type(screen.getByLabelText(/You send/), '{Backspace}');
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  expect(draftOf(app).clientTransactionId).toBe(id);
});

test('a late failure without an answer says nothing about details that were changed meanwhile', async () => {
  const app = renderApp('/send');
  const answer = await comeBackEarly(app);
  await app.user.type(screen.getByLabelText(/You send/), '7');
  const { unanswered } = draftOf(app);
  answer.resolve(errorAnswer('unavailable', 'Busy'));
  const [sent] = app.client.getMutationCache().getAll();
  await waitFor(() => expect(sent?.state.status).toBe('error'));
  expect(screen.queryByText('Transfer failed')).toBeNull();
  expect(draftOf(app).unanswered).toEqual(unanswered);
});

test('the rate of an unanswered transfer is not said to be confirmed only when it is reviewed', async () => {
  const app = renderApp('/send');
  await comeBackEarly(app);
  expect(await screen.findByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.queryByText('The rate is confirmed when you review.')).toBeNull();
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

test('an empty form follows the default currency; a started one keeps its direction', async () => {
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
