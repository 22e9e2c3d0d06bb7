import type { Caller } from '@vuka/access/caller';
import type { Reading } from '@vuka/access/reads';
import { mayDo } from '@vuka/contracts/http/admin-rights';
import type { Direction } from '@vuka/contracts/http/common';
import type { Timeline, TransferStatus } from '@vuka/contracts/http/transfers';
import { AppError } from '@vuka/service-kit/app-error';
import { firstIdAt } from '@vuka/service-kit/ids';

import { type RawBuilder, sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import type { Search } from './search.domain.ts';

export interface HistoryQuery {
  limit: number;
  /** The id of the last transfer on the previous page. */
  cursor?: string | undefined;
  status?: TransferStatus | undefined;
  direction?: Direction | undefined;
  /** Inclusive `from`, exclusive `before`. */
  from?: Date | undefined;
  before?: Date | undefined;
  search?: Search | undefined;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A user's sent and received transfers, newest first (ids sort by time); one row more than the limit if there are more.
 * The filters are answered by the history's indexes, so only the returned rows are read.
 */
export async function listTransfersOf(db: Db, userId: string, query: HistoryQuery): Promise<TransferRow[]> {
  return (await historyOf(userId, query).execute(db)).rows;
}

export function historyOf(userId: string, query: HistoryQuery): RawBuilder<TransferRow> {
  const { status, limit } = query;
  const asked = filtersOf(query);
  const most = sql`order by id desc limit ${limit + 1}`;
  // No index holds the status of an open transfer; open transfers are few and have their own index. The status is a
  // literal, not a parameter, so that the planner can use the partial index of failed transfers.
  const isOpen = status === 'PENDING' || status === 'PROCESSING';
  const ended = status ? (isOpen ? sql`and is_open` : sql`and ended_as = ${sql.lit(status)}`) : sql``;
  const sent = sql`select id from transactions where user_id = ${userId} ${asked} ${ended} ${isOpen ? sql`` : most}`;
  const received = sql`
    union
    (select id from transactions where recipient_user_id = ${userId} and ended_as = 'SETTLED' ${asked} ${most})`;
  return sql<TransferRow>`
    with found as materialized ((${sent}) ${status === undefined || status === 'SETTLED' ? received : sql``})
    select transactions.* from found join transactions using (id)
    ${isOpen ? sql`where status = ${status}` : sql``} ${most}`;
}

function filtersOf({ cursor, direction, from, before, search }: HistoryQuery): RawBuilder<unknown> {
  const parts = [sql`and id < ${cursor ?? LAST_ID}`];
  if (before) parts.push(sql`and id < ${firstIdAt(before)}`);
  if (from) parts.push(sql`and id >= ${firstIdAt(from)}`);
  if (direction) parts.push(sql`and direction = ${direction}`);
  if (search) parts.push(sql`and (${sql.join(alternativesOf(search), sql` or `)})`);
  return sql.join(parts, sql` `);
}

function alternativesOf({ ids, phoneDigits, amounts }: Search): RawBuilder<unknown>[] {
  return [
    ...(ids ? [sql`id between ${ids.first} and ${ids.last}`] : []),
    ...(phoneDigits ? [sql`position(${phoneDigits} in recipient_phone) > 0`] : []),
    ...(amounts
      ? [
          sql`source_amount between ${amounts.leastMinor} and ${amounts.mostMinor}`,
          sql`target_amount between ${amounts.leastMinor} and ${amounts.mostMinor}`,
        ]
      : []),
  ];
}

/** Those of the given transfers that the user sent or received. */
export function findTransfersOf(db: Db, userId: string, ids: readonly string[]): Promise<TransferRow[]> {
  return db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        where.and([where('recipient_user_id', '=', userId), where('status', '=', 'SETTLED')]),
      ]),
    )
    .execute();
}

export interface TransferReader {
  db: Db;
  noteReading: (reading: Reading) => Promise<void>;
}

/**
 * A transfer that the caller sent or received, or that their role as an administrator lets them see: this goes on the
 * audit trail. Throws not_found for any other.
 */
export async function getTransferFor(
  { db, noteReading }: TransferReader,
  id: string,
  caller: Caller,
): Promise<TransferRow> {
  const transfer = await db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirst();
  if (!transfer) throw new AppError('transaction_not_found');
  const isOwn =
    transfer.user_id === caller.userId ||
    (transfer.recipient_user_id === caller.userId && transfer.status === 'SETTLED');
  if (isOwn) return transfer;
  if (!caller.isAdmin || !SEEING.some((right) => mayDo(caller.role, right)))
    throw new AppError('transaction_not_found');
  await noteReading({ caller, action: 'transfer.viewed', subject: { kind: 'transfer', id } });
  return transfer;
}

/** One of these lets an administrator see the transfers of others. */
const SEEING = ['merchants.read', 'recovery.read'] as const;

export async function getTimeline(db: Db, transferId: string): Promise<Timeline> {
  const rows = await db
    .selectFrom('transaction_lifecycle')
    .selectAll()
    .where('transaction_id', '=', transferId)
    .orderBy('id')
    .execute();
  return {
    timeline: rows.map(({ status, notes, codes, timestamp }) => ({
      status,
      notes,
      ...(codes ? { codes } : {}),
      timestamp: timestamp.toISOString(),
    })),
  };
}
