import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendRequest } from '#shared/api-client.ts';
import { logoutMark } from '#shared/session.ts';
import { noteUse, sessionEndsAt } from '#shared/use-of-session.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  sessionEndsAt.set(undefined);
  logoutMark.write(false);
  noteUse();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const dialog = () => screen.queryByRole('dialog', { name: 'Are you still there?' });

async function openProfile() {
  const app = renderApp('/profile');
  await screen.findByText('Account Type');
  await waitFor(() => expect(sessionEndsAt.get()).toBeDefined());
  return app;
}

async function openWarning() {
  const app = await openProfile();
  await pass(29 * MINUTE_MS + 1_000);
  expect(await screen.findByRole('dialog', { name: 'Are you still there?' })).toBeVisible();
  return app;
}

test('warns a minute before the session ends, counts down, and announces only a few moments', async () => {
  const app = await openProfile();
  await pass(28 * MINUTE_MS);
  expect(dialog()).toBeNull();
  await pass(MINUTE_MS + 2_000);
  await waitFor(() => expect(dialog()).toBeVisible());
  const announcement = () => dialog()?.querySelector('[role=status]')?.textContent;
  expect(announcement()).toBe('You will be signed out in 60 seconds.');
  await pass(15_000);
  expect(announcement()).toBe('You will be signed out in 60 seconds.');
  expect(screen.getByText(/^You will be signed out in 4\d seconds.$/)).toBeVisible();
  await pass(20_000);
  expect(announcement()).toBe('You will be signed out in 30 seconds.');
  expect(app.address()).toBe('/profile');
});

test('the warning focuses the button that stays signed in, not the one that logs out', async () => {
  await openWarning();
  expect(screen.getByRole('button', { name: 'Stay signed in' })).toHaveFocus();
});

test('one tap keeps the user signed in, with one call that counts as use', async () => {
  const app = await openWarning();
  await app.user.click(screen.getByRole('button', { name: 'Stay signed in' }));
  await waitFor(() => expect(dialog()).toBeNull());
  expect(app.world.sessionEndsAtMs - Date.now()).toBeGreaterThan(29 * MINUTE_MS);
  await pass(5 * MINUTE_MS);
  expect(app.address()).toBe('/profile');
});

test('presses and touches in the warning do not count as use; only the answer does', async () => {
  const app = await openWarning();
  await app.user.keyboard('{Tab}{ArrowDown}');
  await app.user.click(screen.getByText(/You will be signed out in/, { selector: 'p[aria-hidden]' }));
  const endsAtMs = sessionEndsAt.get();
  await pass(20_000);
  expect(sessionEndsAt.get()).toBe(endsAtMs);
  expect(dialog()).toBeVisible();
});

test('a failed extension of the session is reported and does not sign the user out', async () => {
  const app = await openWarning();
  server.use(http.get('*/api/user', () => HttpResponse.error()));
  await app.user.click(screen.getByRole('button', { name: 'Stay signed in' }));
  expect(await screen.findByText('No answer arrived. Check your connection and try again.')).toBeVisible();
  await pass(2 * MINUTE_MS);
  expect(app.address()).toBe('/profile');
  expect(screen.getByText('Account Type')).toBeVisible();
});

test('the warning offers to log out', async () => {
  const app = await openWarning();
  await app.user.click(screen.getAllByRole('button', { name: 'Log out' }).at(-1) as HTMLElement);
  expect(await screen.findByText('You have been successfully logged out.')).toBeVisible();
  await waitFor(() => expect(app.address()).toBe('/auth'));
  expect(screen.queryByText('You were signed out')).toBeNull();
});

test('a logout that fails is reported in the warning, which covers everything else', async () => {
  const app = await openWarning();
  server.use(http.post('*/api/logout', () => HttpResponse.error()));
  const warning = within(screen.getByRole('dialog', { name: 'Are you still there?' }));
  await app.user.click(warning.getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(warning.getByRole('alert')).not.toBeEmptyDOMElement());
  expect(app.address()).not.toBe('/auth');
});

test('the end of the session leads to the sign-in page, gives the reason, and returns to the page afterwards', async () => {
  const app = await openWarning();
  await pass(70_000);
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Fprofile'));
  expect(await screen.findByText('You were signed out')).toBeVisible();
  expect(screen.getByText('Log in to continue.')).toBeVisible();
  await app.user.type(screen.getByLabelText('Email'), 'amina@vuka.test');
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(app.address()).toBe('/profile'));
});

test('a user who is active on a page without calls is not warned', async () => {
  const app = await openProfile();
  await pass(20 * MINUTE_MS);
  await app.user.click(screen.getByText('Account Type'));
  await pass(20 * MINUTE_MS);
  expect(dialog()).toBeNull();
  expect(app.address()).toBe('/profile');
});

test('polling does not keep the session alive', async () => {
  const app = renderApp('/transactions');
  await screen.findByText('Transaction History');
  await pass(31 * MINUTE_MS);
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Ftransactions'));
});

test('use in another tab prevents the warning, and closes an open one', async () => {
  const app = await openWarning();
  const other = Date.now() + 30 * MINUTE_MS;
  app.world.sessionEndsAtMs = other;
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'vuka.session-ends-at', newValue: String(other) }));
  });
  expect(dialog()).toBeNull();
  // The other tab is used; this tab, which was asleep, is not notified.
  app.world.sessionEndsAtMs += 20 * MINUTE_MS;
  await pass(35 * MINUTE_MS);
  expect(dialog()).toBeNull();
  expect(app.address()).toBe('/profile');
});

test('a request counts as use only if the user did something since the last request that counted', async () => {
  const isBackground: boolean[] = [];
  server.use(
    http.get('*/api/rates', ({ request }) => {
      isBackground.push(request.headers.has('x-vuka-background'));
      return isBackground.length === 3 ? HttpResponse.error() : HttpResponse.json({});
    }),
  );
  const ask = () => sendRequest('/api/rates').catch(() => undefined);
  noteUse();
  await ask();
  await ask();
  noteUse();
  // The third request gets no answer, so the use is still to be reported.
  await ask();
  await ask();
  await ask();
  expect(isBackground).toEqual([false, true, false, false, true]);
});

test.each([
  ['the page becomes visible', ['visibilitychange']],
  ['the network returns', ['offline', 'online']],
])('asks for the user again when %s', async (_, events) => {
  const app = await openProfile();
  app.world.user = null;
  for (const name of events) act(() => void window.dispatchEvent(new Event(name)));
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Fprofile'));
});
