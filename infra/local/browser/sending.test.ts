import { until } from '@vuka/test-kit/until';
import { expect, test } from 'vitest';
import { confirm, type Details, goOn, LAPTOP, productInBrowser, review, sentBy, signIn } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '300', VUKA_RATE_LIMIT_FACTOR: '10' });

const DETAILS: Details = { amount: '1000', phone: '763456700' };
const RATE_AT_START = '23,030 TZS';

test('a rate that changes on the confirm step is shown old and new, and the new amount needs the PIN again', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await page.clock.install();
  await review(page, DETAILS);
  await page.getByText(RATE_AT_START).first().waitFor();
  await page.getByLabel('Enter your 4-digit PIN').fill('1357');

  const admin = await inBrowser.openPage({ viewport: LAPTOP }, inBrowser.admin);
  await admin.goto('/admin/exchange-rates');
  await admin.getByRole('cell', { name: 'Vuka Admin' }).first().waitFor();
  await admin.getByLabel('Provider buy rate').fill('24');
  await admin.getByLabel('Markup percent').fill('2');
  await admin.getByRole('button', { name: 'Update rates' }).click();
  await admin.getByText('Rates Updated').waitFor();
  const newQuote = () => client.post('/api/quotes', { direction: 'KES_TO_TZS', sourceAmount: 1000 });
  await until(async () => (await newQuote()).body.rate === '23.52', { timeoutMs: 10_000, what: 'the rate is new' });

  // The price was held for a minute.
  await page.clock.fastForward('01:01');
  const notice = page.getByRole('alert').filter({ hasText: 'The rate has changed' });
  await notice.waitFor();
  expect(await notice.locator('s').textContent()).toBe(RATE_AT_START);
  await notice.getByText('23,520 TZS').waitFor();
  expect(await page.getByLabel('Enter your 4-digit PIN').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Confirm Transfer' }).click();
  await page.getByText('PIN Required').waitFor();
  expect(await sentBy(client)).toEqual([]);

  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  expect(await sentBy(client)).toMatchObject([{ sourceAmount: '1000.00', targetAmount: '23520.00' }]);
});

test('a session that ends on the confirm step leads through the sign-in page back to the details, without the PIN, and the transfer is sent once', async () => {
  const { client, user, page } = await inBrowser.openAsMerchant();
  await page.route('**/api/events', (route) => route.abort());
  const unanswered = new Set<unknown>();
  page.on('request', (request) => unanswered.add(request));
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  await review(page, DETAILS);
  await page.getByLabel('Enter your 4-digit PIN').fill('1357');
  await page.getByText('Rate held for').waitFor();
  // The page gets no events and no other answers, so only the answer to its transfer can reveal the block.
  const isTransfer = (url: URL) => url.pathname === '/api/transactions/create';
  const others = (url: URL) => url.pathname.startsWith('/api/') && !isTransfer(url);
  await page.route(others, (route) => route.abort());
  await until(() => unanswered.size === 0, { what: 'every request sent before is answered' });
  // A block ends every session at once; unblocking does not restore them.
  for (const isBlocked of [true, false]) {
    const { body } = await inBrowser.admin.post(`/api/admin/merchants/${user.id}/toggle-block`);
    expect(body.isBlocked).toBe(isBlocked);
  }
  await page.getByRole('button', { name: 'Confirm Transfer' }).click();
  await page.waitForURL('**/auth?next=**');
  await page.unrouteAll();
  await signIn(page, user.email);
  await page.waitForURL('**/send');
  expect(await page.getByLabel(/You send/).inputValue()).toBe('1,000');
  expect(await page.getByLabel('Recipient phone').inputValue()).toBe('763 456 700');
  await goOn(page);
  expect(await page.getByLabel('Enter your 4-digit PIN').inputValue()).toBe('');
  await confirm(page);
  await page.getByText('Last transfer').waitFor();

  await client.post('/api/login', { username: user.email, pin: '1357' });
  expect(await sentBy(client)).toHaveLength(1);
});

test('a tab that was duplicated with its draft and the original together send it once', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await review(page, DETAILS);
  const [copy] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => void window.open(window.location.href)),
  ]);
  await copy.getByLabel('Recipient phone').waitFor();
  expect(await copy.getByLabel(/You send/).inputValue()).toBe('1,000');
  await goOn(copy);
  await copy.getByLabel('Enter your 4-digit PIN').fill('1357');
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await copy.getByText('This transfer was already sent').waitFor();
  expect(await copy.getByLabel(/You send/).inputValue()).toBe('');
  expect(await sentBy(client)).toHaveLength(1);
});

test('without a network nothing can be sent, and the page says why; once online the transfer can be sent', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  await review(page, DETAILS);
  await page.getByText('Rate held for').waitFor();
  const submit = page.getByRole('button', { name: 'Confirm Transfer' });
  await page.context().setOffline(true);
  await page.getByText('You are offline. Connect to the internet to send.').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await page.context().setOffline(false);
  await page.getByText('Connect to the internet to send').waitFor({ state: 'detached' });
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  expect(await sentBy(client)).toHaveLength(1);
});

test('each step starts at its top with the focus on it, and the state of one transfer never confirms the next', async () => {
  const { client, page } = await inBrowser.openAsMerchant();
  const amount = page.getByLabel(/You send/);
  const pin = page.getByLabel('Enter your 4-digit PIN');
  const expectStart = async (heading: string) => {
    await page.getByRole('heading', { name: heading }).and(page.locator(':focus')).waitFor();
    // The browser restores the scroll position one frame after it has gone back.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect([await page.title(), await page.evaluate(() => window.scrollY)]).toEqual([`${heading} – Vuka`, 0]);
  };
  const scroll = () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

  await review(page, DETAILS);
  await expectStart('Confirm Transfer');
  await page.reload();
  await amount.waitFor();
  await scroll();
  await goOn(page);
  await pin.fill('12');
  await page.getByRole('button', { name: 'Back to details' }).click();
  await expectStart('Send Money');

  await scroll();
  await goOn(page);
  await confirm(page);
  await page.getByText('Transaction Initiated').waitFor();
  await expectStart('Send Money');
  await page.goForward();
  await amount.pressSequentially('3');
  expect([await amount.inputValue(), await pin.count()]).toEqual(['3', 0]);
  expect(await sentBy(client)).toHaveLength(1);
});

test('a phone shows Review Transfer without scrolling, and it stays in place when known recipients appear', async () => {
  const { page } = await inBrowser.openAsMerchant({ viewport: { width: 360, height: 740 } });
  const { promise: isMeasured, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/recipients', async (route) => {
    await isMeasured;
    await route.fulfill({ json: { recipients: [{ phone: `+255${DETAILS.phone}`, label: 'Asha Mushi' }] } });
  });
  await page.goto('/send');
  const button = page.getByRole('button', { name: 'Review Transfer' });
  await page.getByText('Use all').waitFor();
  const place = await button.boundingBox();
  const navigation = await page.locator('.bottom-navigation').boundingBox();
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(navigation?.y ?? 0);
  answer();
  await page.getByRole('button', { name: 'Saved recipients' }).waitFor();
  expect(await button.boundingBox()).toEqual(place);
});

test('the largest figures and the largest text fit on a phone’s screen and in their cards', async () => {
  const { page } = await inBrowser.openAsMerchant();
  /** The elements that overflow the card around them, or the page. */
  const tooWide = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main :is(dd, dt, form p, form label + div)')]
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const { right } = range.getBoundingClientRect();
          return right > element.getBoundingClientRect().right + 1 || right > window.innerWidth;
        })
        .map((element) => element.textContent),
    );
  await page.goto('/send');
  await page.getByLabel(/You send/).fill('999999999999');
  await page.getByText(/^\d\d(,\d{3}){4}$/).waitFor();
  expect(await tooWide()).toEqual([]);
  await review(page, { ...DETAILS, amount: '100000' });
  await page.getByText('Rate held for').waitFor();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  expect(await tooWide()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
