import { type Note, noteText } from '@vuka/contracts/texts/transfer-notes';
import { uuidv7 } from '@vuka/service-kit/ids';
import { insertPack, type OutboxMessage, type OutboxPack, packOf } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, TransferRow } from '#db/schema.ts';

/** A transfer to insert once, with its messages. */
export interface NewTransfer {
  row: TransferRow;
  note: Note;
  messages: OutboxMessage[];
}

/**
 * Inserts transfers, their first lifecycle rows and their messages in one statement. Returns, in order, whether each
 * was inserted (false when the user's client transaction id exists already), and the messages to publish.
 */
export async function insertTransfersOnce(db: Db, transfers: NewTransfer[]): Promise<Written> {
  const rows = transfers.map(({ row, note }) => ({
    ...row,
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
  const made = await sql<{ id: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}) as g(
        id uuid, user_id uuid, recipient_name text, recipient_phone text, sender_phone text, transaction_type text,
        client_transaction_id text, request_hash text, direction text, source_amount bigint, source_currency text,
        target_amount bigint, target_currency text, fee bigint, mid_amount bigint, exchange_rate text, status text,
        step text, metadata jsonb, next_action_at timestamptz, created_at timestamptz, notes text, codes jsonb)
    ), made as (
      insert into transactions (
        id, user_id, recipient_name, recipient_phone, sender_phone, transaction_type, client_transaction_id, request_hash, direction,
        source_amount, source_currency, target_amount, target_currency, fee, mid_amount, exchange_rate, status, step,
        metadata, next_action_at, created_at, updated_at)
      select id, user_id, recipient_name, recipient_phone, sender_phone, transaction_type, client_transaction_id,
        decode(request_hash, 'hex'), direction, source_amount, source_currency, target_amount, target_currency, fee,
        mid_amount, exchange_rate, status, step, metadata, next_action_at, created_at, created_at
      from given order by user_id, client_transaction_id, id
      on conflict on constraint transactions_once do nothing
      returning id, status, created_at
    ), lifecycle as (
      insert into transaction_lifecycle (transaction_id, status, notes, codes, "timestamp")
      select made.id, made.status, given.notes, given.codes, made.created_at from made join given using (id)
    ), sent as (
      ${insertPack(packId, messages, 'made')}
    )
    select id from made`.execute(db);
  const written = new Set(made.rows.map((row) => row.id));
  return { done: transfers.map(({ row }) => written.has(row.id)), pack: packOf(packId, messages, written) };
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
