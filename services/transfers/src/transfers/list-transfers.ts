import type { Timeline } from '@vuka/contracts/http/transfers';
import { AppError } from '@vuka/service-kit/app-error';
import type { Caller } from '@vuka/service-kit/tokens';
import { sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';

export interface Page {
  limit: number;
  /** The id of the last transfer that was seen. */
  cursor?: string | undefined;
}

/** What a user sent and received, newest first: ids sort by time. One row more than the limit when there is more. */
export async function listTransfersOf(db: Db, userId: string, page: Page): Promise<TransferRow[]> {
  const before = page.cursor ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const rows = await sql<TransferRow>`
    (select * from transactions where user_id = ${userId} and id < ${before} order by id desc limit ${page.limit + 1})
    union
    (select * from transactions where recipient_user_id = ${userId} and id < ${before} and status = 'SETTLED'
      order by id desc limit ${page.limit + 1})
    order by id desc limit ${page.limit + 1}`.execute(db);
  return rows.rows;
}

/** A transfer that the caller sent, received, or may see as an administrator. Throws not_found for anybody else's. */
export async function getTransferFor(db: Db, id: string, caller: Caller): Promise<TransferRow> {
  const transfer = await db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirst();
  const isSeen =
    transfer &&
    (caller.isAdmin ||
      transfer.user_id === caller.userId ||
      (transfer.recipient_user_id === caller.userId && transfer.status === 'SETTLED'));
  if (!isSeen) throw new AppError('not_found', 'Transaction not found');
  return transfer;
}

export async function getTimeline(db: Db, transferId: string): Promise<Timeline> {
  const rows = await db
    .selectFrom('transaction_lifecycle')
    .selectAll()
    .where('transaction_id', '=', transferId)
    .orderBy('id')
    .execute();
  return {
    timeline: rows.map((row) => ({ status: row.status, notes: row.notes, timestamp: row.timestamp.toISOString() })),
  };
}

/** Transfers that wait with a reason, or have been open for longer than they should. */
export function stuckTransfers(db: Db, openSince: Date) {
  return db
    .selectFrom('transactions')
    .where('is_open', '=', true)
    .where((where) => where.or([where('waiting_reason', 'is not', null), where('created_at', '<', openSince)]));
}

/** The oldest 500 of them, oldest first. */
export function listStuckTransfers(db: Db, openSince: Date): Promise<TransferRow[]> {
  return stuckTransfers(db, openSince).selectAll().orderBy('id').limit(500).execute();
}
