import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { apiKeys, NEW_KEY } from '#test/api-key-fixtures.ts';
import { admin, PIN } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const open = (overrides = {}) => renderApp('/admin/api-keys', { user: admin, ...overrides });
type App = ReturnType<typeof open>;

async function issue(app: App, { name = 'Shop till', pin = PIN } = {}): Promise<void> {
  const field = await screen.findByLabelText('Name');
  await app.user.clear(field);
  if (name) await app.user.type(field, name);
  if (pin) await app.user.type(screen.getByLabelText('Your PIN'), pin);
  await app.user.click(screen.getByRole('button', { name: 'Issue key' }));
}

const row = async (name: string) => within((await screen.findByText(name)).closest('li, tr') as HTMLElement);

test('a key is shown once after it is issued, can be copied, and disappears when the user is done', async () => {
  const app = open();
  await issue(app);
  const heading = await screen.findByRole('heading', { name: 'Key for Shop till' });
  expect(heading).toHaveFocus();
  expect(screen.getByText(NEW_KEY)).toBeVisible();
  expect(screen.getByText(/it will not be shown again/)).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Copy key' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(NEW_KEY);
  expect((await row('Shop till')).getByText('…dLq9')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText(NEW_KEY)).toBeNull();
  expect(screen.getByLabelText('Name')).toHaveFocus();
  expect(screen.getByLabelText('Name')).toHaveValue('');
  expect(screen.getByLabelText('Your PIN')).toHaveValue('');
});

test('a key that cannot be copied stays on screen, to be copied manually', async () => {
  const app = open();
  await issue(app);
  await screen.findByText(NEW_KEY);
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  await app.user.click(screen.getByRole('button', { name: 'Copy key' }));
  expect(await screen.findByText('Could not copy. Please select and copy the text manually.')).toBeVisible();
  expect(screen.getByText(NEW_KEY)).toBeVisible();
});

test('a key whose issuer is blocked or demoted is shown as refused, with the reason', async () => {
  open({ apiKeys: apiKeys.map((key) => ({ ...key, isIssuerBarred: true })) });
  const refused = await row('Bookkeeping');
  expect(refused.getByText('Refused')).toBeVisible();
  expect(refused.getByText('The issuer is blocked or may no longer issue keys.')).toBeVisible();
  expect((await row('Old warehouse')).getByText('Revoked')).toBeVisible();
});

test('no key is requested without a name and a PIN; a wrong PIN keeps the name', async () => {
  const app = open({ apiKeys: [] });
  await issue(app, { name: '', pin: '' });
  expect(screen.getByText('Name is required')).toBeVisible();
  expect(screen.getByLabelText('Name')).toHaveFocus();
  await issue(app, { pin: '9753' });
  expect(await screen.findByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  expect(screen.getByLabelText('Name')).toHaveValue('Shop till');
  expect(screen.getByLabelText('Your PIN')).toHaveValue('');
  expect(app.world.apiKeys).toEqual([]);
});

test('a PIN typed right after a refusal stays, also when the list arrives later', async () => {
  const app = open({ apiKeys: [] });
  await issue(app, { pin: '' });
  const list = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/admin/api-keys', async () => {
      await list.promise;
      return HttpResponse.json({ apiKeys: [] });
    }),
  );
  await issue(app, { pin: '9753' });
  await screen.findByText('Invalid PIN. 2 attempts left.');
  await app.user.type(screen.getByLabelText('Your PIN'), PIN);
  list.resolve();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Issue key' })).toHaveAttribute('aria-disabled', 'false'),
  );
  expect(screen.getByLabelText('Your PIN')).toHaveValue(PIN);
});

test('too many keys are reported in the server’s words; a lost answer warns that there may be one key more', async () => {
  const app = open();
  const sentence = 'There are 50 API keys already. Revoke one first.';
  server.use(http.post('*/api/admin/api-keys', () => errorAnswer('validation_failed', sentence), { once: true }));
  await issue(app);
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByText(/No answer arrived/)).toBeNull();
  server.use(http.post('*/api/admin/api-keys', () => HttpResponse.error(), { once: true }));
  await issue(app);
  expect(await screen.findByText(/No answer arrived, so a key may have been issued/)).toBeVisible();
});

test('the table shows for each key who issued it, when it was used, and whether it is still active', async () => {
  widenScreen();
  open();
  const active = await row('Bookkeeping');
  for (const text of ['…x7Qe', 'Zuri Admin', 'ADM10000001', 'Jan 12, 2026, 9:30 AM', 'Active']) {
    expect(active.getByText(text)).toBeVisible();
  }
  const revoked = await row('Old warehouse');
  for (const text of ['…-b_2', 'Never', 'Revoked']) expect(revoked.getByText(text)).toBeVisible();
  expect(revoked.queryByRole('button')).toBeNull();
});

test('a key is revoked after a confirmation, and then shown as revoked', async () => {
  const app = open();
  await app.user.click(await screen.findByRole('button', { name: 'Revoke Bookkeeping' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Revoke Bookkeeping?' }));
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(app.world.apiKeys[0]?.revokedAt).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Revoke Bookkeeping' }));
  await app.user.click(screen.getByRole('button', { name: 'Revoke key' }));
  expect(await screen.findByText('API key revoked')).toBeVisible();
  await waitFor(async () => expect((await row('Bookkeeping')).getByText('Revoked')).toBeVisible());
  expect(screen.queryByRole('button', { name: 'Revoke Bookkeeping' })).toBeNull();
});

test('a failed revocation is reported and leaves the key as it is', async () => {
  const app = open();
  server.use(http.post('*/api/admin/api-keys/*/revoke', () => errorAnswer('unavailable', 'Identity is unavailable')));
  await app.user.click(await screen.findByRole('button', { name: 'Revoke Bookkeeping' }));
  await app.user.click(screen.getByRole('button', { name: 'Revoke key' }));
  expect(await screen.findByText('The API key was not revoked')).toBeVisible();
  expect((await row('Bookkeeping')).getByText('Active')).toBeVisible();
});

test('an empty list and a list that cannot be loaded say so', async () => {
  const { unmount } = open({ apiKeys: [] });
  expect(await screen.findByText('No API keys yet')).toBeVisible();
  unmount();
  open({ unavailable: ['/api/admin/api-keys'] });
  expect(await screen.findByText('The API keys could not be loaded')).toBeVisible();
});
