import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { chooseLanguage } from '#shared/i18n/i18n.ts';
import { admin, fixedId, PIN } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { heldException, run } from '#test/reconciliation-fixtures.ts';
import { renderApp } from '#test/render-app.tsx';
import { server } from '#test/setup.ts';

async function open(world: object = {}) {
  const app = renderApp('/admin/reconciliation', { user: admin, ...world });
  await screen.findByRole('heading', { name: 'Reconciliation', level: 1 });
  return app;
}

test('differences are shown with both sides, and days without differences as agreeing', async () => {
  await open();
  const item = (await screen.findByText('Paid, though it failed in our books')).closest('li') as HTMLElement;
  expect(item).toHaveTextContent(/^23,030 TZS Paid, though it failed in our books/);
  expect(within(item).getByText('Our books').parentElement).toHaveTextContent(/23,030 TZS\+255 763 456 700failed$/);
  expect(within(item).getByText('Neema Mrema is working on it. Ask before you take it over.')).toBeVisible();
  expect(within(item).getByRole('link', { name: 'Receipt' })).toBeVisible();
  expect(screen.getAllByText('Agrees')).toHaveLength(2);
  expect(screen.getByText('The statement of TZS took too long')).toBeVisible();
});

test('resolved differences are folded away below the open ones', async () => {
  const { user, unmount } = await open();
  const note = await screen.findByText(/The provider rounded up and paid the difference/);
  expect(note).not.toBeVisible();
  await user.click(screen.getByText('1 resolved'));
  expect(note).toBeVisible();
  expect(screen.queryByText('Every difference is resolved.')).toBeNull();
  unmount();
  await open({ exceptions: [{ ...heldException, state: 'resolved', resolvedAt: heldException.lastSeenAt }] });
  expect(await screen.findByText('Every difference is resolved.')).toBeVisible();
});

test('states of the books and of the provider are shown in the user’s language', async () => {
  await chooseLanguage('sw');
  renderApp('/admin/reconciliation', { user: admin });
  expect(await screen.findByText('yameshindikana')).toBeVisible();
  await chooseLanguage('en');
});

test('a reconciliation without differences says so', async () => {
  await open({ exceptions: [], reconciliations: [] });
  expect(await screen.findByText(/No differences/)).toBeVisible();
  expect(screen.getByText('No day has been compared yet')).toBeVisible();
});

test('reconciliations that cannot be loaded are reported once, and a day can still be compared', async () => {
  await open({ unavailable: ['/api/admin/reconciliation'] });
  expect(await screen.findByText('The reconciliations could not be loaded')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Compare' })).toBeVisible();
});

test('a comparison shows the figures that it has: one that failed shows its reason and no figures', async () => {
  await open({
    reconciliations: [
      run(1, { lines: 1_285, matched: 1_283, waiting: null, differences: 2 }),
      run(2, { state: 'failed', lines: null, matched: null, waiting: null, differences: null, error: 'no statement' }),
    ],
  });
  const [differing, failed] = within(await screen.findByRole('list', { name: 'Comparisons' })).getAllByRole('listitem');
  expect(differing).toHaveTextContent(/Differs\s*Payments 1,285 · Matched 1,283 · Differences 2\s*Daily$/);
  expect(failed).toHaveTextContent(/Not compared\s*No statement\s*Daily$/);
});

test('exceptions that the server ended say so', async () => {
  const exceptions = Array.from({ length: 200 }, (_, index) => ({ ...heldException, id: fixedId(9_000 + index) }));
  await open({ exceptions });
  expect(await screen.findByText('Only the first 200 are listed.')).toBeVisible();
});

test('no comparison is requested without a day', async () => {
  const { user } = await open();
  await user.clear(screen.getByLabelText('Day'));
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(screen.getByText('Dates must be written as YYYY-MM-DD')).toBeVisible();
});

test('an exception is taken, and resolved with a note and the PIN', async () => {
  const { user, world } = await open();
  await user.click(await screen.findByRole('button', { name: 'Assign to me' }));
  expect(await screen.findByText('Administrator is working on it')).toBeVisible();
  await user.click(screen.getAllByRole('button', { name: 'Resolve' })[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Resolve exception' }));
  expect(within(dialog).getByText('Please write what was found and done')).toBeVisible();
  await user.type(within(dialog).getByLabelText('Note'), 'The token had leaked; replaced.');
  await user.type(within(dialog).getByLabelText('Your PIN'), PIN);
  await user.click(within(dialog).getByRole('button', { name: 'Resolve exception' }));
  expect(await screen.findByText('Exception resolved')).toBeVisible();
  expect(world.exceptions[0]).toMatchObject({ state: 'resolved', note: 'The token had leaked; replaced.' });
});

test('an exception that another administrator works on is resolved only after it was taken over from them', async () => {
  const { user, world } = await open();
  const item = (await screen.findByText('Paid, though it failed in our books')).closest('li') as HTMLElement;
  expect(within(item).queryByRole('button', { name: 'Resolve' })).toBeNull();
  await user.click(within(item).getByRole('button', { name: 'Take over' }));
  const carer = await within(item).findByText('Administrator is working on it');
  await waitFor(() => expect(carer.parentElement).toHaveFocus());
  expect(within(item).queryByRole('button', { name: 'Take over' })).toBeNull();
  expect(within(item).getByRole('button', { name: 'Resolve' })).toBeVisible();
  expect(world.exceptions[1]).toMatchObject({ isOwnedByCaller: true });
});

test('an exception whose owner has changed meanwhile is not taken over', async () => {
  const { user, world } = await open();
  const item = (await screen.findByText('Paid, though it failed in our books')).closest('li') as HTMLElement;
  Object.assign(world.exceptions[1] ?? {}, { owner: 'Baraka Mushi', ownerId: 'ADM3' });
  await user.click(within(item).getByRole('button', { name: 'Take over' }));
  expect(
    await screen.findByText('Baraka Mushi is working on this exception. Ask before you take it over.'),
  ).toBeVisible();
  expect(world.exceptions[1]).toMatchObject({ ownerId: 'ADM3' });
});

test('a failed attempt to resolve an exception is explained in the dialog, which keeps the note', async () => {
  const { user, world } = await open();
  await user.click((await screen.findAllByRole('button', { name: 'Resolve' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  const note = dialog.getByLabelText('Note');
  const pin = dialog.getByLabelText('Your PIN');
  const confirm = async (typed: string) => {
    await user.type(pin, typed);
    await user.click(dialog.getByRole('button', { name: 'Resolve exception' }));
  };
  await user.type(note, 'The token had leaked; replaced.');
  await confirm('9753');
  expect(await dialog.findByText('Invalid PIN. 2 attempts left.')).toBeVisible();
  expect(pin).toHaveFocus();
  expect(pin).toHaveValue('');
  const address = '*/api/admin/reconciliation/exceptions/:id/resolve';
  server.use(http.post(address, () => errorAnswer('unavailable', 'The service is unavailable'), { once: true }));
  await confirm(PIN);
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^The exception was not resolvedThe service is unavail/);
  server.use(http.post(address, () => HttpResponse.error(), { once: true }));
  await confirm(PIN);
  expect(await dialog.findByText(/^No answer arrived/)).toBeVisible();
  expect(screen.queryByText('The exception was not resolved')).toBeNull();
  expect(note).toHaveValue('The token had leaked; replaced.');
  expect(pin).toHaveFocus();
  await confirm(PIN);
  expect(await screen.findByText('Exception resolved')).toBeVisible();
  expect(world.exceptions[0]).toMatchObject({ note: 'The token had leaked; replaced.' });
});

test('a decision names the report that was shown, and is refused with the reason if there is a newer one', async () => {
  const { user } = await open({ exceptions: [{ ...heldException }] });
  const bodies: unknown[] = [];
  server.use(
    http.post('*/api/admin/reconciliation/exceptions/:id/resolve', async ({ request }) => {
      bodies.push(await request.json());
      return errorAnswer('changed_meanwhile', 'The provider has reported something newer about this payout.');
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Was not paid' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Note'), 'Confirmed by the provider, ticket 12.');
  await user.type(within(dialog).getByLabelText('Your PIN'), PIN);
  await user.click(within(dialog).getByRole('button', { name: 'Was not paid' }));
  expect(await screen.findByText('The provider has reported something newer about this payout.')).toBeVisible();
  expect(bodies).toMatchObject([{ outcome: 'not_paid', seen: heldException.details }]);
});

test.each([
  ['Was paid', 'paid'],
  ['Was not paid', 'not_paid'],
])('an exception that holds its transfer is resolved as "%s" with a note and the PIN', async (button, outcome) => {
  const { user, world } = await open({ exceptions: [{ ...heldException }] });
  expect(await screen.findByText('Its transfer waits for your decision')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull();
  await user.click(screen.getByRole('button', { name: button }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Note'), 'Confirmed by the provider, ticket 12.');
  await user.type(within(dialog).getByLabelText('Your PIN'), PIN);
  await user.click(within(dialog).getByRole('button', { name: button }));
  expect(await screen.findByText('Exception resolved')).toBeVisible();
  expect(world.exceptions[0]).toMatchObject({ state: 'resolved', details: { outcome } });
});

test('the question whether the recipient was paid repeats the amount and the number of both sides', async () => {
  const { details: reported } = heldException;
  const details = { ours: { ...reported, amount: '23030.00' }, theirs: reported };
  const { user } = await open({ exceptions: [{ ...heldException, details }] });
  await user.click(await screen.findByRole('button', { name: 'Was paid' }));
  const dialog = await screen.findByRole('dialog', { name: 'Was the recipient paid?' });
  expect(dialog).toHaveTextContent('Our books23,030 TZS+255 763 456 700completed');
  expect(dialog).toHaveTextContent('The provider23,031 TZS+255 763 456 700completed');
});

test('a failure with an undocumented code shows the code, and can be decided', async () => {
  const details = { ...heldException.details, amount: '23030', state: 'unknown', unknownFailure: 'LUNAR_ECLIPSE' };
  await open({ exceptions: [{ ...heldException, kind: 'unknown_failure', details }] });
  expect(await screen.findByText('Reported as failed, for an unknown reason')).toBeVisible();
  expect(screen.getByText('LUNAR_ECLIPSE')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Was not paid' })).toBeVisible();
});

test('a day is compared on request, and a refusal is shown in the server’s words', async () => {
  const { user, world } = await open();
  const day = screen.getByLabelText('Day');
  await user.clear(day);
  await user.type(day, '2026-01-10');
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(await screen.findByText('Comparison started')).toBeVisible();
  expect(world.reconciliations[0]).toMatchObject({ day: '2026-01-10' });
  await user.clear(day);
  await user.type(day, '2027-01-10');
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(await screen.findByText('The day has not begun yet')).toBeVisible();
});

test('the float of each currency is shown with how far the provider’s balance differs, and since when', async () => {
  await open();
  const tzs = (await screen.findByText('-1,250 TZS')).closest('li, tr') as HTMLElement;
  expect(within(tzs).getByText(/^since /)).toBeVisible();
  expect(within(tzs).getByText('98,352,690 TZS')).toBeVisible();
  const kes = screen.getByText('No difference').closest('li, tr') as HTMLElement;
  expect(within(kes).getAllByText('4,250,000 KES')).toHaveLength(2);
});
