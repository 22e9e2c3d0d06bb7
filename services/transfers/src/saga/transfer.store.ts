import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import { uuidv7 } from '@vuka/service-kit/ids';
import { insertPack, type OutboxMessage, type OutboxPack, packOf } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';
import { countedDay, countedMonth } from '#limits/counted-day.ts';
import type { Allowance, Insertion } from '#limits/limits.domain.ts';

/** A transfer to insert once, with its messages. */
export interface NewTransfer {
  row: TransferRow;
  note: Note;
  messages: OutboxMessage[];
  /** How far its user's count may go; a transfer without an allowance is not counted. */
  allowance?: Allowance;
}

/**
 * Inserts transfers, their first lifecycle rows and their messages, and counts them against their users' limits, in one
 * statement. Returns the outcome of each, in order, and the messages to publish.
 *
 * The limits are checked twice. A transfer that exceeds a limit, together with those before it in the batch, is left
 * out. The snapshot does not show what concurrent statements count: if they leave too little, the constraints of
 * `limit_usage` fail the whole statement, and its transfers are tried in smaller batches.
 */
export async function insertTransfersOnce(db: Db, transfers: NewTransfer[]): Promise<Inserted> {
  const rows = transfers.map(({ row, note, allowance }) => ({
    ...row,
    clock_day: allowance?.day,
    clock_month: allowance?.month,
    day_allowed: allowance && String(allowance.perDay),
    month_allowed: allowance && String(allowance.perMonth),
    notes: noteText(note),
    codes: note,
    request_hash: row.request_hash.toString('hex'),
    source_amount: String(row.source_amount),
    target_amount: String(row.target_amount),
    mid_amount: String(row.mid_amount),
    fee: String(row.fee),
  }));
  const messages = transfers.flatMap(({ row, messages: sent }) => sent.map((message) => ({ rowId: row.id, message })));
  const packId = uuidv7();
  const { rows: answers } = await sql<{ id: string; insertion: Insertion }>`
    with given as (
      select g.*, ${countedDay('clock_day')} as day, ${countedMonth('clock_month')} as month
      from json_to_recordset(${JSON.stringify(rows)}) as g(
        id uuid, user_id uuid, recipient_name text, recipient_phone text, sender_phone text, transaction_type text,
        client_transaction_id text, request_hash text, direction text, source_amount bigint, source_currency text,
        target_amount bigint, target_currency text, fee bigint, mid_amount bigint, exchange_rate text, status text,
        step text, metadata jsonb, next_action_at timestamptz, created_at timestamptz, notes text, codes jsonb,
        clock_day date, clock_month date, day_allowed bigint, month_allowed bigint)
    ), judged as (${JUDGED}
    ), made as (
      insert into transactions (
        id, user_id, recipient_name, recipient_phone, sender_phone, transaction_type, client_transaction_id, request_hash, direction,
        source_amount, source_currency, target_amount, target_currency, fee, mid_amount, exchange_rate, status, step,
        metadata, next_action_at, created_at, updated_at)
      select id, user_id, recipient_name, recipient_phone, sender_phone, transaction_type, client_transaction_id,
        decode(request_hash, 'hex'), direction, source_amount, source_currency, target_amount, target_currency, fee,
        mid_amount, exchange_rate, status, step, metadata, next_action_at + (books_now() - created_at), created_at, created_at
      from judged where refusal is null order by user_id, client_transaction_id, id
      on conflict on constraint transactions_once do nothing
      returning id, status, created_at
    ), counted as (${COUNTED}
    ), lifecycle as (
      insert into transaction_lifecycle (transaction_id, status, notes, codes, "timestamp")
      select id, status, notes, codes, created_at from judged where ${IS_MADE}
    ), sent as (
      ${insertPack(packId, messages, 'made')}
    )
    select id, 'new' as insertion from made union all
    select id, refusal from judged where refusal is not null`.execute(db);
  const insertions = new Map(answers.map(({ id, insertion }) => [id, insertion]));
  const written = new Set(answers.filter(({ insertion }) => insertion === 'new').map(({ id }) => id));
  return {
    insertions: transfers.map(({ row }) => insertions.get(row.id) ?? 'known'),
    pack: packOf(packId, messages, written),
  };
}

/** Adds `refusal` to the given transfers: the limit that each would exceed, together with those before it. */
const JUDGED = sql`
  select given.*, case
    when given.month_allowed < sum(source_amount) over earlier
      + case when used.month >= given.month then used.month_amount else 0 end then 'over_month'
    when given.day_allowed < sum(source_amount) over earlier
      + case when used.day >= given.day then used.day_amount else 0 end then 'over_day'
    end as refusal
  from given left join limit_usage used
    on used.user_id = given.user_id and used.currency = given.source_currency and used.side = 'out'
  window earlier as (partition by given.user_id, source_currency order by given.id rows unbounded preceding)`;

/**
 * `id` is never null here: the alternative makes the planner hash the `in` list, where a join would compare every row
 * with every other.
 */
const IS_MADE = sql`(id is null or id in (select id from made))`;

/** A count never goes back to an earlier day: a replica's clock may be behind. */
const COUNTED = sql`
  insert into limit_usage as used (
    user_id, currency, side, day, day_amount, day_allowed, month, month_amount, month_allowed)
  select user_id, source_currency, 'out', day, sum(source_amount), max(day_allowed),
    month, sum(source_amount), max(month_allowed)
  from judged where day is not null and ${IS_MADE}
  group by user_id, source_currency, day, month order by user_id, source_currency
  on conflict (user_id, currency, side) do update set
    day = greatest(used.day, excluded.day),
    day_amount = excluded.day_amount + case when used.day >= excluded.day then used.day_amount else 0 end,
    day_allowed = excluded.day_allowed,
    month = greatest(used.month, excluded.month),
    month_amount = excluded.month_amount + case when used.month >= excluded.month then used.month_amount else 0 end,
    month_allowed = excluded.month_allowed`;

export interface Inserted {
  insertions: Insertion[];
  pack: OutboxPack;
}

/** The result for each item of a batch, and the messages left in the outbox for the items that were written. */
export interface Written {
  done: boolean[];
  pack: OutboxPack;
}

/** The transfers with these ids, in order; undefined for an unknown id. */
export async function findTransfers(db: Db, ids: string[]): Promise<(TransferRow | undefined)[]> {
  const rows = await db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

export interface ClientKey {
  userId: string;
  clientTransactionId: string;
}

/** The transfers that users have already created with these client transaction ids, in order. */
export async function findByClientKeys(db: Db, keys: ClientKey[]): Promise<(TransferRow | undefined)[]> {
  const rows = await sql<TransferRow>`
    select transactions.* from transactions
    join unnest(
      ${keys.map((key) => key.userId)}::uuid[], ${keys.map((key) => key.clientTransactionId)}::text[]
    ) as asked(user_id, client_transaction_id) using (user_id, client_transaction_id)`.execute(db);
  const name = (userId: string, id: string) => `${userId} ${id}`;
  const byKey = new Map(rows.rows.map((row) => [name(row.user_id, row.client_transaction_id), row]));
  return keys.map((key) => byKey.get(name(key.userId, key.clientTransactionId)));
}
