import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { transaction } from '#test/fixtures.ts';
import { errorAnswer } from '#test/handlers.ts';
import { renderApp } from '#test/render-app.tsx';
import { fillDetails } from '#test/send-flow.ts';
import { server } from '#test/setup.ts';

test('shows available balance, what the recipient receives, the rate and the fee', async () => {
  const app = renderApp('/');
  await fillDetails(app);
  expect(await screen.findByText('125,400 KES')).toBeVisible();
  expect(await screen.findByText('575,750')).toBeVisible();
  expect(screen.getByText('1 KES = 23.030 TZS')).toBeVisible();
  expect(screen.queryByText(/^1 TZS = /)).toBeNull();
  expect(await screen.findByText('0 KES')).toBeVisible();
  expect(screen.getByText('+255')).toBeVisible();
});

test('a rate below 1 is shown with its inverse, which has the digits to check the amounts', async () => {
  const app = renderApp('/');
  await app.user.selectOptions(await screen.findByLabelText('Direction'), 'TZS_TO_KES');
  expect(await screen.findByText(/^1 TZS = 0\.042 KES$/)).toBeVisible();
  expect(screen.getByText(/^1 KES = 2\d\.\d{3} TZS$/)).toBeVisible();
});

test.each([
  ['254722000111', '722 000 111', 'TZS_TO_KES'],
  ['+255763456700', '763 456 700', 'KES_TO_TZS'],
  ['00254722000111', '722 000 111', 'TZS_TO_KES'],
  ['+2540722000111', '722 000 111', 'TZS_TO_KES'],
])('a number typed with its country code, %s, is read as that number', async (typed, shown, direction) => {
  const app = renderApp('/');
  await fillDetails(app, '500', typed);
  expect(screen.getByLabelText('Recipient phone')).toHaveValue(shown);
  expect(screen.getByLabelText('Direction')).toHaveValue(direction);
});

test('a number with an incomplete country code cannot be sent to', async () => {
  const app = renderApp('/');
  await fillDetails(app, '500', '255763456');
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  expect(screen.getByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await app.user.type(screen.getByLabelText('Recipient phone'), '700');
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('763 456 700');
  expect(screen.queryByText(/valid 9-digit/)).toBeNull();
});

test('a reload or Back keeps the direction that was chosen after the page was opened for a wallet', async () => {
  const opened = [{ pathname: '/send', state: { sourceCurrency: 'KES' } }];
  const app = renderApp(opened);
  await app.user.selectOptions(await screen.findByLabelText('Direction'), 'TZS to KES');
  await app.user.type(screen.getByLabelText(/Amount/), '50000');
  app.unmount();
  renderApp(opened);
  expect(await screen.findByLabelText('Direction')).toHaveDisplayValue('TZS to KES');
});

test('swaps direction, wallet and prefix together', async () => {
  const app = renderApp('/');
  expect(await screen.findByRole('option', { name: 'KES to TZS' })).toBeInTheDocument();
  await app.user.selectOptions(screen.getByLabelText('Direction'), 'TZS to KES');
  expect(await screen.findByText('2,350,001 TZS')).toBeVisible();
  expect(screen.getByText('+254')).toBeVisible();
});

test('shows thousands separators and accepts only digits', async () => {
  const app = renderApp('/');
  await fillDetails(app, '1a2b3.4,567', '7x12 345 6789');
  expect(screen.getByLabelText(/You send/)).toHaveValue('1,234,567');
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('712 345 678');
});

test.each([
  ['2,500.00', '2,500'],
  ['2.500,5', '2,500'],
  ['2.500', '2,500'],
  ['KES 1,234,567', '1,234,567'],
])('takes a pasted %s as %s, replacing the previous amount', async (pasted, shown) => {
  const app = renderApp('/');
  await fillDetails(app, '2500');
  const amount = screen.getByLabelText<HTMLInputElement>(/You send/);
  await app.user.click(amount);
  amount.setSelectionRange(0, amount.value.length);
  await app.user.paste(pasted);
  expect(amount).toHaveValue(shown);
});

test('deletes a digit from a grouped amount, and ignores a typed point', async () => {
  const app = renderApp('/');
  await fillDetails(app, '1234');
  await app.user.type(screen.getByLabelText(/You send/), '{Backspace}');
  expect(screen.getByLabelText(/You send/)).toHaveValue('123');
  await app.user.type(screen.getByLabelText(/You send/), '.4');
  expect(screen.getByLabelText(/You send/)).toHaveValue('1,234');
});

test.each([
  ['1250.50', 'Whole amounts only: this reads 125,050 KES'],
  ['1250,5', 'Whole amounts only: this reads 12,505 KES'],
])('shows how a typed %s is read, on screen and to screen readers', async (typed, warning) => {
  const app = renderApp('/');
  await fillDetails(app, typed);
  const hint = screen.getByText(warning);
  expect(hint.closest('[role=status]')).toBeVisible();
  await app.user.clear(screen.getByLabelText(/You send/));
  expect(screen.queryByText(/Whole amounts only/)).toBeNull();
});

test.each(['1,250', '1.250', '1250.', '12505'])('shows no such hint for a typed %s', async (typed) => {
  const app = renderApp('/');
  await fillDetails(app, typed);
  expect(screen.queryByText(/Whole amounts only/)).toBeNull();
});

test('locks the review when the amount exceeds the balance', async () => {
  const app = renderApp('/');
  await screen.findByText('125,400 KES');
  await fillDetails(app, '125401');
  expect(screen.getByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeDisabled();
});

test('says what is missing, in the form and in a toast', async () => {
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Review Transfer' }));
  expect(await screen.findByText('Amount is required')).toBeVisible();
  expect(screen.getByText('Phone number is required')).toBeVisible();
  expect(screen.getByText('Please check the form')).toBeVisible();
  expect(screen.getByText('Please fill in all required fields correctly')).toBeVisible();
  expect(document.activeElement).toHaveAttribute('aria-invalid', 'true');
  await fillDetails(app, '0', '7123');
  expect(await screen.findByText('Amount must be greater than 0')).toBeVisible();
  expect(screen.getByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
});

test.each([
  ['a wallet without money gives way to one that has some', { KES: '0.00', TZS: '5000.00' }, 'TZS_TO_KES'],
  ['the default currency is sent from while its wallet has money', { KES: '10.00', TZS: '5000.00' }, 'KES_TO_TZS'],
  ['without any money the default currency stays', { KES: '0.00', TZS: '0.00' }, 'KES_TO_TZS'],
])('%s', async (_, balances, direction) => {
  renderApp('/send', { balances: { defaultCurrency: 'KES', balances } });
  await screen.findByRole('button', { name: 'Swap currencies' });
  await waitFor(() => expect(screen.getByText('Available balance:').nextElementSibling).toHaveTextContent(/^[\d,]+ /));
  expect(screen.getByLabelText('Direction')).toHaveValue(direction);
});

test('offers the recent recipients of the country that is paid, and no others', async () => {
  const app = renderApp('/');
  const recent = async () => within(await screen.findByRole('list', { name: 'Recent recipients' }));
  expect(await (await recent()).findByRole('button', { name: '+255 712 345 678' })).toBeVisible();
  expect((await recent()).queryByRole('button', { name: /\+254/ })).toBeNull();
  await app.user.click(screen.getByRole('button', { name: 'Swap currencies' }));
  await app.user.click(await (await recent()).findByRole('button', { name: '+254 722 000 111' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  expect((await recent()).queryByRole('button', { name: /\+255/ })).toBeNull();
});

test('says where recipients will be while there are none', async () => {
  const none = 'After a transfer, the recipient appears here, so you need not type the number again.';
  const app = renderApp('/', { transactions: [], recipients: [] });
  expect(await screen.findByText(none)).toBeVisible();
  app.unmount();
  renderApp('/', { transactions: [] });
  expect(await screen.findByRole('button', { name: 'Saved recipients' })).toBeVisible();
  expect(screen.queryByText(none)).toBeNull();
});

test('an amount that the server refuses to price cannot be reviewed, and says why', async () => {
  const app = renderApp('/send');
  await app.user.selectOptions(await screen.findByLabelText('Direction'), 'TZS to KES');
  await fillDetails(app, '1');
  expect(await screen.findByText('The amount is too small to send.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeDisabled();
  await app.user.type(screen.getByLabelText(/You send/), '000');
  await screen.findByText(/Rate held for/);
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeEnabled();
});

test('a price that could not be loaded can be asked for again', async () => {
  const app = renderApp('/send');
  let isDown = true;
  server.use(http.get('*/api/rates', () => (isDown ? errorAnswer('unavailable', 'Rates are unavailable') : undefined)));
  expect(await screen.findByText('Unable to load exchange rates')).toBeVisible();
  isDown = false;
  await app.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 KES = 23.030 TZS')).toBeVisible();
});

test('writes an amount from 100,000 in words, and warns of one far above the usual', async () => {
  const usual = Array.from({ length: 6 }, (_, index) => transaction(index, { sourceAmount: '20000.00' }));
  const app = renderApp('/', { transactions: usual });
  await fillDetails(app, '99999');
  expect(screen.queryByText(/ninety-nine/)).toBeNull();
  expect(screen.queryByText(/more than 5 times/)).toBeNull();
  await app.user.clear(screen.getByLabelText(/You send/));
  await app.user.type(screen.getByLabelText(/You send/), '120500');
  expect(screen.getByText('one hundred and twenty thousand, five hundred')).toBeVisible();
  expect(await screen.findByText(/more than 5 times what you usually send \(20,000 KES\)/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeEnabled();
});

test.each([
  ['no fee', { fixed: 0, percent: 0 }, '125,400'],
  ['a fixed fee', { fixed: 75, percent: 0 }, '125,325'],
  ['a fee in percent', { fixed: 0, percent: 5 }, '119,428'],
  ['a fee of both kinds', { fixed: 50, percent: 1.5 }, '123,497'],
])(
  'with %s, "Use all" fills in the largest amount that the balance can send, and it can be sent',
  async (_, transferFee, all) => {
    const app = renderApp('/', { transferFee });
    await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
    await waitFor(() => expect(screen.getByLabelText(/You send/)).toHaveValue(all));
    await screen.findByText(/Rate held for/);
    expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeEnabled();
  },
);

test('"Use all" fills in the whole balance where no quote is available', async () => {
  const app = renderApp('/', { unavailable: ['/api/quotes'] });
  await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
  await waitFor(() => expect(screen.getByLabelText(/You send/)).toHaveValue('125,400'));
});

test('text typed while the fee is being requested is kept', async () => {
  const app = renderApp('/', { silent: ['/api/quotes'] });
  await app.user.click(await screen.findByRole('button', { name: 'Use all' }));
  await app.user.type(screen.getByLabelText(/You send/), '70');
  server.use(http.post('*/api/quotes', () => errorAnswer('unavailable', 'Quotes are unavailable')));
  await act(() => app.client.cancelQueries({ queryKey: ['quote'] }));
  expect(screen.getByLabelText(/You send/)).toHaveValue('70');
});

test('locks the review when the amount and its fee exceed the balance', async () => {
  const app = renderApp('/', { transferFee: { fixed: 75, percent: 0 } });
  await fillDetails(app, '125326');
  expect(await screen.findByText('Amount exceeds available balance')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Review Transfer' })).toBeDisabled();
});

test('keeps the caret behind its digit while the middle of an amount is edited', async () => {
  const app = renderApp('/');
  await fillDetails(app, '25000');
  const amount = screen.getByLabelText<HTMLInputElement>(/You send/);
  await app.user.type(amount, '9', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect(amount).toHaveValue('295,000');
  expect(amount.selectionStart).toBe(2);
});

test('names the merchant who holds the number, before the PIN is asked for', async () => {
  const app = renderApp('/', { holders: { '+255712345678': 'Zawadi M.' } });
  await fillDetails(app);
  expect(await screen.findByText('Zawadi M., a merchant here')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  await screen.findByRole('heading', { name: 'Confirm Transfer' });
  expect(await screen.findByText('Zawadi M., a merchant here')).toBeVisible();
});

test('saves a number under a name, shows the name wherever the number appears, renames and removes it', async () => {
  const app = renderApp('/', { recipients: [] });
  await fillDetails(app);
  expect(await screen.findByText('Usually on Mixx by Yas')).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save recipient' });
  const press = (name: string) => app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
  await press('Save');
  expect(within(dialog).getByText('Name is required')).toBeVisible();
  await app.user.type(within(dialog).getByLabelText('Name'), ' Asha Juma ');
  await press('Save');
  expect(await screen.findByRole('button', { name: 'Saved as Asha Juma' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Asha Juma ?.255 712 345 678$/ })).toHaveAttribute('aria-pressed', 'true');
  expect(app.world.recipients).toEqual([{ phone: '+255712345678', label: 'Asha Juma' }]);
  await app.user.click(screen.getByRole('button', { name: 'Saved as Asha Juma' }));
  await screen.findByRole('dialog', { name: 'Saved recipient' });
  server.use(http.delete('*/api/recipients/*', () => errorAnswer('unavailable', 'Not now'), { once: true }));
  await press('Remove');
  expect(await screen.findByText('Not now')).toBeVisible();
  await press('Remove');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(app.world.recipients).toEqual([]);
  expect(app.world.received).toHaveLength(0);
});

test('the name of the amount field says that the amount is sent', async () => {
  renderApp('/');
  expect(await screen.findByRole('textbox', { name: 'You send: Amount' })).toBeVisible();
});

test.each(['Save', 'Saved recipients'])('closing a dialog returns the focus to “%s”', async (name) => {
  const app = renderApp('/', { recipients: [{ phone: '+254722000999', label: 'Otieno' }] });
  await fillDetails(app);
  const opener = await screen.findByRole('button', { name });
  await app.user.click(opener);
  fireEvent(await screen.findByRole('dialog'), new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(opener).toHaveFocus();
});

test('finds a saved recipient by name or number', async () => {
  const recipients = [
    { phone: '+254722000999', label: 'Otieno' },
    { phone: '+255754111222', label: 'Baraka Mushi' },
  ];
  const app = renderApp('/', { recipients });
  await app.user.click(await screen.findByRole('button', { name: 'Saved recipients' }));
  const search = await screen.findByLabelText('Search by name or number');
  await app.user.type(search, 'zz');
  expect(screen.getByText('No name or number matches')).toBeVisible();
  await app.user.clear(search);
  await app.user.type(search, '0722 000{Enter}');
  await app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /Otieno/ }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 999');
  expect(screen.getByLabelText('Direction')).toHaveValue('TZS_TO_KES');
});

test('takes a number from the phone’s contacts where the browser supports it, in any format', async () => {
  const select = vi.fn().mockResolvedValue([{ tel: ['+254 722 000 111'] }]);
  Object.assign(navigator, { contacts: { select } });
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: 'Choose from contacts' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  expect(screen.getByLabelText('Direction')).toHaveValue('TZS_TO_KES');
  select.mockRejectedValue(new Error('closed'));
  await app.user.click(screen.getByRole('button', { name: 'Choose from contacts' }));
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('722 000 111');
  Object.assign(navigator, { contacts: undefined });
});

test('the number of a country that is not paid keeps its plus while it is typed, and cannot be sent to', async () => {
  const app = renderApp('/');
  await fillDetails(app, '500', '+256772123456');
  expect(screen.getByLabelText('Recipient phone')).toHaveValue('+256 772 123 456');
  await app.user.click(screen.getByRole('button', { name: 'Review Transfer' }));
  expect(screen.getByText('Please enter a valid 9-digit phone number without leading zero')).toBeVisible();
});

test('a digit typed into the middle of such a number keeps the caret behind it', async () => {
  const app = renderApp('/');
  const phone = await screen.findByLabelText<HTMLInputElement>('Recipient phone');
  await app.user.type(phone, '+256772');
  await app.user.type(phone, '9', { initialSelectionStart: 4, initialSelectionEnd: 4 });
  expect(phone).toHaveValue('+256 977 2');
  expect(phone.selectionStart).toBe(6);
});
