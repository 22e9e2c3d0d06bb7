import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { admin } from '../../../test/fixtures.ts';
import { errorAnswer } from '../../../test/handlers.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { server } from '../../../test/setup.ts';

const open = (path: string, overrides = {}) => renderApp(path, { user: admin, ...overrides });
const dialog = async () => within(await screen.findByRole('dialog'));

test('an approver sees what is unusual, and approves once after a question', async () => {
  const app = open('/admin/withdrawals');
  const row = within((await screen.findByText('Amina Wanjiru, AMIN4821WKES')).closest('li') as HTMLElement);
  expect(row.getByText('250,000 KES')).toBeVisible();
  expect(row.getByText('3 times')).toBeVisible();
  expect(row.getByText('90,000 KES')).toBeVisible();
  await app.user.click(row.getByRole('button', { name: 'Approve' }));
  await app.user.click((await dialog()).getByRole('button', { name: 'Approve withdrawal' }));
  expect(await screen.findByText('Decision recorded')).toBeVisible();
  expect(app.world.decisions).toMatchObject([{ kind: 'approve' }]);
});

test('a refusal needs a reason', async () => {
  const app = open('/admin/withdrawals');
  await app.user.click(await screen.findByRole('button', { name: 'Refuse' }));
  const asked = await dialog();
  await app.user.click(asked.getByRole('button', { name: 'Refuse withdrawal' }));
  expect(asked.getByText('Reason is required')).toBeVisible();
  await app.user.type(asked.getByLabelText('Reason'), 'number not verified');
  await app.user.click(asked.getByRole('button', { name: 'Refuse withdrawal' }));
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toMatchObject([{ kind: 'refuse', body: { reason: 'number not verified' } }]);
});

test('the own withdrawal cannot be decided on', async () => {
  open('/admin/withdrawals');
  const row = within((await screen.findByText('Zuri Admin', { selector: 'dd' })).closest('li') as HTMLElement);
  expect(row.getByText(/another administrator has to decide/)).toBeVisible();
  expect(row.queryByRole('button')).toBeNull();
});

test('a bank withdrawal that was approved is marked as paid under the bank’s reference', async () => {
  const app = open('/admin/withdrawals');
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'pending');
  expect(await screen.findByText(/Equity Bank, 0123456789/)).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Mark as paid' }));
  const asked = await dialog();
  await app.user.type(asked.getByLabelText('Reference of the bank'), 'FT26001');
  await app.user.click(asked.getByRole('button', { name: 'Mark as paid' }));
  await screen.findByText('Decision recorded');
  expect(app.world.decisions).toMatchObject([{ kind: 'complete', body: { reference: 'FT26001' } }]);
});

test('a decision that came second says so', async () => {
  const app = open('/admin/withdrawals');
  const sentence = 'This withdrawal has been decided on already.';
  server.use(http.post('*/api/admin/withdrawals/*/approve', () => errorAnswer('already_decided', sentence)));
  await app.user.click(await screen.findByRole('button', { name: 'Approve' }));
  await app.user.click((await dialog()).getByRole('button', { name: 'Approve withdrawal' }));
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a fee is added and removed; a wrong one is told at its field', async () => {
  const app = open('/admin/fees');
  const amount = await screen.findByLabelText('From amount');
  await app.user.clear(amount);
  await app.user.type(amount, '500');
  await app.user.type(screen.getByLabelText('Below amount'), '100');
  await app.user.click(screen.getByRole('button', { name: 'Add fee' }));
  expect(await screen.findByText('Maximum amount must be greater than the minimum amount')).toBeVisible();
  await app.user.clear(screen.getByLabelText('Below amount'));
  await app.user.click(screen.getByRole('button', { name: 'Add fee' }));
  expect(await screen.findByText('Fee added')).toBeVisible();
  expect(await screen.findByText(/500 KES and more/)).toBeVisible();
  expect(app.world.fees.at(-1)).toMatchObject({ transactionType: 'transfer', maxAmount: null });
  await app.user.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
  await app.user.click((await dialog()).getByRole('button', { name: 'Remove fee' }));
  expect(await screen.findByText('Fee removed')).toBeVisible();
});
