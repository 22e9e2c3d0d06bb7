import { act, screen, waitFor } from '@testing-library/react';
import { reason } from '@vuka/contracts/texts/reason';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, errorMessage, MalformedAnswerError } from '#shared/api-client.ts';
import { formatDay, formatDayAndTime } from '#shared/format/date.ts';
import { formatWhole } from '#shared/format/money.ts';
import { createQueryClient } from '#shared/query-client.ts';
import { statusView } from '#shared/status-view.ts';
import { toastStore } from '#shared/toast-store.ts';
import { renderApp } from '#test/render-app.tsx';
import { chooseLanguage, i18n, language, startLanguage } from './i18n.ts';
import { ruleText } from './refusal-texts.ts';
import { noteText } from './transfer-notes.ts';

afterEach(() => act(() => language.set('en')));

async function startWith(languages: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  await startLanguage();
  vi.restoreAllMocks();
  return language.get();
}

test('starts in the browser’s first supported language, ignoring the region, else in English', async () => {
  expect(await startWith(['sw-TZ', 'en'])).toBe('sw');
  expect(document.documentElement.lang).toBe('sw');
  expect(await startWith(['en-GB', 'sw'])).toBe('en');
  expect(await startWith(['fr', 'sw'])).toBe('sw');
  expect(await startWith(['fr'])).toBe('en');
  expect(document.documentElement.lang).toBe('en');
});

test('a choice is remembered in this browser and takes precedence over the browser’s languages', async () => {
  await chooseLanguage('sw');
  expect(await startWith(['en'])).toBe('sw');
  await chooseLanguage('en');
  expect(await startWith(['sw'])).toBe('en');
});

test('the sign-in page switches to Kiswahili, including its validation messages, and keeps it across a reload', async () => {
  const app = renderApp('/auth', { user: null });
  await app.user.click(await screen.findByRole('radio', { name: 'Kiswahili' }));
  expect(
    await screen.findByRole('heading', { name: /^Tuma pesa papo\shapo kati ya Kenya na Tanzania$/ }),
  ).toBeVisible();
  await app.user.click(screen.getByRole('button', { name: 'Ingia' }));
  expect(await screen.findByText('Barua pepe si sahihi')).toBeVisible();
  app.unmount();
  await startLanguage();
  renderApp('/auth', { user: null });
  expect(await screen.findByRole('radio', { name: 'Kiswahili' })).toBeChecked();
  expect(screen.getByRole('tab', { name: 'Jisajili' })).toBeVisible();
});

test('the profile changes the language on every page', async () => {
  const app = renderApp('/profile');
  expect(await screen.findByRole('radio', { name: 'English' })).toBeChecked();
  await app.user.click(screen.getByRole('radio', { name: 'Kiswahili' }));
  expect(await screen.findByRole('heading', { name: 'Mipangilio ya Wasifu' })).toBeVisible();
  await app.user.click(screen.getByRole('link', { name: 'Tuma' }));
  expect(await screen.findByRole('button', { name: 'Kagua Muamala' })).toBeVisible();
  await waitFor(() => expect(document.title).toBe('Tuma Pesa – Vuka'));
});

const refused = (body: object) => new ApiError(400, 'Bad Request', JSON.stringify(body));
const LOCKED = { error: 'Too many wrong PINs.', reason: 'pin_locked', params: { minutes: 15 } };
const WRONG_PIN = { error: 'Invalid PIN', code: 'invalid_pin', reason: 'invalid_pin' };

test('a refusal is translated by its reason, with its parameters', async () => {
  expect(errorMessage(refused(LOCKED))).toBe('Too many wrong PINs.');
  expect(errorMessage(refused({ ...WRONG_PIN, attemptsLeft: 1 }))).toBe('Invalid PIN. 1 attempt left.');
  await chooseLanguage('sw');
  expect(errorMessage(refused(LOCKED))).toBe('Umekosea PIN mara nyingi. Tafadhali jaribu tena baada ya dakika 15.');
  expect(errorMessage(refused(WRONG_PIN))).toBe('PIN si sahihi');
  expect(errorMessage(refused({ ...WRONG_PIN, attemptsLeft: 1 }))).toBe('PIN si sahihi. Umebakiwa na jaribio 1.');
  expect(errorMessage(refused({ ...WRONG_PIN, attemptsLeft: 2 }))).toBe('PIN si sahihi. Umebakiwa na majaribio 2.');
  expect(errorMessage(new MalformedAnswerError())).toBe('Seva imetuma jibu ambalo programu hii haielewi');
  expect(errorMessage(undefined)).toBe('Hitilafu isiyotarajiwa imetokea');
});

test('a refusal without a reason, or with one that this release does not know, is shown in the server’s words', async () => {
  await chooseLanguage('sw');
  expect(errorMessage(refused({ error: 'Closed {today}' }))).toBe('Closed {today}');
  expect(errorMessage(refused({ error: 'Closed', reason: 'closed_today', params: { day: 1 } }))).toBe('Closed');
  expect(errorMessage(refused({ error: 'Closed', reason: 'toString' }))).toBe('Closed');
});

test('the message of a rule is translated, any other text is shown as it is', async () => {
  const tooLong = reason('name_too_long', { max: 40 });
  expect(ruleText(tooLong)).toBe('Name must not exceed 40 characters');
  await chooseLanguage('sw');
  expect(ruleText(tooLong)).toBe('Jina lisizidi herufi 40');
  expect(ruleText('Chagua siku')).toBe('Chagua siku');
});

test('a note is translated by its codes, but not the words of the administrator who decided', async () => {
  const refused = [{ code: 'not_approved', params: { reason: 'account closed' } }];
  const failed = [{ code: 'number_unknown' }, { code: 'money_returned' }];
  expect(noteText('Not approved: account closed', refused)).toBe('Not approved: account closed');
  await chooseLanguage('sw');
  expect(noteText('Not approved: account closed', refused)).toBe('Haikuidhinishwa: account closed');
  expect(noteText('No such number. Your money is back in your wallet.', failed)).toBe(
    'Mtandao wa simu hauijui namba hii. Pesa zako zimerudi kwenye pochi yako.',
  );
});

test('a note of an earlier release, or with a code that this one does not know, is shown in English', async () => {
  await chooseLanguage('sw');
  expect(noteText('Delivered.', undefined)).toBe('Delivered.');
  expect(noteText('Sold. Delivered.', [{ code: 'sold' }, { code: 'delivered' }])).toBe('Sold. Delivered.');
});

test('a query that fails before the texts have loaded reports in the language being loaded', async () => {
  Reflect.deleteProperty(i18n.cache, 'sw');
  localStorage.setItem('vuka.language', 'sw');
  const started = startLanguage();
  const failing = { queryKey: ['x'], queryFn: () => Promise.reject(new Error('')) };
  await createQueryClient()
    .fetchQuery(failing)
    .catch(() => undefined);
  await started;
  await waitFor(() => expect(toastStore.read()?.title).toBe('Hitilafu ya Kupata Taarifa'));
  expect(toastStore.read()?.description).toBe('Hitilafu isiyotarajiwa imetokea');
});

test('dates, amounts and statuses follow the language', async () => {
  await chooseLanguage('sw');
  expect(formatDay('2024-01-05T09:00:00.000Z')).toBe('5 Jan 2024');
  expect(formatDayAndTime('2024-01-05T11:05:00.000Z')).toBe('5 Jan 2024, 14:05');
  expect(formatDay('yesterday')).toBe('Tarehe si sahihi');
  expect(formatWhole('1250000.00')).toBe('1,250,000');
  expect(statusView('SETTLED', 'receipt').text).toBe('UMEKAMILIKA');
  expect(statusView('PENDING', 'narrow-list').text).toBe('unasubiri');
});
