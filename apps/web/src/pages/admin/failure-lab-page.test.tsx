import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { misbehaving } from '#test/failure-lab-fixtures.ts';
import { admin } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

type World = Parameters<typeof renderApp>[1];
const PATH = '/admin/failure-lab';
const LOST = 'Pays without answer or callback';

function open(world: World = {}) {
  widenScreen();
  return renderApp(PATH, { user: admin, ...world });
}
const find = (name: string) => screen.findByRole('switch', { name });

test('every scenario says what the network does and where the money must end up', async () => {
  open();
  await find(LOST);
  expect(screen.getAllByRole('switch')).toHaveLength(44);
  expect(screen.getByText('The mobile network behaves')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Switch all off' })).toBeNull();
  const answers = within(screen.getByRole('list', { name: 'Answers' }));
  const first = answers.getAllByRole('listitem')[0] as HTMLElement;
  expect(first).toHaveTextContent(/^Pays without answering.*Paid once\s*A missing answer proves nothing/);
  const closed = screen.getByRole('switch', { name: 'The network is closed' });
  expect(closed).toHaveAccessibleDescription(/rejected with PROVIDER_TEMPORARILY_UNAVAILABLE.*Money back/);
  expect(screen.getByRole('switch', { name: 'Never finishes' })).toHaveAccessibleDescription(/Stays reserved/);
});

test('a failure affects the next payout, unless more payouts, a currency or a number is chosen', async () => {
  const app = open();
  await app.user.click(await find('The network is closed'));
  await waitFor(() => expect(app.world.failures).toMatchObject([{ scenario: 'closed', payoutsLeft: 1 }]));
  expect(await screen.findByText('On for 1 payout')).toBeVisible();
  await app.user.click(screen.getByRole('radio', { name: 'Next 10' }));
  await app.user.click(screen.getByRole('radio', { name: 'TZS' }));
  await app.user.type(screen.getByLabelText('Only to this number'), '+255 763 456 700');
  await app.user.click(await find(LOST));
  expect(await screen.findByText('On for 10 payouts in TZS to +255 763 456 700')).toBeVisible();
  expect(app.world.failures.at(-1)).toMatchObject({
    scenario: 'silence_after_payment',
    payoutsLeft: 10,
    currency: 'TZS',
    phone: '+255763456700',
  });
  expect(screen.getByText('The mobile network misbehaves')).toBeVisible();
  expect(await find(LOST)).toBeChecked();
});

test('a narrow screen shows one group, begins with the one that is on, and counts in the index', async () => {
  const app = renderApp(PATH, { user: admin, ...misbehaving() });
  const index = await screen.findByRole('tablist', { name: 'Groups of failures' });
  const selected = within(index).getByRole('tab', { selected: true });
  expect(selected).toHaveAccessibleName('Answers (2)');
  expect(screen.getAllByRole('switch', { checked: true })).toHaveLength(2);
  expect(screen.getAllByRole('switch').length).toBeLessThan(44);
  await app.user.click(within(index).getByRole('tab', { name: 'Signatures' }));
  expect(screen.getByRole('list', { name: 'Signatures' })).toBeVisible();
  expect(screen.queryByRole('switch', { checked: true })).toBeNull();
});

test('"until switched off" has no end, and each failure is switched on its own', async () => {
  const app = open({ ...misbehaving() });
  expect(await screen.findByText('On until switched off')).toBeVisible();
  await app.user.click(screen.getByRole('radio', { name: 'All' }));
  await app.user.click(await find('The network is closed'));
  await waitFor(() => expect(app.world.failures.at(-1)).toMatchObject({ scenario: 'closed', payoutsLeft: null }));
  await app.user.click(await find(LOST));
  await waitFor(() => expect(app.world.failures.map(({ scenario }) => scenario)).toEqual(['html_503', 'closed']));
  expect(await find(LOST)).not.toBeChecked();
});

test('the top shows active failures, including those set directly on the simulator; one button switches all off', async () => {
  const app = open({ ...misbehaving() });
  expect(await screen.findByText(/^Pays without answer or callback · .* · 1 scenario was set/)).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Switch all off' }));
  expect(await screen.findByText('The mobile network behaves')).toBeVisible();
  expect(app.world).toMatchObject({ failures: [], otherFailures: 0 });
});

test('an invalid phone number is reported, and nothing is switched on until it is valid', async () => {
  const app = open();
  await find(LOST);
  const phone = screen.getByLabelText('Only to this number');
  await app.user.type(phone, '0712');
  expect(screen.queryByText('A number is like +255763456700')).toBeNull();
  await app.user.click(await find(LOST));
  expect(await screen.findByText('A number is like +255763456700')).toBeVisible();
  expect(phone).toHaveFocus();
  expect(app.world.failures).toEqual([]);
});

test('the network’s ledger is shown beside our books, with a verdict in words', async () => {
  const app = open();
  const row = await screen.findByRole('row', { name: /^TZS/ });
  expect(row).toHaveTextContent(
    'TZS3,412,800 TZS126 payouts3,412,800 TZS126 payouts23,030 TZS1 payout92,120 TZS4 payouts',
  );
  expect(screen.getByText(/^Our books and the ledger of the network agree/)).toBeVisible();
  Object.assign(app.world, misbehaving());
  await act(() => app.client.invalidateQueries());
  expect(await screen.findByText(/^The network has paid more than our books show so far/)).toBeVisible();
  Object.assign(app.world, { books: [] });
  await act(() => app.client.invalidateQueries());
  expect(await screen.findByText('Our books and the ledger of the network differ.')).toBeVisible();
  Object.assign(app.world, { books: null });
  await act(() => app.client.invalidateQueries());
  expect(await screen.findByText('Our books are unavailable at the moment.')).toBeVisible();
});

test('before the first payout the page says that there is none', async () => {
  open({ network: [], books: [] });
  expect(await screen.findByText('No payout has been made yet')).toBeVisible();
});

test('a switch that fails says why, and keeps its state', async () => {
  const app = open();
  await find(LOST);
  server.use(
    http.post('*/api/admin/failure-lab/:scenario/on', () => errorAnswer('unavailable', 'The lab is unavailable')),
  );
  await app.user.click(await find(LOST));
  expect(await screen.findByText('The simulator was not switched')).toBeVisible();
  expect(screen.getByText('The lab is unavailable')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('switch', { name: LOST })).not.toBeChecked());
});

test('a lab that cannot be loaded says so and can be retried; where there is no lab the page says why', async () => {
  const app = open({ unavailable: ['/api/admin/failure-lab'] });
  expect(await screen.findByText('The failure lab could not be loaded')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  app.unmount();
  open({ isDemo: false });
  expect(await screen.findByText('There is no failure lab here')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('the navigation has the lab only in a demonstration', async () => {
  const link = () => screen.queryByRole('link', { name: 'Failure Lab' });
  const app = open({ isDemo: false });
  await screen.findByText('There is no failure lab here');
  await waitFor(() => expect(link()).toBeNull());
  app.unmount();
  open();
  await waitFor(() => expect(link()).toHaveAttribute('href', PATH));
});
