import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { preloadPage } from '#app/routes.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { admin } from '#test/fixtures.ts';
import { goOffline, goOnline } from '#test/network.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const networkFails = () => HttpResponse.error();
/** Not found by its role: in jsdom the headings of cards appear to have that role, too. */
const findHeader = async () => {
  const wordmark = await screen.findByRole('link', { name: 'Vuka, go to the dashboard' });
  return wordmark.closest('header') as HTMLElement;
};

test('the shell has wordmark and navigation; only administrators see Admin', async () => {
  const { unmount } = renderApp('/dashboard');
  const navigation = await screen.findByRole('navigation', { name: 'Main' });
  const links = () =>
    within(screen.getByRole('navigation'))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links()).toEqual([
    ['Dashboard', '/dashboard'],
    ['Send', '/'],
    ['Profile', '/profile'],
  ]);
  expect(within(navigation).getByText('Dashboard').closest('a')).toHaveAttribute('aria-current', 'page');
  expect(within(await findHeader()).getByText('Vuka')).toBeVisible();
  unmount();
  renderApp('/send', { user: admin });
  await screen.findByRole('navigation');
  expect(links().at(-1)).toEqual(['Admin', '/admin']);
  expect(screen.getByText('Send').closest('a')).toHaveAttribute('aria-current', 'page');
});

test.each([
  ['/accounts', 'Profile'],
  ['/withdraw', 'Dashboard'],
  ['/security', 'Profile'],
  ['/statement', 'Dashboard'],
  ['/transactions', 'Dashboard'],
])('on %s the navigation marks %s', async (path, entry) => {
  renderApp(path);
  const navigation = await screen.findByRole('navigation', { name: 'Main' });
  expect(within(navigation).getByRole('link', { current: 'page' })).toHaveTextContent(entry);
});

test.each(['/admin', '/dashboard'])(
  'the content of %s, the target of the skip link, contains no navigation',
  async (path) => {
    widenScreen();
    renderApp(path, { user: admin });
    const navigation = await screen.findAllByRole('navigation');
    const main = await screen.findByRole('main');
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', `#${main.id}`);
    expect(navigation.filter((landmark) => main.contains(landmark))).toEqual([]);
    expect(await within(main).findByRole('heading', { level: 1 })).toBeVisible();
  },
);

test('a page that is already loaded renders at once, without a loading state', async () => {
  await preloadPage('/auth');
  renderApp('/auth', { user: null });
  expect(screen.getByLabelText('Email')).toBeVisible();
});

test('the header becomes fixed after 10 px of scrolling', async () => {
  renderApp('/dashboard');
  const header = await findHeader();
  const scroll = (y: number) => {
    vi.stubGlobal('scrollY', y);
    fireEvent.scroll(window);
  };
  scroll(10);
  expect(header).not.toHaveClass('fixed');
  scroll(11);
  // A page that is scrolled before it listens notices in its first frame.
  await waitFor(() => expect(header).toHaveClass('fixed'));
});

test('a network failure at the start does not sign the user out', async () => {
  const app = renderApp('/dashboard');
  server.use(http.get('*/api/user', networkFails, { once: true }));
  expect(await screen.findByText('We could not reach Vuka')).toBeVisible();
  expect(app.address()).toBe('/dashboard');
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Recent Transactions')).toBeVisible();
});

test('a network failure later keeps the user on the page', async () => {
  const app = renderApp('/profile');
  await screen.findByText('Account Type');
  server.use(http.get('*/api/user', networkFails));
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/user'] }));
  expect(screen.getByText('Account Type')).toBeVisible();
  expect(app.address()).toBe('/profile');
});

test('a session that ends while a page polls is reported and leads to the sign-in page', async () => {
  const app = renderApp('/transactions');
  await screen.findByText('Transaction History');
  await waitFor(() => expect(screen.getAllByRole('link', { name: /KES/ }).length).toBeGreaterThan(0));
  app.world.user = null;
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/transactions'] }));
  await waitFor(() => expect(app.address()).toBe('/auth?next=%2Ftransactions'));
  expect(screen.getByText('Authentication Error')).toBeVisible();
  expect(screen.getByText('Invalid credentials. Please check your username and PIN.')).toBeVisible();
});

test('one toast shows at a time, failures as alerts, and Escape closes it', async () => {
  const app = renderApp('/profile');
  await screen.findByText('Account Type');
  act(() => showToast({ title: 'First' }));
  act(() => showError('Second', 'of two'));
  expect(screen.queryByText('First')).toBeNull();
  expect(screen.getByRole('alert')).toHaveTextContent('Second');
  await app.user.keyboard('{Escape}');
  expect(screen.queryByText('Second')).toBeNull();
});

test('any other path reads Page Not Found', async () => {
  renderApp('/nowhere', { user: null });
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});

test.each(['/', '/send', '/dashboard', '/profile', '/transactions', '/transaction/x', '/admin', '/debug'])(
  '%s shows a spinner while the user is loading, and redirects a visitor without a session',
  async (path) => {
    const { unmount } = renderApp(path, { silent: ['/api/user'] });
    expect((await screen.findByText('Loading')).closest('[role=status]')).toBeVisible();
    expect(screen.queryByRole('navigation')).toBeNull();
    unmount();
    const app = renderApp(path, { user: null });
    await waitFor(() => expect(app.address()).toMatch(/^\/auth/));
    expect(await screen.findByRole('tab', { name: 'Login' })).toBeVisible();
  },
);

test('shows that the app is offline, and the time of the data on screen', async () => {
  renderApp('/dashboard');
  await screen.findByText('125,400');
  expect(screen.queryByText(/You are offline/)).toBeNull();
  goOffline();
  expect(screen.getByText(/^You are offline. Shown as of \d+:\d\d [AP]M.$/)).toBeVisible();
  goOnline();
  expect(screen.queryByText(/You are offline/)).toBeNull();
});

test.each([
  ['text', true],
  ['radio', false],
  ['checkbox', false],
])('a focused input of type %s hides the navigation: %s', (type, expected) => {
  const styles = readFileSync(join(import.meta.dirname, '../navigation.css'), 'utf8');
  const [selector = ''] = /body:has\([^{]*?(?= \.bottom-navigation)/.exec(styles) ?? [];
  const input = Object.assign(document.createElement('input'), { type });
  document.body.append(input);
  input.focus();
  expect(document.body.matches(selector)).toBe(expected);
  input.remove();
});
