import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '#shared/api-client.ts';
import { admin, PIN } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const DIALOG = 'Confirm with your PIN';
const STALE = { user: admin, isPinStale: true };

const open = (path: string) => renderApp(path, STALE);
type App = ReturnType<typeof open>;

const dialog = async () => within(await screen.findByRole('dialog', { name: DIALOG }));
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog', { name: DIALOG })).toBeNull());

async function givePin(app: App, pin: string): Promise<void> {
  const shown = await dialog();
  await app.user.type(shown.getByLabelText('Your PIN'), pin);
  await app.user.click(shown.getByRole('button', { name: 'Confirm' }));
}

async function setRates(app: App): Promise<void> {
  await screen.findAllByText('Zuri Admin');
  // The form begins with the rate in force, of which the markup stays.
  await app.user.clear(screen.getByLabelText('Provider buy rate'));
  await app.user.type(screen.getByLabelText('Provider buy rate'), '24');
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
}

async function credit(app: App): Promise<void> {
  await app.user.type(await screen.findByLabelText('Merchant ID'), 'WANJ1204KENB');
  await app.user.type(screen.getByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: /^Credit (balance|\d)/ }));
}

/** Records every request to a path. */
function recordCalls(path: string) {
  const calls: Promise<{ key: string | null; body: unknown }>[] = [];
  const record = ({ request }: { request: Request }): void => {
    if (new URL(request.url).pathname !== path) return;
    const key = request.headers.get('idempotency-key');
    calls.push(
      request
        .clone()
        .json()
        .then((body) => ({ key, body })),
    );
  };
  server.events.on('request:start', record);
  onTestFinished(() => void server.events.removeListener('request:start', record));
  return () => Promise.all(calls);
}

test('a change of the rates asks for the PIN, says how many attempts a wrong one leaves, and is made once', async () => {
  const app = open('/admin/exchange-rates');
  await setRates(app);
  const shown = await dialog();
  expect(shown.getByText('Enter your PIN to confirm that it is you.')).toBeVisible();
  expect(shown.getByLabelText('Your PIN')).toHaveFocus();
  expect(app.world.rateHistory).toHaveLength(4);

  await givePin(app, '9753');
  expect(await shown.findByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  expect(shown.getByLabelText('Your PIN')).toHaveValue('');
  expect(shown.getByLabelText('Your PIN')).toHaveFocus();
  expect(app.world.rateHistory).toHaveLength(4);

  await givePin(app, PIN);
  expect(await screen.findByText('Rates Updated')).toBeVisible();
  await noDialog();
  expect(app.world.rateHistory).toHaveLength(5);
  expect(app.world.pinsGiven).toEqual(['9753', PIN]);
});

test('a credit is repeated with the same body and under the same key', async () => {
  const calls = recordCalls('/api/admin/credit-balance');
  const app = open('/admin/credit-merchant');
  await credit(app);
  await givePin(app, PIN);
  expect(await screen.findByText('Balance credited')).toBeVisible();
  const [first, second, ...more] = await calls();
  expect(first?.key).toMatch(/^credit-/);
  expect(second).toEqual(first);
  expect(more).toEqual([]);
  expect(app.world.submitted).toHaveLength(1);
});

test.each([
  ['Cancel', (app: App) => app.user.click(screen.getByRole('button', { name: 'Cancel' }))],
  ['Close', (app: App) => app.user.click(screen.getByRole('button', { name: 'Close' }))],
  [
    'Escape',
    async () => {
      // jsdom does not send the key to a dialog; browsers do.
      const shown = screen.getByRole('dialog', { name: DIALOG });
      act(() => void shown.dispatchEvent(new Event('cancel', { cancelable: true })));
    },
  ],
])('%s leaves the form unchanged and shows no error', async (_, leave) => {
  const app = open('/admin/credit-merchant');
  await credit(app);
  await dialog();
  await leave(app);
  await noDialog();
  expect(screen.getByLabelText('Amount')).toHaveValue('5000');
  expect(screen.getByLabelText('Merchant ID')).toHaveValue('WANJ1204KENB');
  await waitFor(() => expect(screen.getByRole('button', { name: /^Credit (balance|\d)/ })).toBeEnabled());
  expect(screen.queryByText('Credit failed')).toBeNull();
  expect(screen.queryByText(/No answer arrived/)).toBeNull();
  expect(screen.getByRole('button', { name: /^Credit (balance|\d)/ })).toHaveFocus();
  expect(app.world.submitted).toEqual([]);
  // The next attempt asks for the PIN again.
  await app.user.click(screen.getByRole('button', { name: /^Credit (balance|\d)/ }));
  await givePin(app, PIN);
  expect(await screen.findByText('Balance credited')).toBeVisible();
});

test('a cancelled block is rolled back on the screen; a confirmed one sends the wanted state', async () => {
  widenScreen();
  const app = open('/admin/merchants');
  const juma = app.world.merchants.find(({ fullName }) => fullName === 'Juma Mwakyusa');
  const sent = recordCalls(`/api/admin/merchants/${juma?.id}/toggle-block`);
  const block = async () => {
    await app.user.click(await screen.findByRole('button', { name: 'Block Juma Mwakyusa' }));
    await app.user.click(await screen.findByRole('button', { name: 'Block merchant' }));
  };
  await block();
  expect(await screen.findByRole('button', { name: 'Unblock Juma Mwakyusa', hidden: true })).toBeInTheDocument();
  await dialog();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('button', { name: 'Block Juma Mwakyusa' })).toBeVisible();
  expect(screen.queryByText('Failed to update account status')).toBeNull();
  expect(juma?.isBlocked).toBe(false);
  await block();
  await givePin(app, PIN);
  expect(await screen.findByText('Account status updated')).toBeVisible();
  expect(juma?.isBlocked).toBe(true);
  expect((await sent()).map(({ body }) => body)).toEqual(Array(3).fill({ isBlocked: true }));
});

test('too many wrong PINs close the dialog, and the page says so', async () => {
  const app = open('/admin/exchange-rates');
  const locked = 'Too many wrong PINs. Please try again in 15 minutes.';
  server.use(http.post('*/api/admin/step-up', () => errorAnswer('too_many_attempts', locked)));
  await setRates(app);
  await givePin(app, '9753');
  expect(await screen.findByText(locked)).toBeVisible();
  expect(screen.getByText('Update Failed')).toBeVisible();
  await noDialog();
  expect(screen.getByLabelText('Provider buy rate')).toHaveValue('24');
  expect(app.world.rateHistory).toHaveLength(4);
});

test('a PIN that could not be sent can be entered again', async () => {
  const app = open('/admin/exchange-rates');
  server.use(http.post('*/api/admin/step-up', () => HttpResponse.error(), { once: true }));
  await setRates(app);
  await givePin(app, PIN);
  expect(await (await dialog()).findByText('The server could not be reached. Please try again.')).toBeVisible();
  await givePin(app, PIN);
  expect(await screen.findByText('Rates Updated')).toBeVisible();
});

const ALONE = 'There is no other administrator who could confirm this. Enter your PIN.';

test('without a second administrator, a call that needs one is repeated with the PIN in its body', async () => {
  const calls = recordCalls('/api/rates/update');
  const app = renderApp('/admin/exchange-rates', { user: admin });
  const [shown] = app.world.rateHistory;
  server.use(
    http.post('*/api/rates/update', async ({ request }) =>
      'pin' in ((await request.clone().json()) as object) ? undefined : errorAnswer('pin_required', ALONE),
    ),
  );
  await setRates(app);
  expect((await dialog()).getByText(ALONE)).toBeVisible();
  await givePin(app, PIN);
  expect(await screen.findByText('Rates Updated')).toBeVisible();
  const rate = { buyRate: '24', markup: '2', replaces: shown?.id };
  expect((await calls()).map(({ body }) => body)).toEqual([rate, { ...rate, pin: PIN }]);
});

test('an administrator without a second one is asked once, even if the last PIN was long ago', async () => {
  const app = open('/admin/exchange-rates');
  server.use(
    http.post('*/api/rates/update', async ({ request }) => {
      if (app.world.isPinStale || 'pin' in ((await request.clone().json()) as object)) return undefined;
      return errorAnswer('pin_required', ALONE);
    }),
  );
  await setRates(app);
  await givePin(app, PIN);
  expect(await screen.findByText('Rates Updated')).toBeVisible();
  expect(app.world.pinsGiven).toEqual([PIN]);
});

test('calls that are refused at the same time share one dialog, and each is made once', async () => {
  const app = open('/admin');
  await screen.findByRole('heading', { level: 1 });
  const revocations = ['one', 'two', 'three'].map((name) =>
    sendRequest(`/api/admin/api-keys/${name}/revoke`, { method: 'POST', body: {} }),
  );
  const revoked: string[] = [];
  server.use(
    http.post('*/api/admin/api-keys/:id/revoke', ({ params }) => {
      if (app.world.isPinStale) return undefined;
      revoked.push(String(params.id));
      return HttpResponse.json({ ok: true });
    }),
  );
  await dialog();
  await givePin(app, PIN);
  await Promise.all(revocations);
  expect(revoked.toSorted()).toEqual(['one', 'three', 'two']);
  expect(app.world.pinsGiven).toEqual([PIN]);
  expect(screen.queryAllByRole('dialog')).toEqual([]);
});

test('leaving the admin area cancels the waiting call, and later calls do not ask for a PIN', async () => {
  const app = open('/admin');
  await screen.findByRole('heading', { level: 1 });
  const refused = { status: 403, code: 'step_up_required' };
  const waiting = sendRequest('/api/rates/update', { method: 'POST', body: {} });
  const outcome = expect(waiting).rejects.toMatchObject(refused);
  await dialog();
  app.unmount();
  await outcome;
  await expect(sendRequest('/api/rates/update', { method: 'POST', body: {} })).rejects.toMatchObject(refused);
});
