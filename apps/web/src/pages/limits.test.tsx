import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { admin } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { ownLimits } from '#test/limit-handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { CREATE, confirm, openConfirm, PIN_LABEL } from '#test/send-flow.ts';
import { server } from '#test/setup.ts';

const withLeft = (day: string, tier: 'unverified' | 'verified' = 'verified') => ({
  ownLimits: {
    tier,
    limits: ownLimits.limits.map((each) => ({ ...each, day: { ...each.day, left: day } })),
  },
});

test('the security page shows what is left of each limit', async () => {
  renderApp('/security');
  const bar = await screen.findByRole('progressbar', { name: 'To send today, KES' });
  expect(bar).toHaveAttribute('aria-valuenow', '50');
  expect(bar).toHaveAttribute('aria-valuetext', '250,000 left of 500,000 KES');
  expect(screen.getByText('Per transaction: up to 250,000 KES')).toBeVisible();
  expect(screen.queryByText(/for higher limits/)).toBeNull();
});

test('the bar of a limit shows the same share as its words', async () => {
  renderApp('/security', withLeft('12000.00'));
  const bar = await screen.findByRole('progressbar', { name: 'To send today, KES' });
  expect(bar).toHaveAttribute('aria-valuetext', '12,000 left of 500,000 KES');
  // 2.4 percent: not so little that the bar is empty.
  expect(bar).toHaveAttribute('aria-valuenow', '3');
});

test('an account that is not verified is told which contact is not, and how to raise its limits', async () => {
  renderApp('/security', withLeft('1000.00', 'unverified'));
  const email = (await screen.findByText('amina@example.com')).closest('li') as HTMLElement;
  expect(within(email).getByText('Not verified')).toBeVisible();
  expect(within(email).getByRole('button', { name: 'Send code: Email' })).toBeVisible();
  const phone = screen.getByText('+254 712 345 678').closest('li') as HTMLElement;
  expect(within(phone).getByText('Verified')).toBeVisible();
  expect(await screen.findByText('Verify your phone number and email address for higher limits.')).toBeVisible();
});

test('the security page opens what is rarely needed on request', async () => {
  const app = renderApp('/security');
  const data = await screen.findByRole('heading', { name: 'Download your data' });
  const pin = screen.getByLabelText('Current PIN');
  expect(pin).not.toBeVisible();
  expect(screen.getByRole('button', { name: 'Download my data', hidden: true })).not.toBeVisible();
  await app.user.click(screen.getByRole('heading', { name: 'Change your PIN' }));
  expect(pin).toBeVisible();
  await app.user.click(data);
  expect(screen.getByRole('button', { name: 'Download my data' })).toBeVisible();
});

test('closing the account says what happens, and asks for the PIN once the code is sent', async () => {
  const app = renderApp('/security');
  await app.user.click(await screen.findByRole('heading', { name: 'Close account' }));
  expect(screen.getByText('This cannot be undone.')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Close my account' }));
  const send = await screen.findByRole('button', { name: 'Send code' });
  expect(send).toHaveFocus();
  expect(screen.queryByLabelText('PIN to close the account')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Close for good' })).toBeNull();
  await app.user.click(send);
  const code = await screen.findByLabelText('6-digit code');
  expect(code).toHaveFocus();
  expect(screen.getByLabelText('PIN to close the account')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Close for good' })).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Send a new code' }));
  await waitFor(() => expect(code).toHaveFocus());
  await app.user.tab();
  expect(screen.getByRole('button', { name: 'Send a new code' })).toHaveFocus();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Close my account' })).toHaveFocus();
});

test('closing the account says so if what it needs cannot be loaded, and can be left', async () => {
  const app = renderApp('/security', { unavailable: ['/api/verification'] });
  await app.user.click(await screen.findByRole('heading', { name: 'Close account' }));
  await app.user.click(screen.getByRole('button', { name: 'Close my account' }));
  await waitFor(() => expect(screen.getAllByText('Your contacts could not be loaded')).toHaveLength(2));
  expect(screen.queryByRole('button', { name: 'Close for good' })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Close my account' })).toBeVisible();
});

/** Whether a button is the one that stands out. */
const isPrimary = (name: string) => screen.getByRole('button', { name }).classList.contains('bg-primary');

test('a transfer above what is left of the day says so before the PIN, and leads back to its amount', async () => {
  const app = renderApp('/send', withLeft('24999.00', 'unverified'));
  await openConfirm(app);
  const notice = await screen.findByText('This is above your limit');
  expect(notice.parentElement).toHaveTextContent('You can still send 24,999 KES today.');
  expect([isPrimary('Change amount'), isPrimary('Confirm Transfer')]).toEqual([true, false]);
  await app.user.click(screen.getByRole('button', { name: 'Change amount' }));
  const field = await screen.findByLabelText(/You send/);
  expect(field).toHaveValue('25,000');
  await app.user.clear(field);
  await app.user.type(field, '24999');
  await screen.findByText(/Rate held for/);
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  expect(isPrimary('Confirm Transfer')).toBe(true);
});

test.each([
  ['24999.00', ['Use 24,999 KES instead']],
  ['0.50', []],
])(
  'above a limit of which %s is left, an account that is not verified is offered the most and, after that, its verification',
  async (left, offers) => {
    const app = renderApp('/send', withLeft(left, 'unverified'));
    await app.user.type(await screen.findByLabelText(/You send/), '25000');
    const verify = await screen.findByRole('link', { name: 'Verify for higher limits' });
    expect(verify).toHaveAttribute('href', '/security');
    expect(verify.classList.contains('bg-primary')).toBe(offers.length === 0);
    expect(screen.queryAllByRole('button', { name: /instead/ }).map(({ textContent }) => textContent)).toEqual(offers);
    expect(offers.every(isPrimary)).toBe(true);
    expect(isPrimary('Review Transfer')).toBe(false);
  },
);

test('an amount above the limit says so while it is typed, before a recipient is entered', async () => {
  const app = renderApp('/send', withLeft('24999.00'));
  const field = await screen.findByLabelText(/You send/);
  await app.user.type(field, '24999');
  await screen.findByText(/Rate held for/);
  expect(screen.queryByText('This is above your limit')).toBeNull();
  await app.user.clear(field);
  await app.user.type(field, '25000');
  expect(await screen.findByText('You can still send 24,999 KES today.')).toBeVisible();
});

test('an amount above a limit is replaced at one press by the most that the tightest limit allows', async () => {
  const app = renderApp('/send', withLeft('24999.50'));
  app.world.ownLimits.limits = app.world.ownLimits.limits.map((each) => ({ ...each, perTransaction: '20000.00' }));
  const field = await screen.findByLabelText(/You send/);
  await app.user.type(field, '25000');
  expect(await screen.findByText('You can send at most 20,000 KES at once.')).toBeVisible();
  expect(isPrimary('Review Transfer')).toBe(false);
  await app.user.click(screen.getByRole('button', { name: 'Use 20,000 KES instead' }));
  expect(field).toHaveValue('20,000');
  expect(field).toHaveFocus();
  expect(screen.queryByText('This is above your limit')).toBeNull();
  expect(isPrimary('Review Transfer')).toBe(true);
});

test('a used up limit offers no other amount', async () => {
  const app = renderApp('/send', withLeft('0.50'));
  await app.user.type(await screen.findByLabelText(/You send/), '25000');
  expect(await screen.findByText('This is above your limit')).toBeVisible();
  expect(screen.queryByRole('button', { name: /instead/ })).toBeNull();
});

test('a withdrawal above the limit says so while its amount is typed, and offers what is left', async () => {
  const app = renderApp('/withdraw', withLeft('4999.00'));
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  expect(await screen.findByText('You can still send 4,999 KES today.')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Use 4,999 KES instead' }));
  expect(screen.getByLabelText('Amount')).toHaveValue('4,999');
});

test('the confirmation of a withdrawal above the limit leads back to its amount', async () => {
  const app = renderApp('/withdraw', withLeft('4999.00'));
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.click(await screen.findByRole('button', { name: 'Change amount' }));
  expect(await screen.findByLabelText('Amount')).toHaveValue('5,000');
  expect(isPrimary('Review Withdrawal')).toBe(false);
});

/** On both steps, once the limit counts an unanswered order of everything, since it was accepted after all. */
async function expectNoNotice(app: ReturnType<typeof renderApp>) {
  const countOrder = () => {
    app.world.ownLimits = withLeft('0.00').ownLimits;
    act(() => void app.client.setQueryData(['/api/limits'], app.world.ownLimits));
  };
  expect(await screen.findByText(/^No answer arrived/)).toBeVisible();
  countOrder();
  expect(screen.queryByText('This is above your limit')).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Back to details' }));
  expect(await screen.findByText('Your last attempt got no answer')).toBeVisible();
  countOrder();
  expect(screen.queryByText('This is above your limit')).toBeNull();
}

test('an unanswered transfer, which the limit may count already, is offered again without a word of the limit', async () => {
  const app = renderApp('/send', withLeft('25000.00'));
  server.use(http.post(CREATE, () => HttpResponse.error(), { once: true }));
  await openConfirm(app);
  await confirm(app);
  await expectNoNotice(app);
  await app.user.type(screen.getByLabelText(/You send/), '{Backspace}');
  expect(await screen.findByText('This is above your limit')).toBeVisible();
});

test('an unanswered withdrawal is offered again without a word of the limit that may count it already', async () => {
  const app = renderApp('/withdraw', withLeft('5000.00'));
  server.use(http.post('*/api/withdrawals', () => HttpResponse.error(), { once: true }));
  await app.user.type(await screen.findByLabelText('Amount'), '5000');
  await app.user.click(screen.getByRole('button', { name: 'Review Withdrawal' }));
  await app.user.type(await screen.findByLabelText(PIN_LABEL), '1357');
  await app.user.click(screen.getByRole('button', { name: 'Confirm Withdrawal' }));
  await expectNoNotice(app);
});

test('a transfer of exactly what is left has no notice', async () => {
  const app = renderApp('/send', withLeft('25000.00'));
  await openConfirm(app);
  await screen.findByText('Recipient receives');
  expect(screen.queryByText('This is above your limit')).toBeNull();
});

test('an administrator lowers limits at once, and raises them with another administrator', async () => {
  const app = renderApp('/admin/limits', { user: admin });
  const section = await screen.findByRole('region', { name: 'Business, KES' });
  const change = async (perDay: string) => {
    await app.user.click(within(section).getByRole('button', { name: 'Change: Business, KES' }));
    const field = within(section).getByLabelText('Sent per day');
    await app.user.clear(field);
    await app.user.type(field, perDay);
    await app.user.click(within(section).getByRole('button', { name: 'Save limits' }));
  };
  await change('700000');
  expect(await screen.findByText('Limits changed')).toBeVisible();
  expect(within(section).getByText('700,000')).toBeVisible();
  await change('4000000');
  expect(await screen.findByText('Higher limits take effect once another administrator approves them.')).toBeVisible();
  expect(await screen.findByText('Higher limits: Business, KES')).toBeVisible();
  expect(within(section).getByText('700,000')).toBeVisible();
});

test('limits that a colleague changed since they were shown are not overwritten, and what was typed is kept', async () => {
  const app = renderApp('/admin/limits', { user: admin });
  const section = within(await screen.findByRole('region', { name: 'Business, KES' }));
  await app.user.click(section.getByRole('button', { name: 'Change: Business, KES' }));
  await app.user.clear(section.getByLabelText('Sent per day'));
  await app.user.type(section.getByLabelText('Sent per day'), '700000');
  const isShown = ({ tier, currency }: { tier: string; currency: string }) => tier === 'business' && currency === 'KES';
  app.world.tierLimits = app.world.tierLimits.map((each) =>
    isShown(each) ? { ...each, perTransaction: '90000' } : each,
  );
  await app.user.click(section.getByRole('button', { name: 'Save limits' }));
  expect(await screen.findByText(/^Another administrator has changed these limits/)).toBeVisible();
  expect(app.world.tierLimits.find(isShown)?.perDay).not.toBe('700000');
  expect(section.getByLabelText('Per transaction')).toHaveValue('90000');
  expect(section.getByLabelText('Sent per day')).toHaveValue('700000');
  await app.user.click(await section.findByRole('button', { name: 'Save limits' }));
  expect(await screen.findByText('Limits changed')).toBeVisible();
  expect(app.world.tierLimits.find(isShown)).toMatchObject({ perTransaction: '90000', perDay: '700000' });
});

test('limits that a colleague changed are reported as such even if they cannot be read', async () => {
  const app = renderApp('/admin/limits', { user: admin });
  const section = within(await screen.findByRole('region', { name: 'Business, KES' }));
  await app.user.click(section.getByRole('button', { name: 'Change: Business, KES' }));
  await app.user.clear(section.getByLabelText('Sent per day'));
  await app.user.type(section.getByLabelText('Sent per day'), '700000');
  server.use(
    http.post('*/api/admin/limits', () => errorAnswer('changed_meanwhile', 'The limits have changed')),
    http.get('*/api/admin/limits', () => errorAnswer('unavailable', 'Unavailable')),
  );
  await app.user.click(section.getByRole('button', { name: 'Save limits' }));
  expect(await screen.findByText(/^Another administrator has changed these limits/)).toBeVisible();
  expect(section.getByLabelText('Sent per day')).toHaveValue('700000');
});

test('a limit per day below the one per transaction is refused at its field', async () => {
  const app = renderApp('/admin/limits', { user: admin });
  const section = await screen.findByRole('region', { name: 'Business, KES' });
  await app.user.click(within(section).getByRole('button', { name: 'Change: Business, KES' }));
  const field = within(section).getByLabelText('Sent per day');
  await app.user.clear(field);
  await app.user.type(field, '1');
  await app.user.click(within(section).getByRole('button', { name: 'Save limits' }));
  expect(await screen.findByText('A limit must not be lower than that of a shorter time')).toBeVisible();
});

test('the button that opened the form of limits closes it again, and is named by what it does', async () => {
  const app = renderApp('/admin/limits', { user: admin });
  const section = within(await screen.findByRole('region', { name: 'Business, KES' }));
  await app.user.click(section.getByRole('button', { name: 'Change: Business, KES' }));
  const cancel = section.getByRole('button', { name: 'Cancel: Business, KES' });
  expect(cancel).toHaveFocus();
  await app.user.click(cancel);
  expect(section.queryByRole('button', { name: 'Save limits' })).toBeNull();
  expect(section.getByRole('button', { name: 'Change: Business, KES' })).toHaveFocus();
});
