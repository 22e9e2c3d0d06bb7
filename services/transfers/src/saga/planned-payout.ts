import { randomUUID } from 'node:crypto';

/**
 * The payout id of an accepted transfer, chosen when the transfer is written. Books restored to a moment before the
 * payout therefore send it under the same id, and a provider that has already paid it does not pay again.
 */
export const planPayout = () => ({ payoutId: randomUUID() });

/** Whether the provider may already have a request that these books do not: the transfer comes from a restore. */
export const mayHaveBeenSent = ({ metadata }: { metadata: Record<string, unknown> }) => metadata.isRestored === true;

/** Transfers accepted before payout ids were planned get one when their payout begins. */
export function plannedPayoutId({ metadata }: { metadata: Record<string, unknown> }): string {
  return typeof metadata.payoutId === 'string' ? metadata.payoutId : randomUUID();
}
