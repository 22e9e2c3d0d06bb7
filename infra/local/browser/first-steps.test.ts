import { expect, test } from 'vitest';
import { PIN } from '../test/api-client.ts';
import { productInBrowser, sentBy, signIn } from './product-in-browser.ts';

const inBrowser = productInBrowser({ SIMULATOR_DELAY_MS: '300' });

test('a user who chooses Kiswahili on the sign-in page can send money without seeing any English', async () => {
  const { client, user } = await inBrowser.newMerchant();
  const page = await inBrowser.openPage();
  await page.goto('/auth');
  await page.getByText('Kiswahili').click();
  await page.getByRole('tab', { name: 'Ingia' }).waitFor();
  await signIn(page, user.email);
  await page.getByText('Karibu tena!').waitFor();
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: 'Tuma', exact: true }).click();
  await page.getByRole('heading', { name: 'Tuma Pesa' }).waitFor();
  await page.getByLabel(/Unatuma/).fill('1000');
  await page.getByLabel('Namba ya simu ya mpokeaji').fill('763456700');
  await page.getByRole('button', { name: 'Kagua Muamala' }).click();
  await page.getByRole('heading', { name: 'Thibitisha Muamala' }).waitFor();
  await page.getByRole('button', { name: 'Thibitisha Muamala' }).click();
  await page.getByText('PIN Inahitajika').waitFor();
  await page.getByLabel('Weka PIN yako ya tarakimu 4').fill('9753');
  await page.getByRole('button', { name: 'Thibitisha Muamala' }).click();
  await page.getByText('PIN si sahihi').first().waitFor();
  await page.getByLabel('Weka PIN yako ya tarakimu 4').fill(PIN);
  await page.getByRole('button', { name: 'Thibitisha Muamala' }).click();
  await page.getByText('Muamala Umeanzishwa').waitFor();
  expect(await sentBy(client)).toHaveLength(1);
  await page.reload();
  await page.getByRole('heading', { name: 'Tuma Pesa' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('sw');
});

test('the dark theme is remembered, and applied before the app has loaded', async () => {
  const { page } = await inBrowser.openAsMerchant({ colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto('/profile');
  const light = await background();
  await page.getByText('Dark', { exact: true }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.addInitScript(() => {
    // The page has been parsed, and none of the app's own code has run.
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return;
      Object.assign(window, { themeAtFirst: document.documentElement.dataset.theme });
    });
  });
  await page.reload();
  expect(await page.evaluate(() => (window as { themeAtFirst?: string }).themeAtFirst)).toBe('dark');
  await page.getByRole('heading', { name: 'Profile Settings' }).waitFor();
  expect(await background()).toBe(dark);
});

test('a registration that breaks the rules shows each of them and goes nowhere; the server reports an email that is taken', async () => {
  const { user } = await inBrowser.newMerchant();
  const page = await inBrowser.openPage();
  const calls: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/register') && calls.push(request.url()));
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  };
  await fill({ 'Full name': 'Am', Email: 'amina', 'Phone number': '+25411', Country: 'K', '4-digit PIN': '135' });
  await page.getByRole('button', { name: 'Create account' }).click();
  for (const sentence of [
    'Name must be at least 3 characters',
    'Invalid email format',
    'Phone number must be at least 10 digits',
    'Country must be at least 2 characters',
    'PIN must be 4 digits',
  ]) {
    await page.getByText(sentence).waitFor();
  }
  expect(calls).toEqual([]);
  await fill({
    'Full name': 'Amina',
    Email: user.email,
    'Phone number': '+254112345678',
    Country: 'Kenya',
    '4-digit PIN': PIN,
  });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('An account with this email already exists.').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/auth');
});
