import { createHash } from 'node:crypto';
import type { BooksEpoch } from '#payouts/books-epoch.ts';

interface OrderKey {
  user_id: string;
  client_transaction_id: string;
}

/**
 * The payout id of an order, the same whenever the order is accepted: books that have lost the payout, or the order
 * itself, send it under the same id, and a provider that has already paid it does not pay again. Shaped as a UUID of
 * version 4 (RFC 9562), which pawaPay requires.
 */
export function planPayout({ user_id: userId, client_transaction_id: key }: OrderKey): { payoutId: string } {
  const bytes = createHash('sha256').update(`payout ${userId} ${key}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const payoutId = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { payoutId };
}

/** The id chosen at acceptance. Transfers accepted before payout ids were planned get theirs when the payout begins. */
export function plannedPayoutId(transfer: OrderKey & { metadata: Record<string, unknown> }): string {
  const { payoutId } = transfer.metadata;
  return typeof payoutId === 'string' ? payoutId : planPayout(transfer).payoutId;
}

/** Whether the provider may already have a request that these books do not: commits may have been lost since. */
export function mayHaveBeenSent(
  { created_at: acceptedAt, metadata }: { created_at: Date; metadata: Record<string, unknown> },
  { unsureUntil }: BooksEpoch,
): boolean {
  // Marked by a restore of books that had no epochs yet.
  return metadata.isRestored === true || (unsureUntil !== null && acceptedAt < unsureUntil);
}
