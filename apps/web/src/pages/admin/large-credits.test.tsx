import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { admin, fixedId, PIN } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';

const open = (overrides = {}) => renderApp('/admin/credit-merchant', { user: admin, ...overrides });
type App = ReturnType<typeof open>;

const row = async (merchant: string) =>
  within((await screen.findByRole('link', { name: merchant })).closest('li') as HTMLElement);
const WAITING = 'Wanjiku Kamau';

async function decide(app: App, { ask, confirm, reason }: { ask: string; confirm: string; reason?: string }) {
  await app.user.click((await row(WAITING)).getByRole('button', { name: ask }));
  const dialog = within(await screen.findByRole('dialog'));
  if (reason) await app.user.type(dialog.getByLabelText('Reason'), reason);
  await app.user.type(dialog.getByLabelText('Your PIN'), PIN);
  await app.user.click(dialog.getByRole('button', { name: confirm }));
}

test('a credit above the limit is shown as waiting, and its requester gets no buttons in the list', async () => {
  const app = open({ largeCredits: [] });
  await app.user.type(await screen.findByLabelText('Merchant ID'), 'AMIN4821WKES');
  await app.user.type(screen.getByLabelText('Amount'), '10000001');
  await app.user.click(screen.getByRole('button', { name: /^Credit (balance|\d)/ }));
  expect(await screen.findByText('Credit waits for approval')).toBeVisible();
  expect(screen.getByText('10,000,001 KES moves to AMIN4821WKES once another administrator approves it')).toBeVisible();
  const own = await row('Amina Wanjiru');
  expect(own.getByText(/another administrator has to decide on it/)).toBeVisible();
  expect(own.queryByRole('button')).toBeNull();
});

test('credits that wait come before the form, and the list stays there when none is left', async () => {
  const app = open();
  await row(WAITING);
  const isFirst = () => {
    const [first] = screen.getAllByRole('heading', { name: /^(Credit a wallet|Large credits and deposits)$/ });
    return first?.textContent === 'Large credits and deposits';
  };
  expect(isFirst()).toBe(true);
  await decide(app, { ask: 'Approve', confirm: 'Approve credit' });
  await waitFor(() => expect(screen.queryByText(WAITING)).toBeNull());
  expect(isFirst()).toBe(true);
});

test('without waiting credits the form comes first', async () => {
  open({ largeCredits: [] });
  expect(await screen.findByText('Nothing waits for a decision')).toBeVisible();
  const [first] = screen.getAllByRole('heading', { name: /^(Credit a wallet|Large credits and deposits)$/ });
  expect(first).toHaveTextContent('Credit a wallet');
});

test('a second administrator sees who requested it, approves with the PIN, and finds the receipt among the approved', async () => {
  const app = open();
  const waiting = await row(WAITING);
  expect(waiting.getByText('25,000,000 KES')).toBeVisible();
  expect(waiting.getByText('WANJ1204KENB')).toBeVisible();
  expect(waiting.getByText('Baraka Admin, ADM2')).toBeVisible();
  const [credit] = app.world.largeCredits;
  expect(waiting.getByRole('link', { name: WAITING })).toHaveAttribute(
    'href',
    `/admin/merchants/${credit?.merchantUserId}`,
  );
  await decide(app, { ask: 'Approve', confirm: 'Approve credit' });
  expect(await screen.findByText('Decision recorded')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(WAITING)).toBeNull());
  await app.user.selectOptions(screen.getByLabelText('Status'), 'approved');
  expect((await row(WAITING)).getByRole('link', { name: 'Receipt' })).toBeVisible();
});

test('a refusal needs a reason, which the list shows', async () => {
  const app = open();
  await decide(app, { ask: 'Refuse', confirm: 'Refuse credit' });
  expect(screen.getByText('Reason is required')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await decide(app, { ask: 'Refuse', confirm: 'Refuse credit', reason: 'unknown merchant' });
  await screen.findByText('Decision recorded');
  await app.user.selectOptions(screen.getByLabelText('Status'), 'refused');
  expect(await screen.findByText('unknown merchant')).toBeVisible();
});

test('a decision that came second says so, and the list is fetched again', async () => {
  const app = open();
  const sentence = 'This credit has been decided already.';
  await row(WAITING);
  server.use(http.post('*/api/admin/credits/*/approve', () => errorAnswer('already_decided', sentence)));
  const [, own] = app.world.largeCredits;
  app.world.largeCredits = own ? [own] : [];
  await decide(app, { ask: 'Approve', confirm: 'Approve credit' });
  expect(await screen.findByText(sentence)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(WAITING)).toBeNull());
});

test('an empty list and a list that cannot be loaded say so', async () => {
  const app = open({ largeCredits: [] });
  expect(await screen.findByText('Nothing waits for a decision')).toBeVisible();
  await app.user.selectOptions(screen.getByLabelText('Status'), 'approved');
  expect(await screen.findByText('No credits or deposits here')).toBeVisible();
  server.use(http.get('*/api/admin/credits', () => errorAnswer('unavailable', 'The register is unavailable')));
  await app.user.selectOptions(screen.getByLabelText('Status'), 'refused');
  expect(await screen.findByText('The credits could not be loaded')).toBeVisible();
});

test('decided credits can be paged back to the oldest', async () => {
  const { largeCredits } = createWorld();
  const decided = Array.from({ length: 60 }, (_, index) => ({
    ...(largeCredits[0] as (typeof largeCredits)[number]),
    id: fixedId(8_000 + index),
    status: 'refused' as const,
    merchantName: `Duka ${index}`,
    merchantId: '',
  }));
  const app = open({ largeCredits: decided });
  await app.user.selectOptions(await screen.findByLabelText('Status'), 'Refused');
  await screen.findByText('Duka 49');
  await app.user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Duka 59')).toBeVisible();
});
