import type { AuditEntry } from '@vuka/contracts/http/audit-trail';
import type { MerchantDetail } from '@vuka/contracts/http/merchants';
import type { DeadMessage, QueueFigures } from '@vuka/contracts/http/queues';
import type { RecoveryPreview } from '@vuka/contracts/http/recovery';
import { logs } from './admin-fixtures.ts';
import { admin, amina, fixedId, receiptOf, transactions } from './fixtures.ts';

function entry(number: number, changes: Partial<AuditEntry>): AuditEntry {
  return {
    id: fixedId(6000 + number),
    actor: { userId: admin.id, adminId: 'ADM10000001', name: admin.fullName },
    address: '196.201.214.7',
    action: 'rates.updated',
    subject: { kind: 'rates', id: 'KES/TZS', label: null },
    reason: null,
    before: { buyRate: '23.2', markup: '2' },
    after: { buyRate: '23.5', markup: '2' },
    requestId: `request-${number}`,
    at: `2026-01-12T0${9 - number}:15:00.000Z`,
    ...changes,
  };
}

export const auditEntries: AuditEntry[] = [
  entry(0, {}),
  entry(1, {
    action: 'user.blocked',
    subject: { kind: 'user', id: fixedId(12), label: 'Neema Mushi' },
    before: { isBlocked: false },
    after: { isBlocked: true },
  }),
  entry(2, {
    action: 'deposit.made',
    subject: { kind: 'deposit', id: fixedId(3000), label: 'DEP-20260112-7KQ2M9XA' },
    reason: 'Float for the Nairobi desk',
    before: null,
    after: { amount: '250000.00', currency: 'KES' },
  }),
  entry(3, {
    action: 'dead-message.dropped',
    subject: { kind: 'queue', id: fixedId(7001), label: 'integration-log.calls' },
    reason: '=HYPERLINK("http://evil.test")',
    before: { type: 'integration.calls-recorded.v1', attempts: 4, body: { data: { calls: [] } } },
    after: null,
  }),
];

const FIGURES: QueueFigures = {
  name: '',
  ready: 0,
  unacknowledged: null,
  delayed: 0,
  dead: 0,
  consumers: 1,
  inPerSecond: null,
  outPerSecond: null,
  oldestSeconds: null,
  keepsDead: true,
};

export const queues: QueueFigures[] = [
  {
    ...FIGURES,
    name: 'transfers.execution',
    ready: 3,
    unacknowledged: 2,
    delayed: 1,
    consumers: 2,
    inPerSecond: 1.6,
    outPerSecond: 1.4,
  },
  { ...FIGURES, name: 'integration-log.calls', dead: 2 },
  { ...FIGURES, name: 'gateway.live-events', ready: 12_408 },
  { ...FIGURES, name: 'vuka.unrouted', ready: 27, delayed: null, dead: null, consumers: 0, keepsDead: false },
];

export const deadMessages: DeadMessage[] = [1, 2].map((number) => ({
  id: fixedId(7000 + number),
  type: 'integration.calls-recorded.v1',
  routingKey: 'integration.calls-recorded.v1',
  reason: number === 1 ? 'not recorded calls' : 'value too long for type character varying(50)',
  attempts: number === 1 ? 1 : 4,
  diedAt: `2026-01-12T0${5 + number}:20:00.000Z`,
  body: { specversion: '1.0', id: fixedId(7000 + number), data: { calls: [{ provider: 'pawapay', token: '***' }] } },
}));

export const merchantFigures: Pick<MerchantDetail, 'balances' | 'recentTransactions' | 'volumes'> = {
  balances: {
    KES: { posted: '45250.00', held: '25000.00', available: '20250.00' },
    TZS: { posted: '1250000.00', held: '0.00', available: '1250000.00' },
  },
  recentTransactions: transactions.slice(0, 5),
  volumes: Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.parse('2025-12-14') + index * 86_400_000).toISOString().slice(0, 10),
    sent: {
      KES: index % 7 === 5 ? '0.00' : `${((index * 37) % 11) * 2_500}.00`,
      TZS: index === 20 ? '350000.00' : '0.00',
    },
  })),
};

export function recoveryOf(id: string): RecoveryPreview {
  const item = transactions.find((one) => one.id === id) ?? transactions[0];
  if (!item) throw new Error('no transaction in the fixtures');
  return {
    transaction: { ...receiptOf(item).transaction, id },
    accountId: amina.id,
    legs: {
      held: 'done',
      payoutWritten: 'done',
      providerAsked: 'done',
      ...(item.status === 'SETTLED'
        ? ({ providerPaid: 'done', captured: 'done' } as const)
        : ({ providerPaid: 'waiting', captured: 'not_begun' } as const)),
      released: 'not_needed',
    },
    payout: {
      id: fixedId(4001),
      provider: 'pawapay',
      state: 'accepted',
      requestsSent: 1,
      lastSentAt: '2026-01-11T09:15:08.000Z',
      failureCode: null,
      providerReference: null,
    },
    paidIntoWalletAt: null,
    retries: [
      {
        id: fixedId(8001),
        adminId: 'ADM10000001',
        createdAt: '2026-01-11T10:00:00.000Z',
        finishedAt: '2026-01-11T10:00:01.000Z',
        result: 'still waiting for the provider',
        succeeded: null,
      },
    ],
    isRetryable: true,
    nextLookAt: '2026-01-12T12:09:00.000Z',
    lastCall: logs[1] ?? null,
  };
}
