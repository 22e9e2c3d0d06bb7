import { screen, waitFor, within } from '@testing-library/react';
import type { Fee } from '@vuka/contracts/http/fees';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { admin, fixedId, PIN } from '../../../test/fixtures.ts';
import { errorAnswer } from '../../../test/handlers.ts';
import { recoveryOf } from '../../../test/operations-fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { server } from '../../../test/setup.ts';
import { createWorld } from '../../../test/world.ts';

const open = (path: string, overrides = {}) => renderApp(path, { user: admin, ...overrides });
/** Enters the PIN and presses the button of the dialog. */
async function confirm(app: ReturnType<typeof open>, button: string, pin = PIN): Promise<void> {
  const asked = await dialog();
  await app.user.type(asked.getByLabelText('Your PIN'), pin);
  await app.user.click(asked.getByRole('button', { name: button }));
}
const dialog = async () => within(await screen.findByRole('dialog'));

test('an account that was paid once before was not paid "1 times"', async () => {
  const [waiting] = createWorld().adminWithdrawals;
  open('/admin/withdrawals', { adminWithdrawals: [{ ...waiting, paidBefore: 1 }] });
  expect(await screen.findByText('1 time')).toBeVisible();
});

test('an approver sees what is unusual, and approves once after a confirmation', async () => {
  const app = open('/admin/withdrawals');
  const row = within((await screen.findByText('AMIN4821WKES')).closest('li') as HTMLElement);
  expect(row.getByText('250,000 KES')).toBeVisible();
  const links = row.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  const [waiting] = app.world.adminWithdrawals;
  expect(links).toEqual([
    ['Amina Wanjiru', `/admin/merchants/${waiting?.merchantUserId}`],
    ['Receipt', `/transaction/${waiting?.id}`],
    ['Transaction', `/admin/transactions/${waiting?.id}`],
  ]);
  expect(row.getByText('3 times')).toBeVisible();
  expect(row.getByText('90,000 KES')).toBeVisible();
  await app.user.click(row.getByRole('button', { name: 'Approve' }));
  await confirm(app, 'Approve withdrawal');
  expect(await screen.findByText('Decision recorded')).toBeVisible();
  expect(app.world.decisions).toMatchObject([{ kind: 'approve' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the fees of a withdrawal and of a transaction are shown to the cent', async () => {
  const world = createWorld();
  const { unmount } = open('/admin/withdrawals', {
    adminWithdrawals: world.adminWithdrawals.map((each) => ({ ...each, fee: '12.50' })),
  });
  expect((await screen.findAllByText('12.50 KES'))[0]).toBeVisible();
  unmount();
  const preview = recoveryOf(fixedId(1001));
  open(`/admin/transactions/${fixedId(1001)}`);
  server.use(
    http.get('*/api/admin/transactions/:id/recovery', () =>
      HttpResponse.json({ ...preview, transaction: { ...preview.transaction, fee: '12.50' } }),
    ),
  );
  expect(await screen.findByText('12.50 KES')).toBeVisible();
});

test('decided withdrawals can be paged back to the oldest', async () => {
  const { adminWithdrawals } = createWorld();
  const decided = Array.from({ length: 120 }, (_, index) => ({
    ...(adminWithdrawals[0] as (typeof adminWithdrawals)[number]),
    id: fixedId(8_000 + index),
    status: 'completed' as const,
    merchantName: `Duka ${index}`,
  }));
  const app = open('/admin/withdrawals', { adminWithdrawals: decided });
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'Completed');
  await screen.findByText('Duka 49');
  expect(screen.queryByText('Duka 50')).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByText('Duka 99');
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Duka 119')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
});

test('nothing is decided without a PIN, and a wrong one can be corrected', async () => {
  const app = open('/admin/withdrawals');
  await app.user.click(await screen.findByRole('button', { name: 'Approve' }));
  const asked = await dialog();
  await app.user.click(asked.getByRole('button', { name: 'Approve withdrawal' }));
  expect(asked.getByText('PIN must be 4 digits')).toBeVisible();
  await confirm(app, 'Approve withdrawal', '9753');
  expect(await screen.findByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  expect(asked.getByLabelText('Your PIN')).toHaveValue('');
  expect(app.world.decisions).toEqual([]);
  await confirm(app, 'Approve withdrawal');
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toHaveLength(1);
});

test('a dialog stays open while its decision is under way, so that it can say that it failed', async () => {
  const app = open('/admin/withdrawals');
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/admin/withdrawals/:id/approve', async () => {
      await answered.promise;
      return HttpResponse.error();
    }),
  );
  await app.user.click(await screen.findByRole('button', { name: 'Approve' }));
  const asked = await dialog();
  await confirm(app, 'Approve withdrawal');
  await app.user.click(asked.getByRole('button', { name: 'Close' }));
  await app.user.click(asked.getByRole('button', { name: 'Cancel' }));
  answered.resolve();
  expect(await asked.findByText(/^No answer arrived, so this may have been done already/)).toBeVisible();
  await app.user.click(asked.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refusal needs a reason', async () => {
  const app = open('/admin/withdrawals');
  await app.user.click(await screen.findByRole('button', { name: 'Refuse' }));
  const asked = await dialog();
  await app.user.click(asked.getByRole('button', { name: 'Refuse withdrawal' }));
  expect(asked.getByText('Reason is required')).toBeVisible();
  expect(asked.getByLabelText('Reason')).toHaveFocus();
  await app.user.type(asked.getByLabelText('Reason'), 'number not verified');
  await confirm(app, 'Refuse withdrawal');
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toMatchObject([{ kind: 'refuse', body: { reason: 'number not verified' } }]);
});

test('an administrator cannot decide on their own withdrawal', async () => {
  open('/admin/withdrawals');
  const row = within((await screen.findByText('Zuri Admin', { selector: 'li *' })).closest('li') as HTMLElement);
  expect(row.getByText(/another administrator has to decide/)).toBeVisible();
  expect(row.queryByRole('button')).toBeNull();
});

test('an approved bank withdrawal is marked as paid under the bank’s reference', async () => {
  const app = open('/admin/withdrawals');
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  expect(await screen.findByText(/Equity Bank, 0123456789/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'I am paying this' }));
  await app.user.click(await screen.findByRole('button', { name: 'Mark as paid' }));
  const asked = await dialog();
  await app.user.type(asked.getByLabelText('Bank reference'), 'FT26001');
  await confirm(app, 'Mark as paid');
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toMatchObject([{ kind: 'complete', body: { reference: 'FT26001' } }]);
});

test('a withdrawal that another administrator is paying offers no outcome until it is taken over', async () => {
  const app = open('/admin/withdrawals');
  const paying = app.world.adminWithdrawals.find(({ isToBePaidByHand }) => isToBePaidByHand);
  Object.assign(paying ?? {}, { payingName: 'Neema Mushi', payingSince: '2026-01-05T09:00:00.000Z', mayBePaid: true });
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  expect(await screen.findByText(/Neema Mushi has been paying this since/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'I have checked the statement: I take it' }));
  expect(await screen.findByText('You are paying this.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Mark as paid' })).toBeVisible();
});

test('a withdrawal that another administrator has just taken is left to them', async () => {
  const app = open('/admin/withdrawals');
  const paying = app.world.adminWithdrawals.find(({ isToBePaidByHand }) => isToBePaidByHand);
  const payingSince = '2026-01-05T09:00:00.000Z';
  Object.assign(paying ?? {}, { payingName: 'Neema Mushi', payingSince, mayBePaid: true, canBeTaken: false });
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  expect(await screen.findByText(/^Neema Mushi has been paying this since .* can take it over later/)).toBeVisible();
  expect(screen.queryByText('This may have been paid already')).toBeNull();
  expect(screen.queryByRole('button', { name: /I take it|I am paying this|Mark as/ })).toBeNull();
});

test('a withdrawal that another administrator takes at the same time is not taken from them', async () => {
  const app = open('/admin/withdrawals');
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  const take = await screen.findByRole('button', { name: 'I am paying this' });
  const paying = app.world.adminWithdrawals.find(({ isToBePaidByHand }) => isToBePaidByHand);
  Object.assign(paying ?? {}, { payingName: 'Neema Mushi', payingSince: '2026-01-05T09:00:00.000Z' });
  await app.user.click(take);
  expect(await screen.findByText(/^Neema Mushi is paying this withdrawal\./)).toBeVisible();
  expect(await screen.findByText(/Neema Mushi has been paying this since/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull();
});

test('a blocked merchant’s withdrawal cannot be taken, and can then be marked as failed', async () => {
  const app = open('/admin/withdrawals');
  const refusal = { code: 'forbidden', error: 'This merchant is blocked.', reason: 'withdrawal_of_blocked_account' };
  server.use(http.post('*/api/admin/withdrawals/*/take', () => HttpResponse.json(refusal, { status: 403 })));
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  await app.user.click(await screen.findByRole('button', { name: 'I am paying this' }));
  expect(await screen.findByText(/This merchant is blocked/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull();
  await app.user.click(await screen.findByRole('button', { name: 'Mark as failed' }));
  const asked = await dialog();
  await app.user.type(asked.getByLabelText('Reason'), 'a stolen account');
  await confirm(app, 'Mark as failed');
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toMatchObject([{ kind: 'fail', body: { reason: 'a stolen account' } }]);
});

test('a withdrawal that may have been paid before is taken or refused only after a comparison with the statement', async () => {
  const app = open('/admin/withdrawals');
  for (const each of app.world.adminWithdrawals) each.mayBePaid = each.accountType === 'bank';
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  expect(await screen.findByText('This may have been paid already')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'I am paying this' })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'I have checked the statement: I take it' }));
  await app.user.click(await screen.findByRole('button', { name: 'Mark as failed' }));
  const asked = await dialog();
  expect(asked.getByText(/^Only if the bank statement does not show this payment/)).toBeVisible();
  await app.user.type(asked.getByLabelText('Reason'), 'the account is closed');
  await confirm(app, 'Mark as failed');
  await screen.findByText('Decision recorded');
  const body = { reason: 'the account is closed', comparedWithStatement: true };
  expect(app.world.decisions).toMatchObject([{ kind: 'fail', body }]);
});

test('one that may have been paid before its approval is not to be refused then', async () => {
  const [waiting] = createWorld().adminWithdrawals;
  open('/admin/withdrawals', { adminWithdrawals: [{ ...waiting, mayBePaid: true }] });
  expect(await screen.findByText(/If it is there, do not refuse it: approve it/)).toBeVisible();
});

test('records that were lost since the list was loaded show as soon as the withdrawal is taken', async () => {
  const app = open('/admin/withdrawals');
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  const take = await screen.findByRole('button', { name: 'I am paying this' });
  for (const each of app.world.adminWithdrawals) each.mayBePaid = true;
  await app.user.click(take);
  expect(await screen.findByText(/^This withdrawal may have been paid already\. Compare it/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'I have checked the statement: I take it' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Mark as paid' })).toBeNull();
});

test('a decision that came second says so', async () => {
  const app = open('/admin/withdrawals');
  const sentence = 'This withdrawal has been decided already.';
  server.use(http.post('*/api/admin/withdrawals/*/approve', () => errorAnswer('already_decided', sentence)));
  await app.user.click(await screen.findByRole('button', { name: 'Approve' }));
  await confirm(app, 'Approve withdrawal');
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a fee is added and removed; an invalid one shows its error at the field', async () => {
  const app = open('/admin/fees');
  const amount = await screen.findByLabelText('From amount');
  await app.user.clear(amount);
  await app.user.type(amount, '500');
  await app.user.type(screen.getByLabelText('Below amount'), '100');
  await app.user.type(screen.getByLabelText('Your PIN'), PIN);
  await app.user.click(screen.getByRole('button', { name: 'Add fee' }));
  expect(await screen.findByText('Maximum amount must be greater than the minimum amount')).toBeVisible();
  await app.user.clear(screen.getByLabelText('Below amount'));
  await app.user.click(screen.getByRole('button', { name: 'Add fee' }));
  expect(await screen.findByText('Fee added')).toBeVisible();
  expect(await screen.findByText(/500 KES and more/)).toBeVisible();
  expect(screen.getByLabelText('Your PIN')).toHaveValue('');
  expect(app.world.fees.at(-1)).toMatchObject({ transactionType: 'transfer', maxAmount: null });
  await app.user.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
  await confirm(app, 'Remove fee');
  expect(await screen.findByText('Fee removed')).toBeVisible();
});

test('an auditor reads the fees, and gets neither the form nor a button to remove one', async () => {
  open('/admin/fees', { user: { ...admin, adminRole: 'auditor' } });
  expect((await screen.findAllByText('below 100,000 KES'))[0]).toBeVisible();
  expect(screen.queryByRole('button', { name: /Remove|Add fee/ })).toBeNull();
});

test('a fee is shown as it is charged, to the cent', async () => {
  const fee = createWorld().fees[0] as Fee;
  const withParts = (id: string, fixedFee: string, percentageFee: string): Fee => ({
    ...fee,
    id,
    fixedFee,
    percentageFee,
  });
  open('/admin/fees', {
    fees: [
      withParts('1', '30.00', '0.0000'),
      { ...withParts('2', '0.00', '1.5000'), maxAmount: null },
      { ...withParts('3', '1250.50', '2.0000'), minAmount: '500.00' },
    ],
  });
  expect(await screen.findByText('Withdrawal: 30 KES')).toBeVisible();
  expect(screen.getByText('below 100,000 KES')).toBeVisible();
  expect(screen.getByText('Withdrawal: 1.5%')).toBeVisible();
  expect(screen.getByText('any amount in KES')).toBeVisible();
  expect(screen.getByText('500 KES to below 100,000 KES')).toBeVisible();
  expect(screen.getByText('Withdrawal: 1,250.50 KES + 2%')).toBeVisible();
});
