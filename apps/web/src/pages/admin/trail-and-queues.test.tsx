import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { AuditEntry, AuditTrail } from '@vuka/contracts/http/audit-trail';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { fetchForExport } from '#features/audit-trail/audit-trail.api.ts';
import { admin, fixedId, PIN } from '#test/fixtures.ts';
import { createHandlers, errorAnswer } from '#test/handlers.ts';
import { auditEntries } from '#test/operations-fixtures.ts';
import { renderApp, widenScreen } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';

type World = Parameters<typeof renderApp>[1];

function open(path: string, world: World = {}) {
  widenScreen();
  return renderApp(path, { user: admin, ...world });
}

function manyEntries(count: number) {
  const [first] = auditEntries;
  if (!first) throw new Error('no audit entry in the fixtures');
  return Array.from({ length: count }, (_, index) => ({ ...first, id: fixedId(10_000 + index) }));
}

test('trail: an entry opens to who, from where, and the values before and after', async () => {
  const app = open('/admin/audit-trail');
  await app.user.click(await screen.findByRole('button', { name: /^Details: Changed the rates/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Changed the rates' }));
  expect(dialog.getByText('196.201.214.7')).toBeVisible();
  expect(dialog.getByRole('row', { name: 'buy rate 23.2 23.5' })).toBeVisible();
  expect(dialog.getByRole('row', { name: 'markup 2 2' })).toBeVisible();
});

test('a dialog closes on a click beside it, but not on a text selection that ends there', async () => {
  const app = open('/admin/audit-trail');
  await app.user.click(await screen.findByRole('button', { name: /^Details: Changed the rates/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Changed the rates' });
  fireEvent.pointerDown(within(dialog).getByText('196.201.214.7'));
  // A press on one element and a release on another click their common ancestor.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
  fireEvent.pointerDown(dialog);
  fireEvent.click(dialog);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('trail: without a filter, an empty list does not speak of filters', async () => {
  open('/admin/audit-trail', { auditEntries: [] });
  expect(await screen.findByText('No actions yet')).toBeVisible();
  expect(screen.getByText('What administrators do appears here.')).toBeVisible();
});

test('trail: filters narrow the request to the server, and are in the address', async () => {
  const app = open('/admin/audit-trail?actor=zuri');
  const chips = within(await screen.findByRole('list', { name: 'Active filters' }));
  expect(chips.getByRole('button', { name: 'Remove filter: Administrator: zuri' })).toBeVisible();
  await app.user.selectOptions(screen.getByLabelText('Action'), 'Blocked an account');
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  expect(screen.getByText('Neema Mushi')).toBeVisible();
  expect(app.address()).toBe('/admin/audit-trail?actor=zuri&action=user.blocked');
  await app.user.type(screen.getByLabelText(/^Search/), 'nobody');
  expect(await screen.findByText('No actions match')).toBeVisible();
});

test('trail: a chip removes its filter, and no other', async () => {
  const app = open('/admin/audit-trail?subject=neema&action=user.blocked&from=2026-01-01');
  const chips = within(await screen.findByRole('list', { name: 'Active filters' }));
  expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Subject: neema',
    'Blocked an account',
    'From Jan 1, 2026',
  ]);
  await app.user.click(chips.getByRole('button', { name: 'Remove filter: Blocked an account' }));
  expect(app.address()).toBe('/admin/audit-trail?subject=neema&from=2026-01-01');
});

test('trail: on a phone the filters are chosen in a sheet and applied as one', async () => {
  const app = renderApp('/admin/audit-trail', { user: admin });
  expect(await screen.findByText('Neema Mushi')).toBeVisible();
  expect(screen.queryByLabelText('Action')).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Filter' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Filter the actions' }));
  await app.user.selectOptions(sheet.getByLabelText('Action'), 'Changed the rates');
  fireEvent.change(sheet.getByLabelText('To'), { target: { value: '2026-01-31' } });
  expect(app.address()).toBe('/admin/audit-trail');
  await app.user.click(sheet.getByRole('button', { name: 'Show results' }));
  expect(app.address()).toBe('/admin/audit-trail?action=rates.updated&to=2026-01-31');
  await waitFor(() => expect(screen.queryByText('Neema Mushi')).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('trail: the keyboard opens the details of a row', async () => {
  const app = open('/admin/audit-trail');
  (await screen.findByRole('button', { name: /^Details: Blocked an account/ })).focus();
  await app.user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Blocked an account' })).toHaveTextContent('Neema Mushi');
});

test('trail: more entries come page by page', async () => {
  const app = open('/admin/audit-trail', { auditEntries: manyEntries(60) });
  await app.user.click(await screen.findByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(61));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

/** Answers exports in two long pages: with pages of the usual length the test would take too long. */
function answerLongPages(entries: readonly AuditEntry[]): void {
  server.use(
    http.get('*/api/admin/audit-trail', ({ request }) => {
      const query = new URL(request.url).searchParams;
      if (query.get('limit') === '50') return undefined;
      const start = entries.findIndex(({ id }) => id === query.get('cursor')) + 1;
      const page = entries.slice(start, start + 2_500);
      const nextCursor = start + 2_500 < entries.length ? (page.at(-1)?.id ?? null) : null;
      return HttpResponse.json<AuditTrail>({ entries: page, nextCursor });
    }),
  );
}

test('trail: an export asks for page after page', async () => {
  const entries = manyEntries(450);
  server.use(...createHandlers(createWorld({ user: admin, auditEntries: entries })));
  const exported = await fetchForExport({});
  expect(exported).toEqual({ entries, isCut: false });
});

test.each([
  [5_000, false],
  [5_001, true],
])('trail: an export of %s actions reports a truncated file: %s', async (count, isCut) => {
  const saved: Blob[] = [];
  const createObjectURL = (blob: Blob) => saved.push(blob) && 'blob:x';
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined });
  const { promise: isSaved, resolve: save } = Promise.withResolvers<void>();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(save);
  const app = open('/admin/audit-trail', { auditEntries: manyEntries(2) });
  await screen.findAllByRole('row');
  answerLongPages(manyEntries(count));
  await app.user.click(screen.getByRole('button', { name: 'Export' }));
  await isSaved;
  expect(saved).toHaveLength(1);
  const lines = (await saved[0]?.text())?.trim().split('\r\n') ?? [];
  const cut = 'The file has the newest 5,000 matching actions. Narrow the filters to export the others.';
  expect(lines).toHaveLength(5_001 + (isCut ? 1 : 0));
  expect(lines.at(-1)?.includes(cut)).toBe(isCut);
  await waitFor(() => expect(screen.queryAllByText(cut)).toHaveLength(isCut ? 1 : 0));
  vi.restoreAllMocks();
});

test.each([
  ['trail', '/admin/audit-trail', '/api/admin/audit-trail', 'The audit trail could not be loaded'],
  ['queues', '/admin/queues', '/api/admin/queues', 'The queues could not be loaded'],
  ['limits', '/admin/limits', '/api/admin/limits', 'The limits could not be loaded'],
])('%s: what cannot be loaded says so, and below it why', async (_, page, address, title) => {
  open(page, { unavailable: [address] });
  const error = (await screen.findByText(title)).closest('[role=alert]') as HTMLElement;
  expect(within(error).getByText(/^The service is temporarily/)).toBeVisible();
});

test('queues: figures are numbers, an unknown one is shown as a dash that says so, and dead messages need attention', async () => {
  open('/admin/queues');
  expect(await screen.findByRole('row', { name: /transfers.execution/ })).toHaveTextContent(
    /^transfers.executionHealthy32101.61.42$/,
  );
  expect(screen.getByRole('row', { name: /integration-log.calls/ })).toHaveTextContent(
    /Needs attention0–\D*02–\D*–\D*1/,
  );
  expect(screen.getByRole('row', { name: /gateway.live-events/ })).toHaveTextContent('Behind12,408');
  expect(screen.getAllByTitle('The message bus does not report this figure')).toHaveLength(9);
  const unrouted = within(screen.getByRole('row', { name: /vuka.unrouted/ }));
  expect(unrouted.getByText('Needs attention')).toBeVisible();
  expect(unrouted.queryByRole('button')).toBeNull();
  expect(unrouted.getAllByTitle('This queue does not keep failed messages')).toHaveLength(2);
});

test('queues: an unavailable bus is reported, and is not taken for one without queues', async () => {
  const { unmount } = open('/admin/queues', { busConnected: false, queues: [] });
  expect(await screen.findByText(/^The message bus is unavailable/)).toBeVisible();
  expect(screen.queryByText('No queues')).toBeNull();
  unmount();
  open('/admin/queues', { queues: [] });
  expect(await screen.findByText('No queues')).toBeVisible();
});

test('queues: the last known queues stay in sight while the bus is unavailable', async () => {
  open('/admin/queues', { busConnected: false });
  expect(await screen.findByText(/^The message bus is unavailable/)).toBeVisible();
  expect(screen.getByRole('row', { name: /transfers.execution/ })).toBeVisible();
});

test('queues: dead messages that the server ended say so', async () => {
  const [message] = createWorld().deadMessages;
  if (!message) throw new Error('no dead message in the fixtures');
  const app = open('/admin/queues', {
    deadMessages: Array.from({ length: 100 }, (_, index) => ({ ...message, id: fixedId(7_000 + index) })),
  });
  await app.user.click(await screen.findByRole('button', { name: 'Dead messages: integration-log.calls' }));
  expect(await screen.findByText('Only the oldest 100 are listed.')).toBeVisible();
});

test('queues: a dead message is viewed and sent again, with a reason', async () => {
  const app = open('/admin/queues');
  await app.user.click(await screen.findByRole('button', { name: 'Dead messages: integration-log.calls' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Dead messages of integration-log.calls' }));
  expect(await panel.findByText('not recorded calls')).toBeVisible();
  expect(panel.getAllByText(/"token": "\*\*\*"/)).toHaveLength(2);
  const [again] = panel.getAllByRole('button', { name: 'Send again' });
  await app.user.click(again as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Send this message again?' }));
  await app.user.click(dialog.getByRole('button', { name: 'Send again' }));
  expect(await dialog.findByText('Reason is required')).toBeVisible();
  expect(app.world.settled).toEqual([]);
  await app.user.type(dialog.getByLabelText('Reason'), 'repaired');
  await app.user.type(dialog.getByLabelText('Your PIN'), PIN);
  await app.user.click(dialog.getByRole('button', { name: 'Send again' }));
  expect(await screen.findByText('Message sent again')).toBeVisible();
  expect(app.world.settled).toEqual([{ id: fixedId(7001), to: 'requeue', reason: 'repaired' }]);
  await waitFor(() => expect(panel.queryByText('not recorded calls')).toBeNull());
});

test('queues: many dead messages are counted first, requeued with a reason, and their progress is shown', async () => {
  const app = open('/admin/queues');
  await app.user.click(await screen.findByRole('button', { name: 'Dead messages: integration-log.calls' }));
  await app.user.click(await screen.findByRole('button', { name: 'Send many again' }));
  const name = 'Send many messages of integration-log.calls again';
  const dialog = within(await screen.findByRole('dialog', { name }));
  expect(await dialog.findByText('2 messages match')).toBeVisible();
  await app.user.type(dialog.getByLabelText('Failed with'), 'too long');
  expect(await dialog.findByText('1 message matches')).toBeVisible();
  await app.user.clear(dialog.getByLabelText('Messages per second'));
  await app.user.type(dialog.getByLabelText('Messages per second'), '0');
  await app.user.click(dialog.getByRole('button', { name: 'Requeue' }));
  expect(await dialog.findByText('Enter a whole number from 1 to 500')).toBeVisible();
  expect(dialog.getByText('Reason is required')).toBeVisible();
  expect(app.world.redrives).toEqual([]);
  await app.user.type(dialog.getByLabelText('Messages per second'), '{Backspace}50');
  await app.user.type(dialog.getByLabelText('Reason'), 'the disk has room again');
  await app.user.type(dialog.getByLabelText('Your PIN'), '9753');
  await app.user.click(dialog.getByRole('button', { name: 'Requeue' }));
  expect(await dialog.findByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  await app.user.type(dialog.getByLabelText('Your PIN'), PIN);
  await app.user.click(dialog.getByRole('button', { name: 'Requeue' }));
  expect(await screen.findByText('The messages are being requeued')).toBeVisible();
  expect(app.world.redrives).toMatchObject([{ queue: 'integration-log.calls', matching: 1, perSecond: 50 }]);
  expect(await screen.findByText('0 of 1 messages')).toBeInTheDocument();
});

test('queues: a message that another administrator has already moved is reported', async () => {
  const app = open('/admin/queues');
  await app.user.click(await screen.findByRole('button', { name: 'Dead messages: integration-log.calls' }));
  const [drop] = await screen.findAllByRole('button', { name: 'Drop' });
  app.world.deadMessages = [];
  await app.user.click(drop as HTMLElement);
  await app.user.type(await screen.findByLabelText('Reason'), 'a duplicate');
  await app.user.type(screen.getByLabelText('Your PIN'), PIN);
  await app.user.click(screen.getByRole('button', { name: 'Drop message' }));
  expect(await screen.findByText('The message was not moved')).toBeVisible();
  expect(screen.getByText('This message is not in the dead-letter queue any more.')).toBeVisible();
});

test('merchant: the page has the account, both balances with held money, and the latest transactions', async () => {
  open(`/admin/merchants/${fixedId(10)}`);
  expect(await screen.findByText('JUMA7310TZKE')).toBeVisible();
  expect(screen.getByText('0 of 3 wrong attempts')).toBeVisible();
  expect(screen.getByRole('region', { name: 'KES' })).toHaveTextContent('Available20,250Held25,000Total45,250');
  expect(screen.getByRole('link', { name: 'Credit' })).toHaveAttribute(
    'href',
    '/admin/credit-merchant?merchant=JUMA7310TZKE',
  );
  const links = screen.getAllByRole('link', { name: /2026/ });
  expect(links).toHaveLength(5);
  expect(links[0]).toHaveAttribute('href', expect.stringMatching(/^\/admin\/transactions\//));
  expect(screen.getByText('Credited by an administrator')).toBeVisible();
});

test('merchant: the page has the volume of each of the last thirty days, the busier wallet first', async () => {
  const app = open(`/admin/merchants/${fixedId(10)}`);
  expect(await screen.findByRole('img', { name: 'Sent and settled per day, KES' })).toBeVisible();
  await app.user.click(screen.getByText('Show as a table'));
  const volumes = within(screen.getByRole('region', { name: 'Volume of the last 30 days' }));
  expect(volumes.getAllByRole('row')).toHaveLength(31);
  expect(volumes.getByRole('row', { name: /^Jan 3, 2026/ })).toHaveTextContent('Jan 3, 20267,500 KES350,000 TZS');
  await app.user.click(screen.getByRole('radio', { name: 'TZS' }));
  expect(screen.getByRole('img', { name: 'Sent and settled per day, TZS' })).toBeVisible();
});

test('merchant: a locked merchant is unlocked on their page', async () => {
  const app = open(`/admin/merchants/${fixedId(13)}`);
  await app.user.click(await screen.findByRole('button', { name: 'Unlock' }));
  expect(await screen.findByText('Account unlocked')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/^Locked until/)).toBeNull());
});

test('merchant: a locked merchant is shown and unlocked in the list', async () => {
  const app = open('/admin/merchants');
  expect(await screen.findByText('Locked')).toBeVisible();
  expect(screen.getByText('until Jan 12, 2026, 3:15 PM')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Unlock Otieno Odhiambo' }));
  expect(await screen.findByText('Otieno Odhiambo can try their PIN again now')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Locked')).toBeNull());
});

test('merchant: an unavailable part says so and the others are shown; an unknown merchant is not found', async () => {
  const { unmount } = open(`/admin/merchants/${fixedId(77)}`);
  expect(await screen.findByText('The merchant could not be loaded')).toBeVisible();
  expect(screen.getByText('Merchant not found')).toBeVisible();
  unmount();
  const app = open('/dashboard');
  const [merchant] = app.world.merchants;
  if (!merchant) throw new Error('no merchant in the fixtures');
  app.unmount();
  open(`/admin/merchants/${merchant.id}`);
  const answer = {
    merchant: { ...merchant, failedPinAttempts: 1, maxPinAttempts: 3 },
    balances: null,
    recentTransactions: [],
  };
  server.use(http.get('*/api/admin/merchants/:id', () => Response.json(answer)));
  expect(await screen.findAllByText(/^This part did not respond in time/)).toHaveLength(2);
  expect(screen.getByText('No transactions yet')).toBeVisible();
});

test('merchant: a click in a row of the transactions opens the journal, for roles that may read it', async () => {
  const path = `/admin/merchants/${createWorld().merchants[0]?.id}`;
  const clickRow = async (app: ReturnType<typeof open>) => {
    const [, row] = within(await screen.findByRole('region', { name: 'Recent transactions' })).getAllByRole('row');
    await app.user.click(row?.querySelector('td:last-child') as HTMLElement);
  };
  const finance = open(path, { user: { ...admin, adminRole: 'finance' } });
  await clickRow(finance);
  expect(finance.address()).toBe(path);
  finance.unmount();
  const support = open(path, { user: { ...admin, adminRole: 'support' } });
  await clickRow(support);
  expect(support.address()).toMatch(/^\/admin\/transactions\/[0-9a-f-]{36}$/);
});

test('recovery: a click in a row opens its details, except on its box and its link', async () => {
  const app = open('/admin/transaction-recovery');
  await app.user.click(await screen.findByRole('checkbox', { name: `Select ${fixedId(1001)}` }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await app.user.click(screen.getByText('25,000 KES'));
  expect(await screen.findByRole('dialog', { name: 'Before a retry' })).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Close' }));
  await app.user.click(screen.getByTitle(fixedId(1001)));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(app.address()).toBe(`/admin/transactions/${fixedId(1001)}`);
});

test('queues: on a phone a queue has only the figures that are known', async () => {
  renderApp('/admin/queues', { user: admin });
  const labels = async (name: string) => {
    const card = (await screen.findByText(name)).closest('li') as HTMLElement;
    return [...card.querySelectorAll('dt')].map(({ textContent }) => textContent);
  };
  expect(await labels('vuka.unrouted')).toEqual(['Ready', 'Consumers']);
  expect(await labels('integration-log.calls')).toEqual(['Ready', 'Retry later', 'Dead', 'Consumers']);
});

test('recovery: before a retry the dialog shows the legs, the last answer, and the provider’s status now', async () => {
  const app = open('/admin/transaction-recovery');
  await app.user.click(await screen.findByRole('button', { name: /^Details of/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Before a retry' }));
  const legs = (await dialog.findAllByRole('listitem')).map((item) => item.textContent);
  expect(legs.slice(0, 4)).toEqual([
    'The sender’s money is reservedDone',
    'The payout is recordedDone',
    'The provider was asked to payDone',
    'The provider has paidWaiting',
  ]);
  expect(dialog.getByText(/payout.initiate, answer 200$/)).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Ask the provider now' }));
  expect(await dialog.findByText('The provider says: processing')).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Transaction Retry Initiated')).toBeVisible();
});

test('recovery: an ended session is noticed at the first of several retries, and the others are not sent', async () => {
  let asked = 0;
  const app = open('/admin/transaction-recovery');
  const [first] = app.world.stuck;
  if (!first) throw new Error('no stuck transaction in the fixtures');
  app.world.stuck = [1, 2].map((n) => ({ transaction: { ...first.transaction, id: fixedId(1100 + n) } }));
  server.use(
    http.post('*/retry', () => {
      asked += 1;
      return errorAnswer('unauthenticated', 'Please sign in.');
    }),
  );
  await app.user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('2 selected')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Retry selected' }));
  await waitFor(() => expect(app.address()).toMatch(/^\/auth/));
  expect(asked).toBe(1);
});

test('recovery: several transactions are retried together, each with its own outcome', async () => {
  const app = open('/admin/transaction-recovery');
  const [first] = app.world.stuck;
  if (!first) throw new Error('no stuck transaction in the fixtures');
  app.world.stuck = [1, 2, 3].map((n) => ({ transaction: { ...first.transaction, id: fixedId(1100 + n) } }));
  const asked: string[] = [];
  server.use(
    http.post('*/api/admin/transactions/:id/retry', ({ params }) => {
      asked.push(String(params.id));
      return params.id === fixedId(1102)
        ? errorAnswer('not_retryable', 'It has ended')
        : Response.json({}, { status: 202 });
    }),
  );
  const all = await screen.findByRole('checkbox', { name: 'Select all' });
  await app.user.click(all);
  expect(screen.getByText('3 selected')).toBeVisible();
  await app.user.click(all);
  for (const box of screen.getAllByRole('checkbox', { name: /^Select \d/ })) await app.user.click(box);
  expect(all).toBeChecked();
  expect(screen.getByText('3 selected')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Retry selected' }));
  await waitFor(() => expect(screen.getAllByText(/^Retry queued \d+:\d\d [AP]M.* by you$/)).toHaveLength(2));
  expect(screen.getByText('It has ended')).toBeVisible();
  expect(asked).toEqual([fixedId(1101), fixedId(1102), fixedId(1103)]);
});

test('the trail has the amount of an action, and a click on a row opens its details', async () => {
  widenScreen();
  const app = renderApp('/admin/audit-trail', { user: admin });
  const row = (await screen.findByText('250,000 KES')).closest('tr') as HTMLElement;
  await app.user.click(within(row).getByText('250,000 KES'));
  expect(await screen.findByRole('dialog')).toHaveTextContent('DEP-20260112-7KQ2M9XA');
});

test.each([
  [5, 'text-ink3', 'text-primary'],
  [30, 'bg-warn-soft', 'ring-line'],
  [90, 'bg-bad-soft', 'ring-line'],
])(
  'a transaction of %d minutes is coloured by its age, and its Retry stays quiet until the guidelines recommend it',
  async (minutes, age, button) => {
    const createdAt = new Date(Date.now() - minutes * 60_000).toISOString();
    const stuck = createWorld().stuck.map(({ transaction }) => ({
      transaction: { ...transaction, createdAt, updatedAt: createdAt },
    }));
    renderApp('/admin/transaction-recovery', { user: admin, stuck });
    expect(await screen.findByText(`${minutes} min`)).toHaveClass(age);
    expect(screen.getByRole('button', { name: 'Retry' })).toHaveClass(button);
  },
);
