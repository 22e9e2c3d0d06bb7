import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { admin } from '#test/fixtures.ts';
import { rateProposal } from '#test/proposal-fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { createWorld, type World } from '#test/world.ts';

const auditor = { ...admin, adminRole: 'auditor' as const };

interface Opened {
  path: string;
  world?: Partial<World>;
  /** What the page or its dialog shows to every role that opens it. */
  shows: string | RegExp;
  /** The names of the buttons that change something. */
  actions: RegExp;
  /** Opens the dialog that has the actions. */
  press?: RegExp;
}

const { merchants } = createWorld();
const [merchant] = merchants;

const PAGES: Opened[] = [
  { path: '/admin/api-keys', shows: 'Bookkeeping', actions: /^(Issue key|Revoke .*)$/ },
  { path: '/admin/merchants', shows: merchant?.fullName ?? '', actions: /^(Block|Unblock|Unlock) / },
  {
    path: `/admin/merchants/${merchant?.id}`,
    shows: 'Balances',
    actions: /^(Block|Unblock|Unlock|Give the limits.*|Take the limits.*|Close.*|Download.*)$/,
  },
  { path: '/admin/transaction-recovery', shows: /^Details$/, actions: /^Retry/ },
  {
    path: '/admin/transaction-recovery',
    shows: 'The provider',
    actions: /^(Retry|Ask the provider now)$/,
    press: /^Details/,
  },
  {
    path: '/admin/reconciliation',
    shows: 'The provider',
    actions: /^(Compare|Assign to me|Take over|Resolve|Was paid|Was not paid)$/,
  },
  { path: '/admin/withdrawals', shows: 'Account linked', actions: /^(Approve|Refuse)$/ },
  { path: '/admin/limits', shows: 'KES', actions: /^Change: / },
  {
    path: '/admin/exchange-rates',
    world: { rateProposals: [rateProposal] },
    shows: 'Waiting for another administrator',
    actions: /^(Approve|Refuse|Update.*)$/,
  },
  { path: '/admin/credit-merchant', shows: 'Large credits and deposits', actions: /^(Approve|Refuse|Credit.*)$/ },
  {
    path: '/admin/queues',
    shows: /attempts?/,
    actions: /^(Send again|Drop|Send many again)$/,
    press: /^Dead messages/,
  },
  { path: '/admin/integration-logs', world: { logs: [] }, shows: 'No integration logs found', actions: /^Generate/ },
];

async function open({ path, world, shows, press }: Opened, user: World['user']) {
  const app = renderApp(path, { ...world, user });
  if (press) await app.user.click((await screen.findAllByRole('button', { name: press }))[0] as HTMLElement);
  await screen.findAllByText(shows);
  await waitFor(() => expect(document.querySelector('main [aria-busy="true"], main .animate-spin')).toBeNull());
}

const actionsOf = ({ actions, press }: Opened) => {
  const whole = press ? screen.getByRole('dialog') : document.body;
  return within(whole).queryAllByRole('button', { name: actions });
};

describe('a page shows an action only to roles that may do it', () => {
  test.each(PAGES)('an auditor gets none of $actions on $path', async (page) => {
    await open(page, auditor);
    expect(actionsOf(page)).toEqual([]);
  });

  test.each(PAGES)('an owner gets $actions on $path', async (page) => {
    await open(page, admin);
    await waitFor(() => expect(actionsOf(page)).not.toEqual([]));
  });
});

test('an auditor reads the settings, and can change none', async () => {
  const app = renderApp('/admin/settings', { user: auditor });
  for (const tab of ['System', 'Notifications']) {
    await app.user.click(await screen.findByRole('tab', { name: tab }));
    const fields = await screen.findAllByRole(tab === 'System' ? 'textbox' : 'switch');
    for (const field of fields) expect(field).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
  }
});

test('an auditor sees the failures of the lab, and can switch none', async () => {
  renderApp('/admin/failure-lab', { user: auditor });
  for (const each of await screen.findAllByRole('switch')) expect(each).toBeDisabled();
});
