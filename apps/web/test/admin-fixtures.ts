import type { AdminDeposits } from '@vuka/contracts/http/deposits';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import type { Merchant } from '@vuka/contracts/http/merchants';
import type { Notification } from '@vuka/contracts/http/notifications';
import type { AdminOverview, TransferDay } from '@vuka/contracts/http/overview';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import type { NotificationSettings, SystemSettings } from '@vuka/contracts/http/settings';
import type * as z from 'zod/mini';
import { amina, balances, fixedId } from './fixtures.ts';

const { id, username, fullName, email, phone, country, defaultCurrency, createdAt } = amina;

const WHO = [
  ['Juma Mwakyusa', 'juma', 'Tanzania', 'TZS', 'JUMA7310TZKE'],
  ['Wanjiku Kamau', 'wanjiku', 'Kenya', 'KES', 'WANJ1204KENB'],
  ['Neema Mushi', 'neema', 'Tanzania', 'TZS', 'NEEM5567DARS'],
  ['Otieno Odhiambo', 'otieno', 'Kenya', 'KES', 'OTIE9031KISU'],
  ['Fatma Said', 'fatma', 'Tanzania', 'TZS', 'FATM2248ZNZB'],
] as const;

export const merchants: z.infer<typeof Merchant>[] = [
  {
    id,
    username,
    fullName,
    email,
    phone,
    country,
    defaultCurrency,
    createdAt,
    merchantId: 'AMIN4821WKES',
    isBlocked: false,
    lockedUntil: null,
  },
  ...WHO.map(([name, login, from, currency, merchantId], index) => ({
    id: fixedId(10 + index),
    username: `${login}@vuka.test`,
    fullName: name,
    email: `${login}@vuka.test`,
    phone: from === 'Kenya' ? `+25471200000${index}` : `+25575400000${index}`,
    country: from,
    defaultCurrency: currency,
    merchantId,
    isBlocked: login === 'neema',
    lockedUntil: login === 'otieno' ? '2026-01-12T12:15:00.000Z' : null,
    createdAt: `2026-01-${String(3 + index).padStart(2, '0')}T08:00:00.000Z`,
  })),
];

export const deposits: z.infer<typeof AdminDeposits>['deposits'] = [
  ['250000.00', 'KES', 'Float for the Nairobi desk', 'DEP-20260112-7KQ2M9XA'],
  ['5000000.00', 'TZS', 'Float for the Dar es Salaam desk', 'DEP-20260110-M3H8TT0C'],
  ['1000.00', 'USD', 'Reserve', 'DEP-20260105-ZP41VD6N'],
].map(([amount, currency, reason, reference], index) => ({
  id: fixedId(3000 + index),
  created_at: `2026-01-${String(12 - index * 3).padStart(2, '0')}T07:30:00.000Z`,
  amount: String(amount),
  currency: currency as 'KES',
  reason: String(reason),
  reference: String(reference),
  transactionId: fixedId(3900 + index),
}));

export const rateHistory: RateHistoryItem[] = [
  ['2026-01-12T06:30:00.000Z', 23.5, 2],
  ['2026-01-09T06:30:00.000Z', 23.2, 2],
  ['2026-01-06T06:30:00.000Z', 23.35, 2.5],
  ['2026-01-02T06:30:00.000Z', 22.9, 2.5],
].map(([at, buyRate, markup], index) => ({
  id: fixedId(3100 + index),
  createdAt: String(at),
  buyRate: Number(buyRate),
  markup: Number(markup),
  sellRate: Math.round(Number(buyRate) * (100 - Number(markup)) * 10) / 1000,
  updatedByName: 'Zuri Admin',
}));

export const notificationSettings: z.infer<typeof NotificationSettings> = {
  emailNotifications: true,
  smsNotifications: true,
  loginAlerts: true,
  transactionAlerts: true,
};

export const systemSettings: SystemSettings = {
  systemName: 'Vuka',
  supportEmail: 'support@vuka.test',
  maxPinAttempts: 3,
  autoLogoutMinutes: 30,
  withdrawalApprovalLimit: { KES: '100000', TZS: '2000000' },
  creditApprovalLimit: { KES: '10000000', TZS: '200000000', USD: '75000' },
};

function log(number: number, changes: Partial<IntegrationLog>): IntegrationLog {
  return {
    id: fixedId(3200 + number),
    transactionId: fixedId(1001),
    moneyTransferId: fixedId(4001),
    provider: 'pawapay',
    operation: 'payout.initiate',
    url: 'https://api.pawapay.test/v2/payouts',
    requestMethod: 'POST',
    requestBody: {
      payoutId: fixedId(4001),
      amount: '575750',
      currency: 'TZS',
      recipient: { type: 'MMO', accountDetails: { phoneNumber: '255754111222', provider: 'VODACOM_TZA' } },
      authorization: '***',
    },
    responseBody: { payoutId: fixedId(4001), status: 'ACCEPTED' },
    responseStatus: 200,
    success: true,
    timestamp: `2026-01-11T09:15:0${9 - number}.000Z`,
    ...changes,
  };
}

export const logs: IntegrationLog[] = [
  log(0, {
    operation: 'payout.status',
    requestMethod: 'GET',
    requestBody: null,
    responseBody: null,
    responseStatus: null,
    success: false,
  }),
  log(1, {}),
  log(2, { transactionId: fixedId(1002), operation: 'payout.callback', timestamp: '2026-01-10T09:15:04.000Z' }),
  log(3, { transactionId: fixedId(1002), timestamp: '2026-01-10T09:15:02.000Z' }),
];

function transferDay(index: number): TransferDay {
  const settled = index % 7 === 0 ? 0 : 40 + ((index * 37) % 90);
  return {
    day: new Date(Date.UTC(2025, 11, 14 + index)).toISOString().slice(0, 10),
    settled,
    failed: settled === 0 ? 0 : (index * 5) % 9,
    open: index === 29 ? 4 : 0,
    volumes: { KES: `${settled * 12_500}.00`, TZS: `${settled * 84_000}.00` },
  };
}

export const overview: AdminOverview = {
  checkedAt: '2026-01-12T06:31:00.000Z',
  parts: ['gateway', 'identity', 'wallet', 'transfers', 'transfers-worker', 'rates', 'admin', 'integration-log'].map(
    (name) => ({ name, ready: true }),
  ),
  balances: balances.balances,
  recentDeposits: { count: 2, days: 7 },
  currentRate: { buyRate: 23.5, markup: 2, sellRate: 23.03, updatedAt: '2026-01-12T06:30:00.000Z' },
  transfers: {
    stuck: { count: 1, oldestCreatedAt: '2026-01-11T09:15:00.000Z' },
    days: Array.from({ length: 30 }, (_, index) => transferDay(index)),
    withProvider: { KES: '29200.00', TZS: '46060.00' },
    medianDeliveryMs: 4_200,
  },
  wallets: {
    available: { KES: '4812350.00', TZS: '98210400.00' },
    reserved: { KES: '54200.00', TZS: '350000.00' },
  },
};

export const notifications: Notification[] = [
  {
    id: fixedId(4203),
    occasion: 'arrived/amina',
    createdAt: '2026-01-12T08:20:00.000Z',
    channel: 'email',
    recipient: 'amina@vuka.test',
    subject: 'Your transfer of 25,000 KES arrived',
    body: 'Hello Amina Otieno,\n\nYou sent 25,000 KES; 575,750 TZS arrived.\n\nVuka never asks for your PIN.',
    status: 'sent',
    attempts: 1,
    sentAt: '2026-01-12T08:20:02.000Z',
    lastError: null,
  },
  {
    id: fixedId(4202),
    occasion: 'arrived/amina',
    createdAt: '2026-01-12T08:20:00.000Z',
    channel: 'sms',
    recipient: '+254712000001',
    subject: null,
    body: 'Vuka: You sent 25,000 KES; 575,750 TZS arrived.',
    status: 'kept',
    attempts: 0,
    sentAt: null,
    lastError: null,
  },
  {
    id: fixedId(4201),
    createdAt: '2026-01-11T06:02:00.000Z',
    channel: 'email',
    recipient: 'juma@vuka.test',
    subject: 'New sign-in to Vuka',
    body: 'Hello Juma Said,\n\nYour account was signed in to on 11 Jan 2026, 09:02.',
    status: 'failed',
    attempts: 6,
    sentAt: null,
    lastError: '550 no such mailbox',
  },
];
