import type { PayoutException, PayoutFloat, Reconciliation } from '@vuka/contracts/http/reconciliation';
import { fixedId } from './fixtures.ts';

export const run = (number: number, of: Partial<Reconciliation> = {}): Reconciliation => ({
  id: fixedId(7_000 + number),
  day: `2026-01-${String(12 - number).padStart(2, '0')}`,
  provider: 'pawapay',
  state: 'completed',
  startedAt: '2026-01-12T01:00:00.000Z',
  finishedAt: '2026-01-12T01:00:20.000Z',
  lines: 1_284,
  matched: 1_284,
  waiting: 0,
  differences: 0,
  error: null,
  requestedBy: null,
  ...of,
});

const side = { amount: '23030.00', currency: 'TZS', msisdn: '255763456700' };
const exception = (number: number, of: Partial<PayoutException>): PayoutException => ({
  id: fixedId(7_100 + number),
  kind: 'paid_without_order',
  transactionId: null,
  payoutId: fixedId(7_200 + number),
  details: { ours: null, theirs: { ...side, recordedAt: '2026-01-11T12:00:00.000Z', payments: 1 } },
  createdAt: '2026-01-12T01:00:20.000Z',
  lastSeenAt: '2026-01-12T01:00:20.000Z',
  holdsTransfer: false,
  state: 'open',
  owner: null,
  ownerId: null,
  isOwnedByCaller: false,
  note: null,
  resolvedAt: null,
  ...of,
});

/** An exception whose transfer waits for an administrator. */
export const heldException = exception(4, {
  kind: 'different_amount',
  transactionId: fixedId(1_003),
  details: { ...side, amount: '23031', state: 'completed' },
  lastSeenAt: '2026-01-12T09:00:00.000Z',
  holdsTransfer: true,
});

/** The mock server's books and those of the provider. */
const floats: PayoutFloat[] = [
  {
    currency: 'KES',
    booked: '4250000.00',
    underWay: '0.00',
    providerBalance: '4250000.00',
    difference: '0.00',
    differsSince: null,
    comparedAt: '2026-01-12T09:50:00.000Z',
  },
  {
    currency: 'TZS',
    booked: '98400000.00',
    underWay: '46060.00',
    providerBalance: '98352690.00',
    difference: '-1250.00',
    differsSince: '2026-01-12T08:20:00.000Z',
    comparedAt: '2026-01-12T09:50:00.000Z',
  },
];

export interface ReconciliationWorld {
  reconciliations: Reconciliation[];
  floats: PayoutFloat[];
  exceptions: PayoutException[];
}

export const reconciliationWorld = (): ReconciliationWorld => ({
  floats: [...floats],
  reconciliations: [
    run(1, { lines: 1_285, differences: 2, matched: 1_283 }),
    run(2, {
      state: 'failed',
      lines: null,
      matched: null,
      waiting: null,
      differences: null,
      error: 'the statement of TZS took too long',
    }),
    run(2, { id: fixedId(7_050), requestedBy: 'Neema Mrema' }),
    run(3),
  ],
  exceptions: [
    exception(1, {}),
    exception(2, {
      kind: 'paid_but_failed',
      transactionId: fixedId(1_000),
      owner: 'Neema Mrema',
      ownerId: 'ADM2',
      details: { ours: { ...side, state: 'failed' }, theirs: { ...side, payments: 1 } },
    }),
    exception(3, {
      kind: 'different_figures',
      transactionId: fixedId(1_002),
      details: { ours: { ...side, state: 'completed' }, theirs: { ...side, amount: '23031.00', payments: 1 } },
      state: 'resolved',
      owner: 'Baraka Mushi',
      note: 'The provider rounded up and paid the difference.',
      resolvedAt: '2026-01-11T09:30:00.000Z',
    }),
  ],
});
