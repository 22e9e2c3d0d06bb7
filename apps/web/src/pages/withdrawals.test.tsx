import { act, screen, waitFor, within } from '@testing-library/react';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { amina, fixedId } from '../../test/fixtures.ts';
import { errorAnswer } from '../../test/handlers.ts';
import { goOffline, goOnline } from '../../test/network.ts';
import { renderApp } from '../../test/render-app.tsx';
import { server } from '../../test/setup.ts';
import { waiting } from '../../test/withdrawal-fixtures.ts';
import { createWorld } from '../../test/world.ts';

async function confirm(app: ReturnType<typeof renderApp>, amount: string, pin = '1357') {
  await app.user.type(await screen.findByLabelText('Amount'), amount);
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.type(await screen.findByLabelText('Enter your 4-digit PIN'), pin);
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
}

test('a withdrawal shows its fee before it is confirmed, and leads to its receipt', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  expect(await screen.findByText('5,030 KES')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  expect(await screen.findByText('M-PESA, +254 712 345 678')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByText('Please enter your 4-digit PIN')).toBeVisible();
  await app.user.type(screen.getByLabelText('Enter your 4-digit PIN'), '1357');
  await app.user.dblClick(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByRole('heading', { name: 'Withdrawal on its way' })).toBeVisible();
  expect(screen.getByText(/^\+254 7\d\d \d{3} \d{3} · Fee: 30 KES$/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'View receipt' })).toHaveAttribute(
    'href',
    expect.stringMatching('/transaction/'),
  );
  expect(app.world.withdrawalsReceived).toMatchObject([{ amount: '5000', currency: 'KES', fee: '30.00' }]);
});

test('"Use all" enters the largest amount that the balance pays for with its fee', async () => {
  const app = renderApp('/withdraw', { withdrawalFee: '30.50' });
  await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
  // 125,400 KES less the fee, in whole units.
  await waitFor(() => expect(screen.getByLabelText('Amount')).toHaveValue('125,369'));
  expect(await screen.findByText('125,399.50 KES')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Withdrawal' })).toBeEnabled();
});

test('an amount typed while "Use all" waits for its fee is kept', async () => {
  const app = renderApp('/withdraw');
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.get(
      '*/api/withdrawals/price',
      async () => {
        asked.resolve();
        await answered.promise;
        return HttpResponse.json({
          currency: 'KES',
          amount: '125400.00',
          fee: '30.00',
          total: '125430.00',
          requiresApproval: true,
        });
      },
      { once: true },
    ),
  );
  await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
  await asked.promise;
  await app.user.type(screen.getByLabelText('Amount'), '700');
  answered.resolve();
  // The button is disabled until its request has ended.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Use all' })).toBeEnabled());
  expect(screen.getByLabelText('Amount')).toHaveValue('700');
});

test('the owner of the account is below it, and in the list only if two accounts look the same', async () => {
  const { world } = renderApp('/withdraw');
  const [phone, bank] = world.linkedAccounts as [LinkedAccount, LinkedAccount];
  world.linkedAccounts = [phone, bank, { ...bank, id: fixedId(7003), accountName: 'Second shop' }];
  await screen.findByLabelText('Withdraw to');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'M-PESA, +254 712 345 678',
    'Equity Bank, •••• 6789 · Wanjiru General Stores',
    'Equity Bank, •••• 6789 · Second shop',
  ]);
  expect(screen.getByText('Amina Wanjiru')).toBeVisible();
});

test('a fee with cents adds up with the amount to what is taken', async () => {
  const app = renderApp('/withdraw', { withdrawalFee: '12.50' });
  const isShown = async () => {
    expect(await screen.findByText('12.50 KES')).toBeVisible();
    expect(screen.getByText('5,012.50 KES')).toBeVisible();
  };
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await isShown();
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.type(await screen.findByLabelText('Enter your 4-digit PIN'), '1357');
  await isShown();
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByText(/Fee: 12\.50 KES$/)).toBeVisible();
});

test('back, of the page or of the device, leads from the confirmation to the form as it was', async () => {
  const app = renderApp(['/dashboard', '/withdraw']);
  await app.user.selectOptions(await screen.findByLabelText('Withdraw to'), fixedId(7002));
  await app.user.type(screen.getByLabelText('Amount'), '5000');
  const review = () => app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await review();
  await screen.findByRole('heading', { name: 'Confirm Withdrawal' });
  await app.user.type(await screen.findByLabelText('Enter your 4-digit PIN'), '13');
  await app.goBack();
  expect(app.address()).toBe('/withdraw');
  const heading = await screen.findByRole('heading', { name: 'Withdraw' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByLabelText('Amount')).toHaveValue('5,000');
  expect(screen.getByLabelText('Withdraw to')).toHaveValue(fixedId(7002));
  await review();
  expect(await screen.findByLabelText('Enter your 4-digit PIN')).toHaveValue('');
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByLabelText('Amount')).toHaveValue('5,000');
  await app.goBack();
  expect(app.address()).toBe('/dashboard');
});

test('after a withdrawal, back leaves the page instead of confirming again', async () => {
  const app = renderApp(['/dashboard', '/withdraw']);
  await confirm(app, '5000');
  expect(await screen.findByRole('heading', { name: 'Withdrawal on its way' })).toHaveFocus();
  await app.goBack();
  expect(app.address()).toBe('/dashboard');
});

test('one that needs approval says so before and after', async () => {
  const app = renderApp('/withdraw');
  await confirm(app, '110000');
  expect(await screen.findByRole('heading', { name: 'Withdrawal waiting for approval' })).toBeVisible();
});

test('an amount that exceeds the balance with its fee cannot be reviewed', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '125390');
  expect(await screen.findByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Withdrawal' })).toBeDisabled();
});

test('nothing is reviewed while offline', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  const review = screen.getByRole('button', { name: 'Review Withdrawal' });
  expect(review).toBeEnabled();
  goOffline();
  expect(review).toBeDisabled();
  goOnline();
  expect(review).toBeEnabled();
});

test('a price that cannot be loaded is asked for again, in a card', async () => {
  const app = renderApp('/withdraw', { unavailable: ['/api/withdrawals/price'] });
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  const failure = await screen.findByText('The price could not be loaded');
  expect(failure.closest('section')).toHaveClass('bg-surface');
});

test('a typed decimal point is reported as ignored', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '50.5');
  expect(screen.getByText('Whole amounts only: this reads 505 KES')).toBeVisible();
});

test('an unanswered withdrawal keeps its id until there is an outcome', async () => {
  const app = renderApp('/withdraw');
  const ids: string[] = [];
  server.use(
    http.post('*/api/withdrawals', async ({ request }) => {
      ids.push(((await request.json()) as { clientTransactionId: string }).clientTransactionId);
      return HttpResponse.error();
    }),
  );
  await confirm(app, '700');
  expect(await screen.findByText(/^No answer arrived/)).toBeVisible();
  await app.user.type(screen.getByLabelText('Enter your 4-digit PIN'), '1357');
  server.use(
    http.post('*/api/withdrawals', async ({ request }) => {
      ids.push(((await request.json()) as { clientTransactionId: string }).clientTransactionId);
      return errorAnswer('insufficient_funds', 'Amount exceeds available balance');
    }),
  );
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByText('Amount exceeds available balance')).toBeVisible();
  await app.user.type(screen.getByLabelText('Enter your 4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  await screen.findByText('Withdrawal failed');
  expect(ids[0]).toBe(ids[1]);
  await expect.poll(() => ids.length).toBe(3);
  expect(ids[2]).not.toBe(ids[1]);
});

test('an unanswered withdrawal can be confirmed again although the balance already lacks its money', async () => {
  const app = renderApp('/withdraw');
  server.use(http.post('*/api/withdrawals', () => HttpResponse.error(), { once: true }));
  await confirm(app, '700');
  expect(await screen.findByText(/^No answer arrived/)).toBeVisible();
  app.world.balances = { ...app.world.balances, balances: { ...app.world.balances.balances, KES: '100.00' } };
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/balances'] }));
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  expect(await screen.findByText(/^No answer arrived/)).toBeVisible();
  await app.user.type(screen.getByLabelText('Enter your 4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByText('Withdrawal on its way')).toBeVisible();
});

test('a withdrawal whose page was left before its answer is announced', async () => {
  const app = renderApp('/withdraw');
  const gate = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/withdrawals', async () => {
      await gate.promise;
    }),
  );
  await confirm(app, '700');
  await app.user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await screen.findByText('Recent Transactions');
  gate.resolve();
  expect(await screen.findByText('Withdrawal on its way')).toBeVisible();
  expect(screen.getByRole('link', { name: 'View receipt' })).toBeVisible();
});

test('a repeat that finds the withdrawal failed says so', async () => {
  const app = renderApp('/withdraw');
  server.use(http.post('*/api/withdrawals', () => HttpResponse.error(), { once: true }));
  await confirm(app, '700');
  expect(await screen.findByText(/^No answer arrived/)).toBeVisible();
  const statusReason = 'The mobile network refused this transfer. Your money is back in your wallet.';
  const withdrawal = { ...waiting, status: 'failed', statusReason };
  server.use(http.post('*/api/withdrawals', () => HttpResponse.json({ withdrawal })));
  await app.user.type(screen.getByLabelText('Enter your 4-digit PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByRole('heading', { name: 'Withdrawal failed' })).toBeVisible();
  expect(screen.getByText(`${statusReason} You sent this before. It was received only once.`)).toBeVisible();
});

test('a changed fee is shown and has to be confirmed with the PIN again', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await screen.findByText('5,030 KES');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.type(await screen.findByLabelText('Enter your 4-digit PIN'), '1357');
  app.world.withdrawalFee = '45.00';
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByText('5,045 KES')).toBeVisible();
  expect(screen.getByLabelText('Enter your 4-digit PIN')).toHaveValue('');
});

test('the reviewed account is the one that is confirmed, even if the order of the list changes', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.type(await screen.findByLabelText('Enter your 4-digit PIN'), '1357');
  app.world.linkedAccounts.reverse();
  await act(() => app.client.refetchQueries({ queryKey: ['/api/linked-accounts'] }));
  expect(screen.getByText('M-PESA, +254 712 345 678')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  expect(await screen.findByRole('heading', { name: 'Withdrawal on its way' })).toBeVisible();
  expect(app.world.withdrawalsReceived).toMatchObject([{ linkedAccountId: fixedId(7001) }]);
});

test('a removed account cannot be confirmed, nor is another one confirmed in its place', async () => {
  const app = renderApp('/withdraw');
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await screen.findByLabelText('Enter your 4-digit PIN');
  app.world.linkedAccounts.shift();
  await act(() => app.client.refetchQueries({ queryKey: ['/api/linked-accounts'] }));
  await waitFor(() => expect(screen.queryByLabelText('Enter your 4-digit PIN')).toBeNull());
  expect(screen.getByLabelText('Amount')).toHaveValue('5,000');
});

test('a wrong PIN is reported at the field', async () => {
  const app = renderApp('/withdraw');
  await confirm(app, '500', '9999');
  expect(await screen.findAllByText('Invalid PIN. 2 attempts left.')).not.toHaveLength(0);
  expect(screen.getByLabelText('Enter your 4-digit PIN')).toHaveAttribute('aria-invalid', 'true');
});

test('without an account there is a link to the form that adds one', async () => {
  const app = renderApp('/withdraw', { linkedAccounts: [] });
  await app.user.click(await screen.findByRole('link', { name: 'Link an account' }));
  expect(app.address()).toBe('/accounts');
  expect(await screen.findByLabelText('Name on the account')).toBeVisible();
  await app.goBack();
  await app.goForward();
  expect(app.address()).toBe('/accounts');
  expect(await screen.findByText('No accounts yet')).toBeVisible();
});

const openForm = async (app: ReturnType<typeof renderApp>) =>
  app.user.click(await screen.findByRole('button', { name: 'Link an account' }));

/** Opens the page of a user without accounts, and on it the form for the first one. */
async function openFirst(overrides: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp('/accounts', { linkedAccounts: [], ...overrides });
  await openForm(app);
  return app;
}

test('the form for another account opens at a press, in place of the accounts, and gives the focus back', async () => {
  const app = renderApp('/accounts');
  expect(await screen.findByText('Wanjiru General Stores')).toBeVisible();
  expect(screen.queryByLabelText('Name on the account')).toBeNull();
  await openForm(app);
  expect(screen.queryByText('Wanjiru General Stores')).toBeNull();
  expect(screen.getByRole('radio', { name: 'Mobile money' })).toHaveFocus();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('Wanjiru General Stores')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Link an account' })).toHaveFocus();
});

test('a phone is linked with the PIN, and its number may be typed in local format', async () => {
  const app = await openFirst();
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  expect(await screen.findByText('Account name must be at least 3 characters')).toBeVisible();
  await app.user.type(screen.getByLabelText('Name on the account'), 'Amina Wanjiru');
  await app.user.type(screen.getByLabelText('Phone number'), '0722 000 111');
  await app.user.type(screen.getByLabelText('Your PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  expect(await screen.findByText('Account linked')).toBeVisible();
  expect(await screen.findByText('M-PESA, +254 722 000 111')).toBeVisible();
});

test('the form stays while the account is being linked, and then gives way to the list that has it', async () => {
  const app = await openFirst();
  const gate = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/linked-accounts', async () => {
      await gate.promise;
    }),
  );
  await app.user.type(screen.getByLabelText('Name on the account'), 'Amina Wanjiru');
  await app.user.type(screen.getByLabelText('Phone number'), '722000111');
  await app.user.type(screen.getByLabelText('Your PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByLabelText('Name on the account')).toHaveValue('Amina Wanjiru');
  gate.resolve();
  expect(await screen.findByText('Account linked')).toBeVisible();
  expect(screen.queryByText('No accounts yet')).toBeNull();
  expect(screen.getByText('M-PESA, +254 722 000 111')).toBeVisible();
});

test.each(['paste', 'type'] as const)(
  'a number with its country code (%s) links the phone of that country',
  async (how) => {
    const app = await openFirst();
    await app.user.type(await screen.findByLabelText('Name on the account'), 'Amina Wanjiru');
    expect(screen.getByLabelText('Country')).toHaveValue('KE');
    await app.user.click(screen.getByLabelText('Phone number'));
    if (how === 'paste') await app.user.paste('+255 763 456 700');
    else await app.user.keyboard('+255763456700');
    expect(screen.getByLabelText('Country')).toHaveValue('TZ');
    expect(screen.getByText('+255')).toBeVisible();
    expect(screen.getByLabelText('Phone number')).toHaveDisplayValue('763 456 700');
    expect(screen.getByLabelText('Carrier')).toHaveValue('M-Pesa');
    await app.user.type(screen.getByLabelText('Your PIN'), '1357');
    await app.user.click(screen.getByRole('button', { name: 'Link account' }));
    expect(await screen.findByText('M-Pesa, +255 763 456 700')).toBeVisible();
  },
);

test('a number with too few digits after its country code is not linked', async () => {
  const app = await openFirst();
  await app.user.type(await screen.findByLabelText('Phone number'), '+255763456');
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  expect(await screen.findByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
});

test('the number of a country without wallets keeps its plus while it is typed, and is not linked', async () => {
  const app = await openFirst();
  await app.user.type(await screen.findByLabelText('Phone number'), '+256772123456');
  expect(screen.getByLabelText('Phone number')).toHaveValue('+256 772 123 456');
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  expect(await screen.findByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
});

test.each([
  ['+255763456700', 'TZS', 'TZ'],
  ['+254712345678', 'TZS', 'KE'],
  ['0763456700', 'TZS', 'TZ'],
] as const)('a user with the phone %s and the default currency %s starts with the country %s', async (...given) => {
  const [phone, defaultCurrency, country] = given;
  await openFirst({ user: { ...amina, phone, defaultCurrency } });
  expect(await screen.findByLabelText('Country')).toHaveValue(country);
  expect(screen.getByLabelText('Carrier')).toHaveValue(country === 'TZ' ? 'M-Pesa' : 'M-PESA');
});

test('a bank account is linked, and a whole account number is never shown', async () => {
  const app = await openFirst();
  await app.user.click(await screen.findByRole('radio', { name: 'Bank' }));
  await app.user.type(screen.getByLabelText('Name on the account'), 'Amina Wanjiru');
  await app.user.type(screen.getByLabelText('Bank name'), 'CRDB Bank');
  await app.user.type(screen.getByLabelText('Account number'), '0152233445');
  await app.user.type(screen.getByLabelText('SWIFT code (optional)'), 'corutztz');
  await app.user.type(screen.getByLabelText('Your PIN'), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  expect(await screen.findByText('CRDB Bank, •••• 3445')).toBeVisible();
  expect(app.world.linkedAccounts).toMatchObject([{ bank: { swiftCode: 'CORUTZTZ', branchCode: null } }]);
});

test('an account is made the default, and removed after a confirmation', async () => {
  const app = renderApp('/accounts');
  await app.user.click(await screen.findByRole('button', { name: 'Make default: Wanjiru General Stores' }));
  expect(await screen.findByText('Default changed')).toBeVisible();
  await app.user.click(await screen.findByRole('button', { name: 'Remove Wanjiru General Stores' }));
  const dialog = within(await screen.findByRole('dialog'));
  await app.user.click(dialog.getByRole('button', { name: 'Remove account' }));
  expect(await screen.findByText('Account removed')).toBeVisible();
  expect(screen.queryByText('Wanjiru General Stores')).toBeNull();
});

test('an account that was linked without an answer, and removed, can be linked again', async () => {
  const app = renderApp('/accounts', { linkedAccounts: [] });
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/linked-accounts', ({ request }) => {
      keys.push(request.headers.get('idempotency-key'));
      if (keys.length > 1) return undefined;
      const [linked] = createWorld().linkedAccounts;
      app.world.linkedAccounts = linked ? [linked] : [];
      return HttpResponse.error();
    }),
  );
  const link = async () => {
    await openForm(app);
    await app.user.type(screen.getByLabelText('Name on the account'), 'Amina Wanjiru');
    await app.user.type(screen.getByLabelText('Phone number'), '712345678');
    await app.user.type(screen.getByLabelText('Your PIN'), '1357');
    await app.user.click(screen.getByRole('button', { name: 'Link account' }));
  };
  await link();
  expect(await screen.findByText('The account was not linked')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await app.user.click(await screen.findByRole('button', { name: 'Remove Amina Wanjiru' }));
  await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove account' }));
  expect(await screen.findByText('Account removed')).toBeVisible();
  await link();
  expect(await screen.findByText('Account linked')).toBeVisible();
  expect(keys[1]).not.toBe(keys[0]);
});

test('accounts that cannot be loaded can be retried', async () => {
  renderApp('/accounts', { unavailable: ['/api/linked-accounts'] });
  expect(await screen.findByText('Your accounts could not be loaded')).toBeVisible();
});

test.each(['/dashboard', '/profile'])('%s links to withdrawals', async (path) => {
  renderApp(path);
  const [link] = await screen.findAllByRole('link', { name: /^Withdraw/ });
  expect(link).toHaveAttribute('href', '/withdraw');
});
