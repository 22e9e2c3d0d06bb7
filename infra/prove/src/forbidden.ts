import { noteUnexpected, post } from './calls.ts';
import { drawOrder, type Recipients } from './draw-order.ts';
import type { History } from './history.ts';
import type { Merchant } from './merchants.ts';

/** Sends once a new order that must be refused with one of these statuses, and must not appear in the books. */
export async function sendForbidden(
  merchant: Merchant,
  history: History,
  { why, statuses, recipients }: { why: string; statuses: readonly number[]; recipients: Recipients },
): Promise<void> {
  const { path, body, clientTransactionId } = await drawOrder(merchant, history, recipients);
  history.forbidden.push({ clientTransactionId, why });
  const answer = await post(merchant.client, history, { path, body });
  noteUnexpected(history, `an order ${why}`, { answer, expected: statuses });
}
