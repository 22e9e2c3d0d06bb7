import type { TransferChanged } from '@vuka/contracts/messages/transfers';
import { expect, test } from 'vitest';
import { messagesTo, notificationsOf, type Occurrence } from './notification.domain.ts';

const ALL = { emailNotifications: true, smsNotifications: true, loginAlerts: true, transactionAlerts: true };
const HOUSE = { systemName: 'Vuka', supportEmail: 'support@vuka.test' };
const AT = '2026-01-05T11:05:00.000Z';
const AMINA = '0190a000-0000-7000-8000-000000000001';
const JUMA = '0190a000-0000-7000-8000-000000000002';

function transfer(changes: Partial<TransferChanged>): Occurrence {
  const data: TransferChanged = {
    transferId: '0190a000-0000-7000-8000-00000000abcd',
    type: 'transfer',
    status: 'SETTLED',
    reason: null,
    userId: AMINA,
    recipientUserId: null,
    sourceAmount: '1000.00',
    sourceCurrency: 'KES',
    targetAmount: '23030.00',
    targetCurrency: 'TZS',
    at: AT,
    ...changes,
  };
  return { kind: 'transfer', data };
}

test.each([
  ['a transfer that arrived', transfer({}), [[AMINA, 'Your transfer of 1,000 KES arrived']]],
  [
    'a transfer to a merchant',
    transfer({ recipientUserId: JUMA }),
    [
      [AMINA, 'Your transfer of 1,000 KES arrived'],
      [JUMA, '23,030 TZS received'],
    ],
  ],
  ['a transfer that failed', transfer({ status: 'FAILED' }), [[AMINA, 'Your transfer of 1,000 KES failed']]],
  ['an open transfer', transfer({ status: 'PROCESSING' }), []],
  [
    'a deposit',
    transfer({ type: 'deposit', targetAmount: '500.00', targetCurrency: 'KES' }),
    [[AMINA, '500 KES received']],
  ],
  ['a withdrawal', transfer({ type: 'withdrawal' }), [[AMINA, 'Your withdrawal of 1,000 KES arrived']]],
] as const)('%s notifies the people concerned', (_, occurrence, expected) => {
  expect(notificationsOf(occurrence, ALL, HOUSE).map(({ userId, subject }) => [userId, subject])).toEqual(expected);
});

test('a sign-in notification has the time in East Africa and the support address', () => {
  const [notification] = notificationsOf({ kind: 'signed_in', data: { userId: AMINA, at: AT } }, ALL, HOUSE);
  expect(notification?.text).toContain('5 Jan 2026, 14:05');
  expect(notification?.text).toContain('If it was not you, change your PIN at once and write to support@vuka.test');
});

test('a changed or reset PIN is notified whatever the switches for alerts', () => {
  const silent = { ...ALL, loginAlerts: false, transactionAlerts: false };
  const texts = (['changed', 'reset'] as const).flatMap((how) =>
    notificationsOf({ kind: 'pin_changed', data: { userId: AMINA, how, at: AT } }, silent, HOUSE).map(
      ({ text }) => text,
    ),
  );
  expect(texts).toEqual([
    'Your PIN was changed on 5 Jan 2026, 14:05. If it was not you, write to support@vuka.test at once.',
    'Your PIN was replaced on 5 Jan 2026, 14:05. If it was not you, write to support@vuka.test at once.',
  ]);
});

test('a switch that is off silences its kind and no other', () => {
  const signIn: Occurrence = { kind: 'signed_in', data: { userId: AMINA, at: AT } };
  expect(notificationsOf(signIn, { ...ALL, loginAlerts: false }, HOUSE)).toEqual([]);
  expect(notificationsOf(signIn, { ...ALL, transactionAlerts: false }, HOUSE)).toHaveLength(1);
  expect(notificationsOf(transfer({}), { ...ALL, transactionAlerts: false }, HOUSE)).toEqual([]);
  expect(notificationsOf(transfer({}), { ...ALL, loginAlerts: false }, HOUSE)).toHaveLength(1);
});

test('each enabled channel with an address for the person gets its message', () => {
  const notification = { userId: AMINA, subject: 'S', text: 'T' };
  const contact = { email: 'amina@vuka.test', phone: '+254712000001', isPhoneVerified: true };
  const channels = (settings: typeof ALL, phone: string | null = contact.phone) =>
    messagesTo(notification, { ...contact, phone }, settings, HOUSE).map(({ channel, recipient }) => [
      channel,
      recipient,
    ]);
  expect(channels(ALL)).toEqual([
    ['email', 'amina@vuka.test'],
    ['sms', '+254712000001'],
  ]);
  expect(channels({ ...ALL, smsNotifications: false })).toEqual([['email', 'amina@vuka.test']]);
  expect(channels({ ...ALL, emailNotifications: false })).toEqual([['sms', '+254712000001']]);
  const access = { ...notification, isAboutAccess: true };
  const off = { ...ALL, emailNotifications: false, smsNotifications: false };
  expect(channels(off)).toEqual([]);
  expect(messagesTo(access, contact, off, HOUSE).map(({ channel }) => channel)).toEqual(['email', 'sms']);
  expect(channels(ALL, null)).toEqual([['email', 'amina@vuka.test']]);
  expect(
    messagesTo(notification, { ...contact, isPhoneVerified: false }, ALL, HOUSE).map(({ channel }) => channel),
  ).toEqual(['email']);
});
