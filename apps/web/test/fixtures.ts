import type { Balances } from '@vuka/contracts/http/balances';
import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { RateDays, Rates } from '@vuka/contracts/http/rates';
import type { User } from '@vuka/contracts/http/signed-in-user';
import type { Receipt, Timeline, TransactionListItem } from '@vuka/contracts/http/transfers';
import { LEDGER_INVARIANTS } from '@vuka/contracts/texts/ledger-invariants';
import { TRANSFER_NOTES } from '@vuka/contracts/texts/transfer-notes';

/** The note of a transfer whose provider does not answer. */
export const NO_ANSWER = {
  statusReason: TRANSFER_NOTES.network_silent,
  statusReasonCodes: [{ code: 'network_silent' }],
};

export const PIN = '1357';

/** A UUIDv7 that is the same in every run. */
export function fixedId(number: number): string {
  return `0190a5c0-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export const amina: User = {
  id: fixedId(1),
  username: 'amina@vuka.test',
  email: 'amina@vuka.test',
  fullName: 'Amina Wanjiru',
  phone: '+254712345678',
  country: 'Kenya',
  defaultCurrency: 'KES',
  isAdmin: false,
  merchantData: { merchantId: 'AMIN4821WKES' },
  adminId: null,
  createdAt: '2026-01-02T08:00:00.000Z',
};

export const admin: User = {
  ...amina,
  id: fixedId(2),
  username: 'admin@vuka.test',
  email: 'admin@vuka.test',
  fullName: 'Zuri Admin',
  isAdmin: true,
  merchantData: null,
  adminId: 'ADM1',
  adminRole: 'owner',
  secondFactor: 'none',
};

export const balances: Balances = {
  defaultCurrency: 'KES',
  balances: { KES: '125400.00', TZS: '2350000.50' },
};

export const rates: Rates = {
  kesToTzs: 23.03,
  tzsToKes: 0.04170212766,
  sellRate: 23.03,
  buyRate: 23.5,
  markup: 2,
  updatedAt: '2026-01-12T06:30:00.000Z',
};

/** Thirty days: the rate falls, rises, and is at its best today. */
export const rateDays: RateDays = {
  days: Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.parse('2025-12-14T00:00:00Z') + index * 86_400_000).toISOString().slice(0, 10),
    sellRate: [22.9, 22.84, 22.71, 22.78, 22.95, 22.9, 23.03][Math.floor(index / 4.5)] ?? 23.03,
  })),
  bestOfWeek: ['KES_TO_TZS'],
};

type ListOverrides = Partial<Omit<TransactionListItem, 'metadata'>> & {
  metadata?: Partial<TransactionListItem['metadata']>;
};

export function transaction(number: number, overrides: ListOverrides = {}): TransactionListItem {
  const { metadata, ...rest } = overrides;
  const day = String(12 - (number % 11)).padStart(2, '0');
  return {
    id: fixedId(1000 + number),
    createdAt: `2026-01-${day}T09:15:00.000Z`,
    updatedAt: `2026-01-${day}T09:15:04.000Z`,
    sourceAmount: '25000.00',
    sourceCurrency: 'KES',
    targetAmount: '575750.00',
    targetCurrency: 'TZS',
    exchangeRate: '23.03',
    direction: 'KES_TO_TZS',
    recipientPhone: '+255712345678',
    status: 'SETTLED',
    ...rest,
    metadata: { isAdminCredit: false, transactionType: 'DEBIT', ...metadata },
  };
}

const towardsKenya: ListOverrides = {
  sourceAmount: '350000.00',
  sourceCurrency: 'TZS',
  targetAmount: '14596.00',
  targetCurrency: 'KES',
  exchangeRate: '0.04170212766',
  direction: 'TZS_TO_KES',
  recipientPhone: '+254722000111',
};

/** Newest first: every status, both directions, a credit and an incoming payment. */
export const transactions: TransactionListItem[] = [
  transaction(0, { status: 'PROCESSING', sourceAmount: '4200.00', targetAmount: '96726.00' }),
  transaction(1, { status: 'PENDING', recipientPhone: '+255754111222' }),
  transaction(2, towardsKenya),
  transaction(3, {
    sourceAmount: '50000.00',
    targetAmount: '50000.00',
    targetCurrency: 'KES',
    direction: null,
    exchangeRate: null,
    recipientPhone: 'ADMIN',
    metadata: { isAdminCredit: true, transactionType: 'CREDIT' },
  }),
  transaction(4, { status: 'FAILED', recipientPhone: '+255688333444' }),
  transaction(5, { ...towardsKenya, metadata: { transactionType: 'CREDIT' } }),
  transaction(6, { recipientPhone: '+255767555666', sourceAmount: '1250.50', targetAmount: '28799.00' }),
  transaction(7, { status: 'CANCELLED' }),
];

export function receiptOf(item: TransactionListItem): Receipt {
  return {
    transaction: {
      id: item.id,
      type: item.metadata.isAdminCredit ? 'deposit' : 'transfer',
      created_at: item.createdAt,
      updated_at: item.updatedAt,
      source_amount: item.sourceAmount,
      source_currency: item.sourceCurrency,
      target_amount: item.targetAmount,
      target_currency: item.targetCurrency,
      exchange_rate: item.exchangeRate,
      fee: '0.00',
      direction: item.direction,
      status: item.status,
      status_reason: item.status === 'FAILED' ? REFUSED.notes : null,
      ...(item.status === 'FAILED' ? { status_reason_codes: REFUSED.codes } : {}),
      metadata: {
        recipientPhone: item.recipientPhone,
        recipientName: null,
        recipientAccount: null,
        // Only the sender receives it.
        clientTransactionId: item.metadata.transactionType === 'DEBIT' ? `CLIENT-${item.id}` : null,
        ...item.metadata,
      },
    },
  };
}

/** A note as the server writes it: its English, and its code for other languages. */
const noteOf = (code: keyof typeof TRANSFER_NOTES) => ({ notes: TRANSFER_NOTES[code], codes: [{ code }] });
const REFUSED = noteOf('network_refused');

export function timelineOf(item: TransactionListItem): Timeline {
  const at = (seconds: number): string => new Date(Date.parse(item.createdAt) + seconds * 1000).toISOString();
  const rows: Timeline['timeline'] = [{ status: 'PENDING', notes: null, timestamp: at(0) }];
  if (item.status === 'PENDING' || item.status === 'CANCELLED') return { timeline: rows };
  rows.push({ status: 'PROCESSING', ...noteOf('reserved_for_network'), timestamp: at(1) });
  if (item.status === 'PROCESSING') return { timeline: rows };
  const ended = item.status === 'FAILED' ? REFUSED : noteOf('delivered');
  rows.push({ status: item.status, ...ended, timestamp: at(4) });
  return { timeline: rows };
}

export const audit: LedgerAudit = {
  holds: true,
  checkedAt: '2026-01-12T06:31:00.000Z',
  invariants: (
    [
      ['I1', 18_342],
      ['I2', 412],
      ['I3', 396],
      ['I4', 9_120],
    ] as const
  ).map(([id, checked]) => ({
    id,
    statement: LEDGER_INVARIANTS[id],
    checked,
    violations: 0,
    lastHeldAt: '2026-01-12T06:31:00.000Z',
  })),
};
