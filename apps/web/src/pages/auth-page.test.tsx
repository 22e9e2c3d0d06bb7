import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { USER_KEY } from '#shared/session.ts';
import { amina } from '#test/fixtures.ts';
import { createHandlers, errorAnswer } from '#test/handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const signedOut = { user: null };
type App = ReturnType<typeof renderApp>;

async function logIn({ user }: App, email: string, pin: string) {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('4-digit PIN'), pin);
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

test('opens on Login, shows the tagline, and has no wordmark bar or navigation', async () => {
  renderApp('/auth', signedOut);
  expect(await screen.findByRole('heading', { name: /money instantly between Kenya and Tanzania/ })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByRole('alert')?.textContent).toBeFalsy();
});

test('shows the words of each rule that a login breaks', async () => {
  const app = renderApp('/auth', signedOut);
  await logIn(app, 'amina', '12');
  expect(await screen.findByText('Invalid email format')).toBeVisible();
  expect(screen.getByText('PIN must be 4 digits')).toBeVisible();
});

test('an error that leaving a field shows moves nothing while a button is pressed, so that the click hits it', async () => {
  const { user } = renderApp('/auth', signedOut);
  await user.type(await screen.findByLabelText('Email'), 'amina');
  const button = screen.getByRole('button', { name: 'Log in' });
  await user.pointer({ keys: '[MouseLeft>]', target: button });
  expect(screen.getByLabelText('Email')).not.toHaveFocus();
  expect(screen.queryByText('Invalid email format')).toBeNull();
  await user.pointer({ keys: '[/MouseLeft]', target: button });
  expect(await screen.findByText('Invalid email format')).toBeVisible();
  expect(screen.getByText('PIN must be 4 digits')).toBeVisible();
});

test('leaving a field by the keyboard shows its error at once', async () => {
  const { user } = renderApp('/auth', signedOut);
  await user.type(await screen.findByLabelText('Email'), 'amina');
  await user.tab();
  expect(screen.getByText('Invalid email format')).toBeVisible();
});

test('keeps anything but four digits out of the PIN field', async () => {
  const app = renderApp('/auth', signedOut);
  const pin = await screen.findByLabelText('4-digit PIN');
  await app.user.type(pin, 'a1b2c3d4e5');
  expect(pin).toHaveValue('1234');
  await app.user.clear(pin);
  await app.user.paste('12ab34');
  expect(pin).toHaveValue('1234');
});

test('welcomes a user and goes to the dashboard', async () => {
  const app = renderApp('/auth', signedOut);
  await logIn(app, amina.email, '1357');
  expect(await screen.findByText('Login successful')).toBeVisible();
  expect(screen.getByText('Welcome back!')).toBeVisible();
  await waitFor(() => expect(app.address()).toBe('/dashboard'));
});

test('an answer about the session that arrives after the login does not sign the user out', async () => {
  const app = renderApp('/auth', signedOut);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const late = http.get('*/api/user', async () => {
    asked.resolve();
    await answered.promise;
    return HttpResponse.json({ error: 'Not authenticated' }, { status: 401 });
  });
  server.use(late);
  await asked.promise;
  await logIn(app, amina.email, '1357');
  expect(await screen.findByText('Welcome back!')).toBeVisible();
  const users: unknown[] = [];
  app.client.getQueryCache().subscribe(() => users.push(app.client.getQueryData(USER_KEY)));
  server.resetHandlers(...createHandlers(app.world));
  answered.resolve();
  await waitFor(() => expect(app.address()).toBe('/dashboard'));
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(users).not.toContain(null);
});

test('returns to the page that required a session', async () => {
  const app = renderApp('/transactions', signedOut);
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Ftransactions'));
  await logIn(app, amina.email, '1357');
  await waitFor(() => expect(app.address()).toBe('/transactions'));
});

test('stays, with the server’s words, when the PIN is wrong', async () => {
  const app = renderApp('/auth', signedOut);
  await logIn(app, amina.email, '0000');
  expect(await screen.findByText('Login failed')).toBeVisible();
  expect(screen.getByText('Wrong email or PIN')).toBeVisible();
  expect(app.address()).toBe('/auth');
  expect(screen.getByLabelText('4-digit PIN')).toHaveValue('');
});

test.each([
  [
    'a refusal without words',
    () => new HttpResponse('', { status: 500 }),
    'Login failed',
    'Login failed. Please try again.',
  ],
  ['a user without id', () => HttpResponse.json({}), 'Login failed', 'Received invalid user data from server'],
  [
    'another success',
    () => HttpResponse.json(amina, { status: 202 }),
    'Login failed',
    'Unexpected response status: 202',
  ],
  ['a network failure', () => HttpResponse.error(), 'Login error', 'fetch failed'],
])('shows %s', async (_, answer, title, description) => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/login', answer));
  await logIn(app, amina.email, '1357');
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(description)).toBeVisible();
  expect(app.address()).toBe('/auth');
});

test('reads Logging in... while it waits', async () => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/login', () => new Promise<never>(() => undefined)));
  await logIn(app, amina.email, '1357');
  expect(await screen.findByRole('button', { name: 'Logging in...' })).toBeVisible();
});

test('sends a signed-in user to /', async () => {
  const app = renderApp('/auth');
  await waitFor(() => expect(app.address()).toBe('/'));
});

async function openRegister(app: App) {
  await app.user.click(await screen.findByRole('tab', { name: 'Register' }));
}

test('registers in TZS and Tanzania by default, and goes to the dashboard', async () => {
  const app = renderApp('/auth', signedOut);
  await openRegister(app);
  expect(screen.getByLabelText('Country')).toHaveValue('Tanzania');
  expect(screen.getByLabelText('Default currency')).toHaveValue('TZS');
  await app.user.type(screen.getByLabelText('Full name'), 'Juma Said');
  await app.user.type(screen.getByLabelText('Email'), 'juma@vuka.test');
  await app.user.type(screen.getByLabelText('Phone number'), '+2557x12345678');
  expect(screen.getByLabelText('Phone number')).toHaveValue('+255712345678');
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText('Registration successful')).toBeVisible();
  expect(screen.getByText('Your account has been created.')).toBeVisible();
  await waitFor(() => expect(app.address()).toBe('/dashboard'));
});

test('shows the words of each rule that a registration breaks', async () => {
  const app = renderApp('/auth', signedOut);
  await openRegister(app);
  await app.user.type(screen.getByLabelText('Full name'), 'Jo');
  await app.user.type(screen.getByLabelText('Phone number'), '123');
  await app.user.clear(screen.getByLabelText('Country'));
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
  for (const words of [
    'Name must be at least 3 characters',
    'Invalid email format',
    'Phone number must be at least 10 digits',
    'Country must be at least 2 characters',
    'PIN must be 4 digits',
  ]) {
    expect(await screen.findByText(words)).toBeVisible();
  }
});

test('says why a registration was refused', async () => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/register', () => errorAnswer('email_taken', 'This email is already registered')));
  await openRegister(app);
  await app.user.type(screen.getByLabelText('Full name'), 'Amina Wanjiru');
  await app.user.type(screen.getByLabelText('Email'), amina.email);
  await app.user.type(screen.getByLabelText('Phone number'), '0712345678');
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText('Registration failed')).toBeVisible();
  expect(screen.getByText('This email is already registered')).toBeVisible();
});

async function fillRegister(app: App) {
  await openRegister(app);
  await app.user.type(screen.getByLabelText('Full name'), 'Juma Said');
  await app.user.type(screen.getByLabelText('Email'), 'juma@vuka.test');
  await app.user.type(screen.getByLabelText('Phone number'), '0712345678');
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
}

test.each([
  [
    'a refusal without words',
    () => new HttpResponse('', { status: 500 }),
    'Registration failed',
    'Registration failed. Please try again.',
  ],
  ['a user without id', () => HttpResponse.json({}), 'Registration failed', 'Received invalid user data from server'],
  [
    'a user that is a list',
    () => HttpResponse.json([]),
    'Registration failed',
    'Received invalid user data from server',
  ],
  [
    'another success',
    () => HttpResponse.json(amina, { status: 202 }),
    'Registration failed',
    'Unexpected response status: 202',
  ],
  ['a network failure', () => HttpResponse.error(), 'Registration error', 'fetch failed'],
])('a registration shows %s', async (_, answer, title, description) => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/register', answer));
  await fillRegister(app);
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(description)).toBeVisible();
  expect(app.address()).toBe('/auth');
});

test('a registration may also be answered with 200', async () => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/register', () => HttpResponse.json(amina)));
  await fillRegister(app);
  expect(await screen.findByText('Registration successful')).toBeVisible();
});

test('reads Creating Account... while it waits', async () => {
  const app = renderApp('/auth', signedOut);
  server.use(http.post('*/api/register', () => new Promise<never>(() => undefined)));
  await fillRegister(app);
  expect(await screen.findByRole('button', { name: 'Creating Account...' })).toBeVisible();
});

test('stays for 300 ms after a login, so that the welcome is seen, then goes to the dashboard', async () => {
  const app = renderApp('/auth', signedOut);
  await app.user.type(await screen.findByLabelText('Email'), amina.email);
  await app.user.type(screen.getByLabelText('4-digit PIN'), '1357');
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByText('Login successful')).toBeVisible();
  expect(timers.mock.calls.filter(([, ms]) => ms === 300)).toHaveLength(1);
  expect(app.address()).toBe('/auth');
  timers.mockRestore();
  await waitFor(() => expect(app.address()).toBe('/dashboard'));
});

test('the phone field takes digits and one leading plus, at most 13 characters', async () => {
  const app = renderApp('/auth', signedOut);
  await openRegister(app);
  await app.user.type(screen.getByLabelText('Phone number'), '+2+5a571234567890');
  expect(screen.getByLabelText('Phone number')).toHaveValue('+255712345678');
});
