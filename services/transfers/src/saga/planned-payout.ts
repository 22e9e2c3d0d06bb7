import { randomUUID } from 'node:crypto';

/**
 * The id of the payout that an accepted transfer will have. It is written with the transfer, so that books
 * which were restored to a moment before the payout send it under the same id, and a provider that has paid it
 * pays no second time.
 */
export const planPayout = () => ({ payoutId: randomUUID() });

/** Whether books that were restored to this transfer may be from before a request of its payout. */
export const mayHaveBeenSent = ({ metadata }: { metadata: Record<string, unknown> }) => metadata.isRestored === true;

/** Transfers from before ids were planned get theirs when their payout begins. */
export function plannedPayoutId({ metadata }: { metadata: Record<string, unknown> }): string {
  return typeof metadata.payoutId === 'string' ? metadata.payoutId : randomUUID();
}
