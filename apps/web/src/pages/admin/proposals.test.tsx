import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, test } from 'vitest';
import { admin, PIN } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { limitProposal, rateProposal, tierLimitProposal } from '#test/proposal-fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

type Options = Parameters<typeof renderApp>[1];
const openRates = (world: Options = {}) => renderApp('/admin/exchange-rates', { user: admin, ...world });
type App = ReturnType<typeof openRates>;

async function openSystem(world: Options = {}): Promise<App> {
  const app = renderApp('/admin/settings', { user: admin, ...world });
  await app.user.click(await screen.findByRole('tab', { name: 'System' }));
  await screen.findByLabelText('System name');
  return app;
}

/** The card of waiting proposals; it has a heading, which a toast does not have. */
const waitingCard = async () =>
  within(
    (await screen.findByRole('heading', { name: 'Waiting for another administrator' })).closest(
      'section',
    ) as HTMLElement,
  );

async function ask(app: App, decision: string) {
  const card = await waitingCard();
  await app.user.click(await card.findByRole('button', { name: decision }));
  return within(await screen.findByRole('dialog'));
}

async function decide(app: App, decision: string, confirm: string, reason?: string): Promise<void> {
  const dialog = await ask(app, decision);
  if (reason) await app.user.type(dialog.getByLabelText('Reason'), reason);
  await app.user.type(dialog.getByLabelText('Your PIN'), PIN);
  await app.user.click(dialog.getByRole('button', { name: confirm }));
}

describe('a large change of the rate', () => {
  test('is shown as waiting, stays out of the history, and has no buttons for its proposer', async () => {
    const app = openRates();
    await screen.findAllByText('Zuri Admin');
    await app.user.type(screen.getByLabelText('Provider buy rate'), '39');
    await app.user.type(screen.getByLabelText('Markup percent'), '2');
    await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
    await app.user.type(await screen.findByLabelText(/Type the new buy rate/), '39');
    await app.user.click(screen.getByRole('button', { name: 'Change the rate' }));
    expect(
      await screen.findByText(
        'The change is large. The current rate stays in force until another administrator approves it.',
      ),
    ).toBeVisible();
    expect(screen.queryByText('Rates Updated')).toBeNull();
    expect(app.world.rateHistory).toHaveLength(4);
    const card = await waitingCard();
    expect(card.getByText('Buy rate from 23.500 to 39.000')).toBeVisible();
    expect(card.getByText('Requested by you: another administrator has to decide on it.')).toBeVisible();
    expect(card.queryByRole('button', { name: 'Approve' })).toBeNull();
  });

  test('shows another administrator both directions with the difference, and needs the PIN to approve', async () => {
    const app = openRates({ rateProposals: [{ ...rateProposal }] });
    const card = await waitingCard();
    expect(await card.findByText('23.500 to 39.000 (+66.0%)')).toBeVisible();
    expect(card.getByText('23.030 to 38.220 (+66.0%)')).toBeVisible();
    expect(card.getByText('0.04170 to 0.02513 (-39.7%)')).toBeVisible();
    expect(card.getByText('Baraka Admin, ADM2')).toBeVisible();
    await decide(app, 'Approve', 'Approve the change');
    expect(await screen.findByText('Decision recorded')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Waiting for another administrator')).toBeNull());
    expect(app.world.rateProposals).toMatchObject([{ status: 'approved' }]);
  });

  test.each(['Approve', 'Refuse'])('is repeated in the dialog of "%s", which can cover the list', async (decision) => {
    const app = openRates({ rateProposals: [{ ...rateProposal }] });
    const dialog = await ask(app, decision);
    expect(dialog.getByText('Buy rate from 23.500 to 39.000')).toBeVisible();
    expect(dialog.getByText('23.030 to 38.220 (+66.0%)')).toBeVisible();
    expect(dialog.getByText('0.04170 to 0.02513 (-39.7%)')).toBeVisible();
  });

  test('is refused with a reason', async () => {
    const app = openRates({ rateProposals: [{ ...rateProposal }] });
    await decide(app, 'Refuse', 'Refuse the change');
    expect(screen.getByText('Reason is required')).toBeVisible();
    await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await decide(app, 'Refuse', 'Refuse the change', 'a slip');
    await screen.findByText('Decision recorded');
    expect(app.world.rateProposals).toMatchObject([{ status: 'refused', refusalReason: 'a slip' }]);
  });

  test('that was decided in the meantime says so', async () => {
    const app = openRates({ rateProposals: [{ ...rateProposal }] });
    const sentence = 'This proposal was replaced by a newer change.';
    server.use(http.post('*/api/admin/rate-proposals/*/approve', () => errorAnswer('already_decided', sentence)));
    await decide(app, 'Approve', 'Approve the change');
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  test('reports a list that cannot be loaded', async () => {
    openRates({ unavailable: ['/api/admin/rate-proposals'] });
    expect(await screen.findByText('The proposals could not be loaded')).toBeVisible();
  });
});

describe('a raised limit', () => {
  test('waits, while the rest is saved and the field shows the value in force', async () => {
    const app = await openSystem();
    const field = screen.getByLabelText('Deposits in 24 hours need a second administrator above (USD)');
    await app.user.clear(field);
    await app.user.type(field, '90000');
    await app.user.clear(screen.getByLabelText('System name'));
    await app.user.type(screen.getByLabelText('System name'), 'Vuka Two');
    await app.user.click(screen.getByRole('button', { name: 'Save system settings' }));
    const said =
      'The higher limits take effect once another administrator approves them. Everything else has been saved.';
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.queryByText('Settings Updated')).toBeNull();
    expect(app.world.systemSettings).toMatchObject({ systemName: 'Vuka Two', creditApprovalLimit: { USD: '75000' } });
    await waitFor(() =>
      expect(screen.getByLabelText('Deposits in 24 hours need a second administrator above (USD)')).toHaveValue(
        '75000',
      ),
    );
    const card = await waitingCard();
    expect(card.getByText('75,000 USD to 90,000 USD')).toBeVisible();
    expect(card.queryByRole('button', { name: 'Approve' })).toBeNull();
  });

  test('is approved by another administrator with the PIN', async () => {
    const app = await openSystem({ limitProposals: [{ ...limitProposal }] });
    const card = await waitingCard();
    expect(await card.findByText('2,000,000 TZS to 5,000,000 TZS')).toBeVisible();
    expect(card.getByText('10,000,000 KES to 25,000,000 KES')).toBeVisible();
    expect(card.getByText('Credits in 24 hours need a second administrator above (KES)')).toBeVisible();
    await decide(app, 'Approve', 'Approve the change');
    expect(await screen.findByText('Decision recorded')).toBeVisible();
    expect(app.world.limitProposals).toMatchObject([{ status: 'approved' }]);
  });
});

test('the dialog about higher limits of merchants names whose limits they are, and each one', async () => {
  const app = renderApp('/admin/limits', { user: admin, tierLimitProposals: [{ ...tierLimitProposal }] });
  const dialog = await ask(app, 'Approve');
  expect(dialog.getByText('Higher limits: Business, KES')).toBeVisible();
  expect(dialog.getByText('1,000,000 to 2,500,000 KES')).toBeVisible();
  expect(dialog.getByText('5,000,000 to 7,500,000 KES')).toBeVisible();
});

test('a deposit above the limit is shown as waiting and is not in the history', async () => {
  const app = renderApp('/admin/deposits', { user: admin });
  await app.user.type(await screen.findByLabelText('Amount'), '10000001');
  await app.user.type(screen.getByLabelText('Reason'), 'float');
  await app.user.type(screen.getByLabelText('Your PIN'), PIN);
  const before = app.world.deposits.length;
  await app.user.click(screen.getByRole('button', { name: 'Make deposit' }));
  expect(await screen.findByText('Deposit waits for approval')).toBeVisible();
  expect(screen.queryByText('Deposit successful')).toBeNull();
  expect(app.world.deposits).toHaveLength(before);
});

test('a deposit is on the list of large credits with its reason', async () => {
  renderApp('/admin/credit-merchant', { user: admin });
  const item = within((await screen.findByText('120,000 USD')).closest('li') as HTMLElement);
  expect(item.getByText('Deposit')).toBeVisible();
  expect(item.getByText('Float of the second quarter')).toBeVisible();
});
