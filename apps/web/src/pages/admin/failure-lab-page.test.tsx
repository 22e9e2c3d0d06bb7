import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { PLAY } from '#features/failure-lab/play.ts';
import { logs } from '#test/admin-fixtures.ts';
import { misbehaving } from '#test/failure-lab-fixtures.ts';
import { admin, fixedId } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { recoveryOf } from '#test/operations-fixtures.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

beforeEach(() => PLAY.set(undefined));

type World = Parameters<typeof renderApp>[1];
const PATH = '/admin/failure-lab';
const LOST = 'Pays without answer or callback';

function open(world: World = {}) {
  widenScreen();
  return renderApp(PATH, { user: admin, ...world });
}
const openGroup = (app: ReturnType<typeof open>, name: string) => app.user.click(screen.getByRole('tab', { name }));
const find = (name: string) => screen.findByRole('switch', { name });

test('every scenario says what the network does and where the money must end up', async () => {
  const app = open();
  await find(LOST);
  expect(screen.getByText('The mobile network behaves')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Switch all off' })).toBeNull();
  const answers = within(screen.getByRole('list', { name: 'Answers' }));
  const first = answers.getAllByRole('listitem')[0] as HTMLElement;
  expect(first).toHaveTextContent(/^Pays without answering.*Paid once\s*A missing answer proves nothing/);
  await openGroup(app, 'Refusals');
  const closed = screen.getByRole('switch', { name: 'The network is closed' });
  expect(closed).toHaveAccessibleDescription(/rejected with PROVIDER_TEMPORARILY_UNAVAILABLE.*Money back/);
  await openGroup(app, 'Delays');
  expect(screen.getByRole('switch', { name: 'Never finishes' })).toHaveAccessibleDescription(/Stays reserved/);
  let count = 0;
  for (const tab of screen.getAllByRole('tab')) {
    await app.user.click(tab);
    count += screen.getAllByRole('switch').length;
  }
  expect(count).toBe(44);
});

test('a failure affects the next payout, unless more payouts, a currency or a number is chosen', async () => {
  const app = open();
  await find(LOST);
  await openGroup(app, 'Refusals');
  await app.user.click(await find('The network is closed'));
  await waitFor(() => expect(app.world.failures).toMatchObject([{ scenario: 'closed', payoutsLeft: 1 }]));
  expect(await screen.findByText('On for 1 payout')).toBeVisible();
  await app.user.click(screen.getByRole('radio', { name: 'Next 10' }));
  await app.user.click(screen.getByRole('radio', { name: 'TZS' }));
  await app.user.type(screen.getByLabelText('Only to this number'), '+255 763 456 700');
  await openGroup(app, 'Answers');
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

test('one group is shown, at first the one that is on, and the index counts', async () => {
  const app = open({ ...misbehaving() });
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
  await openGroup(app, 'Refusals');
  await app.user.click(await find('The network is closed'));
  await waitFor(() => expect(app.world.failures.at(-1)).toMatchObject({ scenario: 'closed', payoutsLeft: null }));
  await openGroup(app, 'Answers (2)');
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

test('after a switch the page says what to send, then shows the transfers that met the failure, up to paid exactly once', async () => {
  const preview = { ...recoveryOf(fixedId(1001)) };
  const answered = () => HttpResponse.json(preview);
  const app = open({ logs: [] });
  server.use(http.get('*/api/admin/transactions/:id/recovery', answered));
  expect(screen.queryByRole('heading', { name: /^Watch/ })).toBeNull();
  await app.user.click(await find(LOST));
  const play = (await screen.findByRole('heading', { name: `Watch: ${LOST}` })).closest('section') as HTMLElement;
  expect(within(play).getByText(/^Send a transfer to a phone/)).toBeVisible();
  const isAt = (step: string) => within(play).getByText(step).closest('[aria-current="step"]');
  expect(isAt('Send to a phone')).not.toBeNull();
  expect(within(play).getByRole('link', { name: 'Send money' })).toHaveAttribute('href', '/');
  const [call] = logs;
  if (!call) throw new Error('no log in the fixtures');
  const before = { ...call, id: fixedId(9901), transactionId: fixedId(1004), timestamp: '2026-01-12T06:29:59.000Z' };
  const after = { ...call, id: fixedId(9902), transactionId: fixedId(1001), timestamp: '2026-01-12T06:30:01.000Z' };
  app.world.logs = [after, before];
  await act(() => app.client.invalidateQueries());
  expect(await within(play).findByText(/^Under way\. The money stays reserved/)).toBeVisible();
  expect(isAt('Watch how it ends')).not.toBeNull();
  expect(within(play).getAllByRole('status')).toHaveLength(1);
  expect(await within(play).findByText(`${call.provider} · ${call.operation}`)).toBeVisible();
  preview.transaction = { ...preview.transaction, status: 'SETTLED' };
  preview.legs = { ...preview.legs, providerPaid: 'done' };
  await act(() => app.client.invalidateQueries());
  expect(within(play).getByText(/^Under way/)).toBeVisible();
  preview.legs = { ...preview.legs, captured: 'done' };
  preview.payout = preview.payout && { ...preview.payout, requestsSent: 4 };
  await act(() => app.client.invalidateQueries());
  expect(
    await within(play).findByText('Paid exactly once. 4 requests were sent, all for the same payout.'),
  ).toBeVisible();
  // The failure was for one payout; its play stays.
  app.world.failures = [];
  await act(() => app.client.invalidateQueries());
  expect(await screen.findByText('The mobile network behaves')).toBeVisible();
  expect(within(play).getByText(/^Paid exactly once/)).toBeVisible();
});

test('a play whose transfer was refused ends with the money back', async () => {
  const preview = recoveryOf(fixedId(1001));
  preview.transaction.status = 'FAILED';
  preview.legs = { ...preview.legs, providerPaid: 'failed', captured: 'not_needed', released: 'done' };
  const [call] = logs;
  if (!call) throw new Error('no log in the fixtures');
  open({ ...misbehaving(), logs: [{ ...call, transactionId: fixedId(1001), timestamp: '2026-01-12T06:30:01.000Z' }] });
  server.use(http.get('*/api/admin/transactions/:id/recovery', () => HttpResponse.json(preview)));
  expect(await screen.findByText('Not paid, and the money is back in the wallet.')).toBeVisible();
});
