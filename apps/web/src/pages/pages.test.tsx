import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { chooseLanguage } from '#shared/i18n/i18n.ts';
import { admin, amina, fixedId, rateDays, transaction, transactions } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { ownLimits } from '#test/limit-handlers.ts';
import { goOffline, goOnline } from '#test/network.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

test('the dashboard shows both wallets, the default one marked, each with a link to send', async () => {
  const app = renderApp('/dashboard');
  const wallets = await screen.findByRole('region', { name: 'Balances' });
  expect(await within(wallets).findByText('125,400')).toBeVisible();
  expect(within(wallets).getByText('2,350,001')).toBeVisible();
  expect(within(wallets).getByRole('heading', { name: 'Kenyan Shilling' }).closest('li')).toHaveTextContent(
    'Default Currency',
  );
  expect(within(wallets).getAllByText('Default Currency')).toHaveLength(1);
  const [, toKenya] = within(wallets).getAllByRole('link', { name: 'Send Money' });
  expect(toKenya).toHaveAttribute('href', '/');
  await app.user.click(toKenya as HTMLElement);
  expect(await screen.findByLabelText('Direction')).toHaveValue('TZS_TO_KES');
});

test('two dots lead to the two wallets and show which one is in view', async () => {
  const scrollTo = vi.fn();
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(700);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
  const app = renderApp('/dashboard');
  const dots = await screen.findAllByRole('button', { name: /Shilling$/ });
  expect(dots.map((dot) => [dot.getAttribute('aria-label'), dot.getAttribute('aria-current')])).toEqual([
    ['Kenyan Shilling', 'true'],
    ['Tanzanian Shilling', 'false'],
  ]);
  const list = within(screen.getByRole('region', { name: 'Balances' })).getByRole('list');
  Object.assign(list, { scrollTo });
  await app.user.click(dots[1] as HTMLElement);
  expect(scrollTo).toHaveBeenCalledWith({ left: 340, behavior: 'smooth' });
  fireEvent.scroll(list, { target: { scrollLeft: 340 } });
  expect(screen.getByRole('button', { name: 'Tanzanian Shilling' })).toHaveAttribute('aria-current', 'true');
  vi.restoreAllMocks();
});

test('the wallets open on the one of the default currency', async () => {
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(700);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
  renderApp('/dashboard', { user: { ...amina, defaultCurrency: 'TZS' } });
  const dot = await screen.findByRole('button', { name: 'Tanzanian Shilling' });
  expect(dot).toHaveAttribute('aria-current', 'true');
  expect(within(screen.getByRole('region', { name: 'Balances' })).getByRole('list').scrollLeft).toBe(340);
  vi.restoreAllMocks();
});

test('balances that cannot be loaded say so and can be retried', async () => {
  const app = renderApp('/dashboard');
  server.use(http.get('*/api/balances', () => errorAnswer('unavailable', 'Balances are unavailable'), { once: true }));
  expect(await screen.findByText('Balances could not be loaded')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('125,400')).toBeVisible();
});

test('the dashboard hides balances on request, and remembers it', async () => {
  const app = renderApp('/dashboard');
  await screen.findByText('125,400');
  await app.user.click(screen.getAllByRole('button', { name: 'Hide balances' })[0] as HTMLElement);
  expect(screen.queryByText('125,400')).toBeNull();
  app.unmount();
  renderApp('/dashboard');
  expect((await screen.findAllByRole('button', { name: 'Show balances' })).length).toBe(2);
});

test('each wallet shows what it sent, received and paid this month; every figure opens the statement of the month', async () => {
  const app = renderApp('/dashboard');
  const month = await screen.findByRole('region', { name: 'This month, KES' });
  await within(month).findByText('1,251');
  const links = within(month).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['Sent1,251', 'Received64,596', 'Fees0']);
  for (const link of links) expect(link).toHaveAttribute('href', '/statement?from=2026-01-01&to=2026-01-12');
  expect(screen.getByRole('region', { name: 'This month, TZS' })).toBeVisible();
  await app.user.click(screen.getAllByRole('button', { name: 'Hide balances' })[0] as HTMLElement);
  expect(month).not.toHaveTextContent('64,596');
  await act(() => chooseLanguage('sw'));
  expect(month).toHaveTextContent('Mwezi huuUlizotuma•••••Ulizopokea•••••Ada•••••');
  await act(() => chooseLanguage('en'));
});

test('a wallet without movements this month shows zeros, not a gap', async () => {
  renderApp('/dashboard', { transactions: [] });
  const month = await screen.findByRole('region', { name: 'This month, KES' });
  await waitFor(() => expect(month).toHaveTextContent('This monthSent0Received0Fees0'));
});

test('a month that cannot be loaded shows dashes, and still leads to the statement', async () => {
  renderApp('/dashboard', { unavailable: ['/api/statement/this-month'] });
  const month = await screen.findByRole('region', { name: 'This month, KES' });
  await waitFor(() => expect(month).toHaveTextContent('This monthSent–Received–Fees–'));
  for (const link of within(month).getAllByRole('link')) expect(link).toHaveAttribute('href', '/statement');
});

test('offline the wallets offer neither to send nor to withdraw, until the network is back', async () => {
  const app = renderApp('/dashboard');
  const [send] = await screen.findAllByRole('link', { name: 'Send Money' });
  expect(send).not.toHaveAttribute('aria-disabled');
  goOffline();
  await waitFor(() => {
    for (const name of ['Send Money', 'Withdraw']) {
      for (const link of screen.getAllByRole('link', { name })) expect(link).toHaveAttribute('aria-disabled', 'true');
    }
  });
  await app.user.click(screen.getAllByRole('link', { name: 'Send Money' })[0] as HTMLElement);
  expect(app.address()).toBe('/dashboard');
  goOnline();
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: 'Send Money' })[0]).not.toHaveAttribute('aria-disabled'),
  );
  await app.user.click(screen.getAllByRole('link', { name: 'Send Money' })[0] as HTMLElement);
  expect(app.address()).toBe('/');
});

test('the dashboard shows the 5 latest transactions, saved recipients by name, and a link to all', async () => {
  const app = renderApp('/dashboard');
  await waitFor(() => expect(screen.getAllByRole('link', { name: /→/ })).toHaveLength(5));
  expect(screen.getByRole('link', { name: 'See All Transactions' })).toHaveAttribute('href', '/transactions');
  expect(screen.getByText('to +255 712 345 678')).toBeVisible();
  expect(await screen.findByText('to Baraka Mushi')).toBeVisible();
  expect(screen.getByText('Credit from Vuka')).toBeVisible();
  // In small letters, also on screen.
  expect(screen.getByText('processing')).not.toHaveClass('capital-first');
  expect(screen.getAllByText('settled').length).toBeGreaterThan(0);
  app.unmount();
  renderApp('/dashboard', { transactions: transactions.slice(0, 5) });
  await waitFor(() => expect(screen.getAllByRole('link', { name: /→/ })).toHaveLength(5));
  expect(screen.queryByText('See All Transactions')).toBeNull();
});

test('an empty account is led to verify its phone and email until it has', async () => {
  const app = renderApp('/dashboard', { transactions: [], ownLimits: { ...ownLimits, tier: 'unverified' } });
  const verify = await screen.findByRole('link', { name: 'Verify your phone and email' });
  expect(verify).toHaveAttribute('href', '/security');
  expect(verify).toHaveClass('bg-primary');
  expect(verify.nextElementSibling).toHaveTextContent('Send your first transfer');
  app.unmount();
  renderApp('/dashboard', { transactions: [] });
  expect(await screen.findByRole('link', { name: 'Send your first transfer' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Verify your phone and email' })).toBeNull());
});

test('the dashboard shows both rates and when they changed, or that they cannot be loaded', async () => {
  const { unmount } = renderApp('/dashboard');
  expect(await screen.findByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.getByText('1 TZS = 0.042 KES')).toBeVisible();
  expect(screen.getByText(/^Updated Jan 12, 2026, 9:30 AM/)).toBeVisible();
  unmount();
  renderApp('/dashboard');
  server.use(http.get('*/api/rates', () => errorAnswer('unavailable', 'Rates are unavailable')));
  expect(await screen.findByText('Unable to load exchange rates')).toBeVisible();
  expect(screen.getByText('Query Error')).toBeVisible();
  expect(screen.getByText('Rates are unavailable')).toBeVisible();
});

test('the rates have a line of the last thirty days with its lowest and highest rate, in words too', async () => {
  renderApp('/dashboard');
  const line = await screen.findByRole('img', {
    name: 'In the last 30 days, 1 KES was worth between 22.710 and 23.030 TZS at the end of a day',
  });
  expect(line.querySelector('path.stroke-primary')).toHaveAttribute('d', expect.stringMatching(/^M0 .*H100$/));
  expect(screen.getByText('22.710–23.030')).toBeVisible();
  expect(screen.getByText('KES → TZS: best this week')).toBeVisible();
});

test('best this week is not said of a rate that is not the best, nor while a newer rate loads', async () => {
  const app = renderApp('/dashboard', { rateDays: { ...rateDays, bestOfWeek: [] } });
  await screen.findByText('22.710–23.030');
  expect(screen.queryByText(/best this week/)).not.toBeInTheDocument();
  app.world.rateDays.bestOfWeek = ['TZS_TO_KES'];
  app.world.rates.updatedAt = '2026-01-12T07:30:00.000Z';
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/rates'], exact: true }));
  expect(await screen.findByText('TZS → KES: best this week')).toBeVisible();
  server.use(http.get('*/api/rates/days', () => new Promise<never>(() => undefined)));
  app.world.rates.updatedAt = '2026-01-12T08:30:00.000Z';
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/rates'], exact: true }));
  await waitFor(() => expect(screen.queryByText(/best this week/)).not.toBeInTheDocument());
  expect(screen.getByText('22.710–23.030')).toBeVisible();
});

test('the history has columns, colours and rows that open the receipt on a wide screen', async () => {
  widenScreen();
  const app = renderApp('/transactions');
  expect(await screen.findByRole('heading', { name: 'Transaction History' })).toBeVisible();
  const headers = (await screen.findAllByRole('columnheader')).map((header) => header.textContent);
  expect(headers).toEqual(['Date', 'Direction', 'Amount', 'Status']);
  expect(screen.getByText('Jan 12, 2026')).toBeVisible();
  expect(screen.getByText('-4,200 KES')).toHaveAttribute('data-colour', 'red');
  // What the recipient gets is below what was sent, and below neither a failed transfer nor a credit.
  expect(screen.getByRole('cell', { name: /^-4,200 KES ?96,726 TZS$/ })).toBeVisible();
  expect(screen.getByRole('cell', { name: '+50,000 KES' })).toBeVisible();
  expect(screen.getByRole('cell', { name: /^-350,000 TZS ?14,596 KES$/ })).toBeVisible();
  expect(screen.getByText('+50,000 KES')).toHaveAttribute('data-colour', 'green');
  expect(screen.getByText('FAILED')).toHaveAttribute('data-tone', 'red');
  expect(screen.getByRole('link', { name: 'Back to the dashboard' })).toHaveAttribute('href', '/dashboard');
  await app.user.click(screen.getByText('-4,200 KES'));
  expect(app.address()).toBe(`/transaction/${fixedId(1000)}`);
});

test.each(['/dashboard', '/transactions'])('%s says No transactions found', async (path) => {
  renderApp(path, { transactions: [] });
  expect(await screen.findByText('No transactions found')).toBeVisible();
});

test('a history without transactions has nothing to filter, and no statement', async () => {
  const app = renderApp('/transactions', { transactions: [] });
  expect(await screen.findByText('No transactions found')).toBeVisible();
  expect(screen.queryByLabelText('Search transactions')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Statement' })).toBeNull();
  app.unmount();
  renderApp('/transactions?q=754111', { transactions: [] });
  expect(await screen.findByText('No matches')).toBeVisible();
  expect(screen.getByLabelText('Search transactions')).toHaveValue('754111');
  expect(screen.getByRole('link', { name: 'Statement' })).toBeVisible();
});

test('the history starts with 30 and shows more on request', async () => {
  const many = Array.from({ length: 45 }, (_, index) => transaction(index));
  const app = renderApp('/transactions', { transactions: many });
  await waitFor(() => expect(screen.getAllByRole('link', { name: /→/ })).toHaveLength(30));
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(screen.getAllByRole('link', { name: /→/ })).toHaveLength(45);
});

test('the receipt shows what was sent, received, at what rate, to whom, and its progress', async () => {
  renderApp(`/transaction/${fixedId(1000)}`);
  expect(await screen.findByText('Amount Sent')).toBeVisible();
  expect(screen.getAllByText('4,200 KES').length).toBe(2);
  for (const words of [
    'Amount Received',
    '96,726 TZS',
    'Exchange Rate',
    '1 KES = 23.03 TZS',
    'Recipient Info',
    '+255 712 345 678',
    'KES → TZS',
    'PROCESSING',
  ]) {
    expect(screen.getByText(words)).toBeVisible();
  }
  expect(await screen.findByText('Money reserved. Sending it to the mobile network.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Transactions' })).toHaveAttribute('href', '/transactions');
});

test('the receipt follows the status when an event reports a change', async () => {
  const app = renderApp(`/transaction/${fixedId(1000)}`);
  expect(await screen.findByText('PROCESSING')).toBeVisible();
  app.world.transactions = app.world.transactions.map((item) =>
    item.id === fixedId(1000) ? { ...item, status: 'SETTLED' } : item,
  );
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/transactions', fixedId(1000)] }));
  expect(await screen.findByText('SETTLED')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/to come/)).toBeNull());
});

test('the receipt without a recipient reads Pending..., and accepts metadata as a JSON string', async () => {
  const answer = (metadata: unknown) => async () => {
    const receipt = {
      id: fixedId(1),
      type: 'transfer',
      created_at: '2026-01-12T09:15:00.000Z',
      updated_at: '2026-01-12T09:15:00.000Z',
      source_amount: '10.00',
      source_currency: 'KES',
      target_amount: '0.00',
      target_currency: 'TZS',
      exchange_rate: null,
      fee: '0.00',
      direction: null,
      status: 'SUCCESS',
      status_reason: null,
      metadata,
    };
    return HttpResponse.json({ transaction: receipt });
  };
  const { unmount } = renderApp(`/transaction/${fixedId(1)}`);
  server.use(http.get('*/api/transactions/:id', answer(null)));
  expect(await screen.findByText('Pending...')).toBeVisible();
  expect(screen.getByText('Rate calculation unavailable')).toBeVisible();
  unmount();
  renderApp(`/transaction/${fixedId(1)}`);
  server.use(http.get('*/api/transactions/:id', answer('{"recipientPhone":"+255700000001"}')));
  expect(await screen.findByText('+255 700 000 001')).toBeVisible();
});

test('a receipt whose date cannot be read says Date unavailable, and shows the rest', async () => {
  renderApp(`/transaction/${fixedId(1002)}`);
  server.use(
    http.get(`*/api/transactions/${fixedId(1002)}`, () =>
      HttpResponse.json({
        transaction: {
          id: fixedId(1002),
          type: 'transfer',
          created_at: 'yesterday',
          updated_at: '2026-01-12T09:15:00.000Z',
          source_amount: '10.00',
          source_currency: 'KES',
          target_amount: '230.00',
          target_currency: 'TZS',
          exchange_rate: '23',
          fee: '0.00',
          direction: 'KES_TO_TZS',
          status: 'SETTLED',
          status_reason: null,
          metadata: null,
        },
      }),
    ),
  );
  expect((await screen.findAllByText('Date unavailable'))[0]).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy transaction ID' })).toBeVisible();
});

test('an unknown receipt reads Transaction not found', async () => {
  renderApp(`/transaction/${fixedId(9)}`);
  expect(await screen.findByText('Transaction not found')).toBeVisible();
});

test('the receipt copies its id, and is shared as text by the device or the clipboard', async () => {
  const app = renderApp(`/transaction/${fixedId(1002)}`);
  await app.user.click(await screen.findByRole('button', { name: 'Copy transaction ID' }));
  expect(await screen.findByText('Transaction ID copied to clipboard')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(fixedId(1002));
  await app.user.click(screen.getByRole('button', { name: 'Share Receipt' }));
  expect(await screen.findByText('Receipt copied to clipboard')).toBeVisible();
  expect(await navigator.clipboard.readText()).toContain('14,596 KES');
  const share = vi.fn().mockResolvedValue(undefined);
  Object.assign(navigator, { share });
  await app.user.click(screen.getByRole('button', { name: 'Share Receipt' }));
  expect(share).toHaveBeenCalledWith({ title: 'Vuka receipt', text: expect.stringContaining(fixedId(1002)) });
  Object.assign(navigator, { share: undefined });
});

test('the profile shows who the user is', async () => {
  const app = renderApp('/profile');
  for (const words of [
    'Merchant ID',
    'AMIN4821WKES',
    'Account Type',
    'Merchant',
    'Amina Wanjiru',
    'amina@vuka.test',
    '+254 712 345 678',
  ]) {
    expect(await screen.findByText(words)).toBeVisible();
  }
  app.unmount();
  renderApp('/profile', { user: { ...admin, phone: '', fullName: '' } });
  for (const words of ['Administrator', 'Not provided']) expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getAllByText('admin@vuka.test')).toHaveLength(2);
  expect(screen.queryByText('Merchant ID')).toBeNull();
});

test('the profile copies the merchant ID, and leads to the history and the statement', async () => {
  const app = renderApp('/profile');
  await app.user.click(await screen.findByRole('button', { name: 'Copy merchant ID' }));
  expect(await screen.findByText('Merchant ID copied to clipboard')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('AMIN4821WKES');
  expect(screen.getByRole('link', { name: 'Transaction History' })).toHaveAttribute('href', '/transactions');
  expect(screen.getByRole('link', { name: 'Statement' })).toHaveAttribute('href', '/statement');
});

test('the profile saves the default currency', async () => {
  const app = renderApp('/profile');
  await app.user.selectOptions(await screen.findByLabelText('Default Currency'), 'TZS');
  await app.user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Profile updated')).toBeVisible();
  expect(screen.getByText('Your changes have been saved')).toBeVisible();
  expect(app.world.user?.defaultCurrency).toBe('TZS');
  await waitFor(() => expect(app.client.getQueryData(['/api/user'])).toMatchObject({ defaultCurrency: 'TZS' }));
  expect(screen.getByRole('button', { name: 'Save Changes' })).toHaveFocus();
  expect(screen.getByLabelText('Default Currency')).toHaveValue('TZS');
  server.use(http.patch('*/api/profile', () => errorAnswer('unavailable', 'Not now')));
  await app.user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Update failed')).toBeVisible();
});

test('a chosen theme is remembered; the default is the system’s', async () => {
  const app = renderApp('/profile');
  expect(await screen.findByRole('radio', { name: 'System' })).toBeChecked();
  await app.user.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('vuka.theme')).toBe('dark');
  await app.user.click(screen.getByRole('radio', { name: 'System' }));
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test('logging out says so and leads to /auth; a failure keeps the user signed in', async () => {
  const app = renderApp('/profile');
  server.use(http.post('*/api/logout', () => new HttpResponse('', { status: 500 }), { once: true }));
  await app.user.click(await screen.findByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logout failed')).toBeVisible();
  expect(screen.getByText('Logout failed. Please try again.')).toBeVisible();
  server.use(http.post('*/api/logout', () => new HttpResponse(null, { status: 204 }), { once: true }));
  await app.user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Unexpected response status: 204')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logged out')).toBeVisible();
  expect(screen.getByText('You have been successfully logged out.')).toBeVisible();
  await waitFor(() => expect(app.address()).toBe('/auth'));
});

test('the debug page shows the user and the answer of each call', async () => {
  const app = renderApp('/debug');
  expect(await screen.findByText('Auth API Debugger')).toBeVisible();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Login',
    'Register',
    'Check Session',
    'Logout',
  ]);
  await app.user.click(screen.getByRole('tab', { name: 'Check Session' }));
  await app.user.click(screen.getByRole('button', { name: 'Send request' }));
  expect(await screen.findByText('GET /api/user')).toBeVisible();
  expect(screen.getByText(/^200/)).toBeVisible();
});

test.each([
  ['Login', 'POST /api/login', '200'],
  ['Register', 'POST /api/register', '409'],
  ['Logout', 'POST /api/logout', '200'],
])('the debugger’s %s shows method, endpoint, status and answer', async (tab, endpoint, status) => {
  const app = renderApp('/debug');
  await app.user.click(await screen.findByRole('tab', { name: tab }));
  if (tab !== 'Logout') {
    await app.user.type(screen.getByLabelText('Email'), 'amina@vuka.test');
    await app.user.type(screen.getByLabelText('PIN'), '13579');
    expect(screen.getByLabelText('PIN')).toHaveValue('1357');
  }
  await app.user.click(screen.getByRole('button', { name: 'Send request' }));
  expect(await screen.findByText(endpoint)).toBeVisible();
  expect(screen.getByText(new RegExp(`^${status}`))).toBeVisible();
});
