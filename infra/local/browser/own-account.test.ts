import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { productInBrowser } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '50' });
beforeAll(async () => {
  const { body } = await inBrowser.admin.get('/api/admin/limits');
  const [unverified] = body.limits;
  const { status } = await inBrowser.admin.post('/api/admin/limits', {
    ...unverified,
    perTransaction: '20000',
  });
  expect([unverified, status]).toMatchObject([{ tier: 'unverified', currency: 'KES' }, 200]);
});

/** The texts on screen in each language. */
const WORDS = {
  en: {
    register: 'Register',
    name: 'Full name',
    email: 'Email',
    phone: 'Phone number',
    country: 'Country',
    pin: '4-digit PIN',
    createAccount: 'Create account',
    sendCode: /^Send code/,
    demoCode: /Demonstration: the code is/,
    code: '6-digit code',
    confirm: 'Confirm',
    verified: 'Verified',
    swap: 'Swap currencies',
    youSend: /You send/,
    recipient: 'Recipient phone',
    holder: 'Asha M., a merchant here',
    review: 'Review Transfer',
    enterPin: 'Enter your 4-digit PIN',
    confirmTransfer: 'Confirm Transfer',
    sent: 'Transaction Initiated',
    limit: 'This is above your limit',
    forgot: 'Forgot your PIN?',
    sendLink: 'Send link and code',
    demoLink: /Demonstration: open the link/,
    openLink: 'Open the link',
    newPin: 'New PIN',
    again: 'Confirm new PIN',
    setPin: 'Set the new PIN',
    logIn: 'Log in',
    welcome: 'Welcome back!',
  },
  sw: {
    register: 'Jisajili',
    name: 'Jina kamili',
    email: 'Barua pepe',
    phone: 'Namba ya simu',
    country: 'Nchi',
    pin: 'PIN ya tarakimu 4',
    createAccount: 'Fungua akaunti',
    sendCode: /^Tuma msimbo/,
    demoCode: /Onyesho: msimbo ni/,
    code: 'Msimbo wa tarakimu 6',
    confirm: 'Thibitisha',
    verified: 'Imethibitishwa',
    swap: 'Badilisha sarafu',
    youSend: /Unatuma/,
    recipient: 'Namba ya simu ya mpokeaji',
    holder: 'Asha M., mfanyabiashara wa hapa',
    review: 'Kagua Muamala',
    enterPin: 'Weka PIN yako ya tarakimu 4',
    confirmTransfer: 'Thibitisha Muamala',
    sent: 'Muamala Umeanzishwa',
    limit: 'Hiki ni zaidi ya kikomo chako',
    forgot: 'Umesahau PIN yako?',
    sendLink: 'Tuma kiungo na msimbo',
    demoLink: /Onyesho: fungua kiungo/,
    openLink: 'Fungua kiungo',
    newPin: 'PIN mpya',
    again: 'Thibitisha PIN mpya',
    setPin: 'Weka PIN mpya',
    logIn: 'Ingia',
    welcome: 'Karibu tena!',
  },
} as const;
type Words = (typeof WORDS)[keyof typeof WORDS];

const NEW_PIN = '8046';
const overflows = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Expects that nothing is cut off. With VUKA_PICTURES, saves a picture in that folder. */
async function look(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(overflows), name).toBe(false);
  const folder = process.env.VUKA_PICTURES;
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot({ fullPage: true }));
}

async function enterShownCode(page: Page, words: Words, hint: RegExp): Promise<void> {
  const text = (await page.getByText(hint).last().textContent()) ?? '';
  await page.getByLabel(words.code).fill(/\d{6}/.exec(text)?.[0] ?? '');
}

const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test.each([
  ['English, in light colours', { locale: 'en', colorScheme: 'light' }],
  ['Kiswahili, in dark colours', { locale: 'sw', colorScheme: 'dark' }],
] as const)(
  'on a phone in %s a merchant registers, verifies, is paid by number, hits a limit, loses the PIN and returns',
  async (_how, options) => {
    const words = WORDS[options.locale];
    const show = (page: Page, step: string) => look(page, `own-account-${options.locale}-${step}`);
    const email = `asha.${options.locale}@example.com`;
    const phone = `+25411${randomInt(1_000_000, 9_999_999)}`;
    const page = await inBrowser.openPage(options);
    await page.goto('/auth');
    await page.getByRole('tab', { name: words.register }).click();
    await page.getByLabel(words.name).fill('Asha Mwangi');
    await page.getByLabel(words.email).fill(email);
    await page.getByLabel(words.phone).fill(phone);
    await page.getByLabel(words.country).fill('Kenya');
    await page.getByLabel(words.pin, { exact: true }).fill('1357');
    await show(page, '1-register');
    await page.getByRole('button', { name: words.createAccount }).click();
    await page.waitForURL('**/dashboard');

    await page.goto('/security');
    for (const contact of ['phone', 'email']) {
      await page.getByRole('button', { name: words.sendCode }).first().click();
      await enterShownCode(page, words, words.demoCode);
      await show(page, `2-verify-${contact}`);
      await page.getByRole('button', { name: words.confirm, exact: true }).click();
      await page
        .getByRole('listitem')
        .filter({ has: page.getByText(words.verified, { exact: true }) })
        .nth(contact === 'phone' ? 0 : 1)
        .waitFor();
    }
    await show(page, '3-security');

    const { page: payer } = await inBrowser.openAsMerchant(options);
    await payer.goto('/send');
    await payer.getByLabel(words.swap).click();
    await payer.getByLabel(words.youSend).fill('24000');
    await payer.getByLabel(words.recipient).fill(phone.slice(4));
    await payer.getByText(words.holder).waitFor();
    await show(payer, '4-name-before-paying');
    await payer.getByRole('button', { name: words.review }).click();
    await payer.getByText(words.holder).waitFor();
    await payer.getByLabel(words.enterPin).fill('1357');
    await show(payer, '5-confirm');
    await payer.getByRole('button', { name: words.confirmTransfer }).click();
    await payer.getByText(words.sent).waitFor();
    await page.goto('/dashboard');
    await page.getByText('1,001').first().waitFor();
    await show(page, '6-paid');

    await payer.goto('/send');
    await payer.getByLabel(words.youSend).fill('30000');
    await payer.getByLabel(words.recipient).fill('763456700');
    await payer.getByRole('button', { name: words.review }).click();
    await payer.getByText(words.limit).waitFor();
    await show(payer, '7-limit');

    const elsewhere = await inBrowser.openPage(options);
    await elsewhere.goto('/auth');
    await elsewhere.getByRole('link', { name: words.forgot }).click();
    await elsewhere.getByRole('heading', { name: words.forgot }).waitFor();
    await fieldOf(elsewhere, words.email).fill(email);
    await elsewhere.getByRole('button', { name: words.sendLink }).click();
    await show(elsewhere, '8-forgot');
    const demo = (await elsewhere.getByText(words.demoLink).textContent()) ?? '';
    await elsewhere.getByRole('link', { name: words.openLink }).click();
    await elsewhere.getByLabel(words.code).fill(/\d{6}/.exec(demo)?.[0] ?? '');
    await elsewhere.getByLabel(words.newPin, { exact: true }).fill(NEW_PIN);
    await elsewhere.getByLabel(words.again).fill(NEW_PIN);
    await show(elsewhere, '9-new-pin');
    await elsewhere.getByRole('button', { name: words.setPin }).click();
    await elsewhere.waitForURL('**/auth');
    await fieldOf(elsewhere, words.email).fill(email);
    await elsewhere.getByLabel(words.pin, { exact: true }).fill(NEW_PIN);
    await elsewhere.getByRole('button', { name: words.logIn, exact: true }).click();
    await elsewhere.getByText(words.welcome).waitFor();
    await show(elsewhere, '10-back-in');
  },
);
