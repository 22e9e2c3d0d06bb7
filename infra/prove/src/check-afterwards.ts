import type { Booked } from '@vuka/local/testing/booked';
import type { PaymentFindings } from './check-payments.ts';
import type { ProviderRecord } from './provider-record.ts';

type Seen = Pick<ProviderRecord, 'asked' | 'payments'>;

/**
 * What the provider was asked, and what it paid, since its record was read for the first time. Every transfer had ended
 * by then, so nothing may be paid any more, and only what was requested before may be requested again: the network may
 * deliver a copy of a request. A transfer that has not ended is found as such, and may go on. `before` is the beginning
 * of `after`.
 */
export function checkAfterwards(
  rows: readonly Pick<Booked, 'id' | 'status'>[],
  before: Seen,
  after: Seen,
): Pick<PaymentFindings, 'doubled' | 'violations'> {
  const open = new Set(rows.filter(({ status }) => status !== 'SETTLED' && status !== 'FAILED').map(({ id }) => id));
  const transferOf = new Map(after.asked.map(({ id, transferId }) => [id, transferId]));
  const isOpen = ({ id }: { id: string }) => open.has(transferOf.get(id) ?? '');
  const known = new Set(before.asked.map(({ id }) => id));
  const paid = after.payments.slice(before.payments.length).filter((payment) => !isOpen(payment));
  const asked = after.asked.slice(before.asked.length).filter((request) => !known.has(request.id) && !isOpen(request));
  return {
    doubled: paid.map(({ id }) => `payout ${id}: paid after every transfer had ended`),
    violations: asked.map(({ id }) => `payout ${id}: requested for the first time after every transfer had ended`),
  };
}
