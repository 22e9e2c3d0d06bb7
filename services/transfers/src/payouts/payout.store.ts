import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import { EVENTS } from '@vuka/service-kit/messaging/topology';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, PayoutRow } from '#db/schema.ts';
import type { ProviderCall } from './payout-provider.ts';

/** The payouts with these ids, in order; undefined where there is none. */
export async function findPayouts(db: Db, ids: string[]): Promise<(PayoutRow | undefined)[]> {
  const rows = await db
    .selectFrom('money_transfers')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** The newest payout of each transfer, in order; undefined where there is none. */
export async function findPayoutsOf(db: Db, transferIds: string[]): Promise<(PayoutRow | undefined)[]> {
  const rows = await sql<PayoutRow>`
    select distinct on (transaction_id) * from money_transfers
    where transaction_id = any(${transferIds}::uuid[]) order by transaction_id, created_at desc`.execute(db);
  const byTransfer = new Map(rows.rows.map((row) => [row.transaction_id, row]));
  return transferIds.map((id) => byTransfer.get(id));
}

/** A provider's call as the integration log keeps it. */
export function toLog(call: ProviderCall, payout: { transferId: string; payoutId: string }, at: Date): IntegrationLog {
  return {
    ...call,
    id: uuidv7(at.getTime()),
    transactionId: payout.transferId,
    moneyTransferId: payout.payoutId,
    timestamp: at.toISOString(),
  };
}

/** Records calls that no step of a transfer goes with. */
export async function recordCalls(db: Db, calls: IntegrationLog[]): Promise<void> {
  if (calls.length === 0) return;
  const envelope = cloudEvent({ source: '/vuka/transfers', type: CALLS_RECORDED, data: { calls } });
  await db.transaction().execute((trx) => appendToOutbox(trx, [{ exchange: EVENTS, envelope }]));
}

/** Keeps what a provider said that does not fit our books, for an administrator. It never moves money. */
export async function openException(
  db: Db,
  payout: PayoutRow,
  exception: { kind: string; details: Record<string, unknown>; at: Date },
): Promise<void> {
  await db
    .insertInto('payout_exceptions')
    .values({
      id: uuidv7(),
      transaction_id: payout.transaction_id,
      money_transfer_id: payout.id,
      kind: exception.kind,
      details: JSON.stringify(exception.details),
      created_at: exception.at,
    })
    .execute();
}
