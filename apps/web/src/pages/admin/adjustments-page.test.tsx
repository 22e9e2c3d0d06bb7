import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { admin, PIN } from '#test/fixtures.ts';
import { renderApp } from '#test/render-app.tsx';

async function open(world: object = {}) {
  const app = renderApp('/admin/adjustments', { user: admin, ...world });
  await screen.findByRole('heading', { name: 'Adjustments', level: 1 });
  return app;
}
type App = Awaited<ReturnType<typeof open>>;
const item = async (text: string) => within((await screen.findByText(text)).closest('li') as HTMLElement);
const OTHERS = 'Paid and returned on 9 January, ticket 48211';

async function decide(app: App, ask: 'Approve' | 'Refuse', reason?: string) {
  await app.user.click((await item(OTHERS)).getByRole('button', { name: ask }));
  const dialog = within(await screen.findByRole('dialog'));
  if (reason) await app.user.type(dialog.getByLabelText('Reason'), reason);
  await app.user.type(dialog.getByLabelText('Your PIN'), PIN);
  await app.user.click(dialog.getByRole('button', { name: `${ask} adjustment` }));
}

test('another administrator’s loss shows its accounts and reason, and is approved with the PIN', async () => {
  const app = await open();
  const waiting = await item(OTHERS);
  expect(waiting.getByText('23,030.50 TZS')).toBeVisible();
  expect(waiting.getByText('Losses → Float with the provider')).toBeVisible();
  await decide(app, 'Approve');
  expect(await screen.findByText('Decision recorded')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(OTHERS)).toBeNull());
  await app.user.selectOptions(screen.getByLabelText('Status'), 'approved');
  expect((await item(OTHERS)).getByText('1024')).toBeVisible();
});

test('one’s own request has no buttons', async () => {
  await open();
  const own = await item('Fees of 10 January');
  expect(own.getByText('Requested by you: another administrator has to decide on it.')).toBeVisible();
  expect(own.queryByRole('button')).toBeNull();
});

test('a refusal needs a reason, which the list shows', async () => {
  const app = await open();
  await decide(app, 'Refuse');
  expect(screen.getByText('Reason is required')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await decide(app, 'Refuse', 'the provider returns it');
  await screen.findByText('Decision recorded');
  await app.user.selectOptions(screen.getByLabelText('Status'), 'refused');
  expect(await screen.findByText('the provider returns it')).toBeVisible();
});

test('a top-up with cents is requested, and waits', async () => {
  const { user, world } = await open({ adjustments: [] });
  await user.type(screen.getByLabelText('Amount'), '1500000.25');
  await user.type(screen.getByLabelText('Reason'), 'Bank transfer 99');
  await user.type(screen.getByLabelText('Your PIN'), PIN);
  await user.click(screen.getByRole('button', { name: 'Request adjustment' }));
  expect(await screen.findByText('Adjustment waits for approval')).toBeVisible();
  expect(world.adjustments).toMatchObject([{ kind: 'float_top_up', amount: '1500000.25', from: 'payout-clearing' }]);
  expect(screen.getByLabelText('Amount')).toHaveValue('');
});

test('only a correction asks for its accounts, which cannot be the same', async () => {
  const { user, world } = await open({ adjustments: [] });
  expect(screen.queryByLabelText('From account')).toBeNull();
  await user.selectOptions(screen.getByLabelText('Kind'), 'correction');
  await user.selectOptions(screen.getByLabelText('From account'), 'fees');
  expect(within(screen.getByLabelText('To account')).queryByRole('option', { name: 'Fees earned' })).toBeNull();
  await user.selectOptions(screen.getByLabelText('To account'), 'losses');
  await user.type(screen.getByLabelText('Amount'), '10');
  await user.type(screen.getByLabelText('Reason'), 'Reverses ADJ-1');
  await user.type(screen.getByLabelText('Your PIN'), PIN);
  await user.click(screen.getByRole('button', { name: 'Request adjustment' }));
  await screen.findByText('Adjustment waits for approval');
  expect(world.adjustments).toMatchObject([{ kind: 'correction', from: 'fees', to: 'losses' }]);
});

test('an adjustment without an amount, a reason or the PIN is not sent', async () => {
  const { user, world } = await open({ adjustments: [] });
  await user.click(screen.getByRole('button', { name: 'Request adjustment' }));
  expect(screen.getByText('Reason is required')).toBeVisible();
  expect(world.adjustments).toEqual([]);
});

test('an auditor reads the adjustments, and can neither request nor decide', async () => {
  await open({ user: { ...admin, adminRole: 'auditor' } });
  expect((await item(OTHERS)).queryByRole('button')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Request adjustment' })).toBeNull();
});
