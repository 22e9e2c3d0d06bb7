import { act, screen, waitFor, within } from '@testing-library/react';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { formatDay } from '#shared/format/date.ts';
import { rateHistory } from '#test/admin-fixtures.ts';
import { admin, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

const open = (world: Parameters<typeof renderApp>[1] = {}) =>
  renderApp('/admin/exchange-rates', { user: admin, ...world });

async function enter(app: ReturnType<typeof open>, label: string, text: string): Promise<void> {
  const field = await screen.findByLabelText(label);
  await app.user.clear(field);
  if (text) await app.user.type(field, text);
}

async function setRates(app: ReturnType<typeof open>, buyRate: string, markup: string): Promise<void> {
  // Before the history has loaded, a change is not known to be large.
  await screen.findAllByText('Zuri Admin');
  await enter(app, 'Provider buy rate', buyRate);
  await enter(app, 'Markup percent', markup);
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
}

test('the sell rate is computed while typing, to 3 decimals, and cannot be typed', async () => {
  const app = open();
  await screen.findAllByText('Zuri Admin');
  const sellRate = screen.getByLabelText('Sell rate');
  expect(sellRate.tagName).toBe('OUTPUT');
  await enter(app, 'Markup percent', '');
  await enter(app, 'Provider buy rate', '23.5');
  expect(sellRate).toHaveTextContent('–');
  await enter(app, 'Markup percent', '2');
  expect(sellRate).toHaveTextContent('23.030');
  expect(screen.getByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.getByText('1 TZS = 0.042 KES')).toBeVisible();
  expect(screen.getByText('1,000 TZS = 41.70 KES')).toBeVisible();
});

test('the form begins with the rate in force, and shows what a change means while it is typed', async () => {
  const app = open();
  await waitFor(() => expect(screen.getByLabelText('Provider buy rate')).toHaveValue('23.5'));
  expect(screen.getByLabelText('Markup percent')).toHaveValue('2');
  expect(screen.getByText('same as now')).toBeVisible();
  await enter(app, 'Markup percent', '4');
  expect(screen.getByText('1,000 KES → 22,560 TZS')).toBeVisible();
  expect(screen.getByText('was 23,030 TZS, -2.0%')).toBeVisible();
  expect(screen.getByText('4.00%, 940 TZS of this transfer')).toBeVisible();
});

test('one rate is drawn as a line of a week', async () => {
  open({ rateHistory: [{ ...(rateHistory[0] as RateHistoryItem), createdAt: new Date().toISOString() }] });
  const chart = await screen.findByRole('img', { name: /^Buy and sell rate from/ });
  const weekAgo = formatDay(new Date(Date.now() - 7 * 86_400_000).toISOString());
  expect(chart).toHaveAccessibleName(expect.stringContaining(`from ${weekAgo} to`));
});

test.each([
  ['abc', '2', 'Invalid Input', 'Please enter valid numbers for both fields'],
  ['23.5', '', 'Invalid Input', 'Please enter valid numbers for both fields'],
  ['23.5', '101', 'Invalid Markup', 'Markup percentage must be between 0 and 100'],
  ['23.5', '-1', 'Invalid Markup', 'Markup percentage must be between 0 and 100'],
])('a buy rate of %s with a markup of %s is refused: %s', async (buyRate, markup, title, sentence) => {
  const app = open();
  await setRates(app, buyRate, markup);
  const toast = within(screen.getByRole('alert'));
  expect(await toast.findByText(title)).toBeVisible();
  expect(toast.getByText(sentence)).toBeVisible();
  expect(app.world.rateHistory).toHaveLength(4);
});

test('a small change is made at once and appears in the history', async () => {
  const app = open();
  await setRates(app, '24', '2');
  expect(await screen.findByText('Rates Updated')).toBeVisible();
  expect(screen.getByText('1 KES = 23.520 TZS from now on')).toBeVisible();
  expect(await screen.findByText('Sell Rate 23.520')).toBeVisible();
});

test('a change of more than 10 % is made only after the new rate was typed again', async () => {
  const app = open();
  await setRates(app, '30', '2');
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm a large change' }));
  const confirm = dialog.getByRole('button', { name: 'Change the rate' });
  expect(confirm).toBeDisabled();
  await app.user.type(dialog.getByLabelText('Type the new buy rate, 30, to confirm'), '23.5');
  expect(confirm).toBeDisabled();
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(app.world.rateHistory).toHaveLength(4);
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  await app.user.type(await screen.findByLabelText(/Type the new buy rate/), '30');
  await app.user.click(screen.getByRole('button', { name: 'Change the rate' }));
  expect(await screen.findByText('Rates Updated')).toBeVisible();
  expect(app.world.rateHistory).toHaveLength(5);
});

test('a rate that another administrator has set meanwhile is not replaced by the one that was shown', async () => {
  const app = open();
  await screen.findAllByText('Zuri Admin');
  await enter(app, 'Markup percent', '3');
  const [shown] = app.world.rateHistory;
  if (!shown) throw new Error('no rate in the fixtures');
  app.world.rateHistory.unshift({ ...shown, id: fixedId(7_777), buyRate: 30, sellRate: 29.4 });
  // As by polling: what is typed still belongs to the rate that was shown.
  await act(() => app.client.invalidateQueries({ queryKey: ['/api/rates/history'] }));
  expect(screen.getByLabelText('Provider buy rate')).toHaveValue(String(shown.buyRate));
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  const sentence = 'Another administrator has changed the rate. Check the new values and update again.';
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(app.world.rateHistory).toHaveLength(5);
  expect(screen.getByLabelText('Provider buy rate')).toHaveValue('30');
  expect(screen.getByLabelText('Markup percent')).toHaveValue('3');
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  expect(await screen.findByText('Rates Updated')).toBeVisible();
});

test('a rate that was set meanwhile is reported as such even if it cannot be read', async () => {
  const app = open();
  await screen.findAllByText('Zuri Admin');
  await enter(app, 'Markup percent', '3');
  server.use(
    http.post('*/api/rates/update', () => errorAnswer('changed_meanwhile', 'The rate has changed')),
    http.get('*/api/rates/history', () => errorAnswer('unavailable', 'Unavailable')),
  );
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  const sentence = 'Another administrator has changed the rate. Check the new values and update again.';
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByLabelText('Markup percent')).toHaveValue('3');
});

test.each([
  ['has not loaded yet', { silent: ['/api/rates/history'] }],
  ['cannot be loaded', { unavailable: ['/api/rates/history'] }],
])('while the history %s no rate is set, since the size of the change is unknown', async (_, world) => {
  const app = open(world);
  await enter(app, 'Provider buy rate', '235');
  await enter(app, 'Markup percent', '2');
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  expect(await screen.findByText('The current rate has not loaded yet. Please try again in a moment.')).toBeVisible();
  expect(app.world.rateHistory).toHaveLength(4);
});

test('the first rate ever is set without a confirmation', async () => {
  const app = open({ rateHistory: [] });
  await screen.findByText('No rate history available');
  await enter(app, 'Provider buy rate', '235');
  await enter(app, 'Markup percent', '2');
  await app.user.click(screen.getByRole('button', { name: 'Update rates' }));
  expect(await screen.findByText('Rates Updated')).toBeVisible();
});

test.each([
  [() => errorAnswer('forbidden', 'Only administrators may do this.'), 'Only administrators may do this.'],
  [() => new HttpResponse('', { status: 502 }), 'Failed to update rates'],
])('a failed update says why', async (answer, sentence) => {
  const app = open();
  server.use(http.post('*/api/rates/update', answer));
  await setRates(app, '24', '2');
  expect(await screen.findByText('Update Failed')).toBeVisible();
  expect(screen.getByText(sentence)).toBeVisible();
});

test('the history has its columns, newest first, with the profit margin in percent', async () => {
  widenScreen();
  open();
  await screen.findByRole('table');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Date',
    'Buy Rate',
    'Markup',
    'Sell Rate',
    'Profit Margin',
    'Updated By',
  ]);
  const [, newest] = screen.getAllByRole('row');
  expect(newest).toHaveTextContent('Jan 12, 2026, 9:30 AM23.5002.00%23.0302.00%Zuri Admin');
  expect(screen.getByRole('img', { name: /^Buy and sell rate from Jan 2, 2026 to/ })).toBeVisible();
});

test('an empty history says so, and so does one that cannot be loaded', async () => {
  const { unmount } = open({ rateHistory: [] });
  expect(await screen.findByText('No rate history available')).toBeVisible();
  unmount();
  open();
  server.use(http.get('*/api/rates/history', () => errorAnswer('unavailable', 'Rates are unavailable')));
  expect(await screen.findByText('The rate history could not be loaded')).toBeVisible();
  await waitFor(() => expect(screen.getByText('Query Error')).toBeVisible());
});
