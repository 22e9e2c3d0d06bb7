import type { PayoutTotals } from '@vuka/contracts/http/failure-lab';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { EVENTS } from '@vuka/contracts/topology';
import { formatMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { type Database, inOneTrip, send } from '@vuka/service-kit/database';
import { uuidv7 } from '@vuka/service-kit/ids';
import { appendToOutbox } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db, PayoutRow, Schema, TransferRow } from '#db/schema.ts';
import type { Evidence } from './evidence.ts';
import type { PayoutProvider, PayoutReport, ProviderCall, StatusResult } from './payout-provider.ts';

const selectPayouts = (db: Db, ids: string[]) =>
  db.selectFrom('money_transfers').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`);

export interface PayoutOfTransfer {
  payout: PayoutRow;
  transfer: TransferRow;
}

/**
 * The payouts with these ids and their transfers, in order; undefined for an unknown id. One round trip, transfers
 * first: if a payout changes in between, its transfer's version is no longer the one read, and the step is not taken.
 */
export async function findPayoutsWithTransfers(
  { db, pool }: Pick<Database<Schema>, 'db' | 'pool'>,
  ids: string[],
): Promise<(PayoutOfTransfer | undefined)[]> {
  const theirTransfers = db
    .selectFrom('money_transfers as payout')
    .innerJoin('transactions', 'transactions.id', 'payout.transaction_id')
    .selectAll('transactions')
    .where('payout.id', '=', sql<string>`any(${ids}::uuid[])`)
    .compile();
  const client = await pool.connect();
  try {
    const [transfers, payouts] = await inOneTrip([
      send(client, theirTransfers),
      send(client, selectPayouts(db, ids).compile()),
    ]);
    const transferOf = new Map(transfers.rows.map((transfer) => [transfer.id, transfer]));
    const payoutOf = new Map(payouts.rows.map((payout) => [payout.id, payout]));
    return ids.map((id) => {
      const payout = payoutOf.get(id);
      const transfer = payout && transferOf.get(payout.transaction_id);
      return transfer && { payout, transfer };
    });
  } finally {
    client.release();
  }
}

export interface PayoutOnRecord extends PayoutRow {
  /**
   * Time since the last request, or since the payout began, by the database's clock: the clocks of two processes may
   * differ, and this wait proves that no request is still in flight.
   */
  ms_since_request: number;
  /** From the payout's beginning to its last request. */
  ms_to_request: number;
}

export const payoutsOf = (transferIds: string[]) => sql<PayoutOnRecord>`
  select distinct on (transaction_id) *,
    (extract(epoch from books_now() - coalesce(submitted_at, created_at)) * 1000)::float8 as ms_since_request,
    (extract(epoch from coalesce(submitted_at, created_at) - created_at) * 1000)::float8 as ms_to_request
  from money_transfers
  where transaction_id = any(${transferIds}::uuid[]) order by transaction_id, created_at desc`;

/** The newest payout of each transfer, in order; undefined if there is none. */
export async function findPayoutsOf(db: Db, transferIds: string[]): Promise<(PayoutOnRecord | undefined)[]> {
  const rows = await payoutsOf(transferIds).execute(db);
  const byTransfer = new Map(rows.rows.map((row) => [row.transaction_id, row]));
  return transferIds.map((id) => byTransfer.get(id));
}

interface SummedPayouts {
  currency: WalletCurrency;
  paidCount: number;
  paidAmount: bigint;
  failedCount: number;
  failedAmount: bigint;
  openCount: number;
  openAmount: bigint;
}

/**
 * Totals of this provider's payouts per currency and outcome. Reads every payout, so use it only for occasional views.
 */
export async function sumPayouts(db: Db, provider: string): Promise<PayoutTotals[]> {
  const { rows } = await sql<SummedPayouts>`
    select currency,
      count(*) filter (where state = 'completed')::int as "paidCount",
      coalesce(sum(amount) filter (where state = 'completed'), 0)::bigint as "paidAmount",
      count(*) filter (where state = 'failed')::int as "failedCount",
      coalesce(sum(amount) filter (where state = 'failed'), 0)::bigint as "failedAmount",
      count(*) filter (where state not in ('completed', 'failed'))::int as "openCount",
      coalesce(sum(amount) filter (where state not in ('completed', 'failed')), 0)::bigint as "openAmount"
    from money_transfers where provider = ${provider} group by currency order by currency`.execute(db);
  return rows.map((row) => ({
    currency: row.currency,
    paid: { count: row.paidCount, amount: formatMoney(row.paidAmount) },
    failed: { count: row.failedCount, amount: formatMoney(row.failedAmount) },
    inFlight: { count: row.openCount, amount: formatMoney(row.openAmount) },
  }));
}

/** A provider's call in the integration log's format. `payout` is null for a call about no single one. */
export function toLog(
  call: ProviderCall,
  payout: { transferId: string; payoutId: string } | null,
  at: Date,
): IntegrationLog {
  return {
    ...call,
    id: uuidv7(at.getTime()),
    transactionId: payout?.transferId ?? null,
    moneyTransferId: payout?.payoutId ?? null,
    timestamp: at.toISOString(),
  };
}

/** Asks the provider about a payout outside the steps of its transfer, and records the call. */
export async function inquire(
  { db, provider, now }: { db: Db; provider: Pick<PayoutProvider, 'status'>; now: () => Date },
  payout: { transferId: string; payoutId: string },
): Promise<StatusResult> {
  const calls: IntegrationLog[] = [];
  const result = await provider.status(payout.payoutId, (call) => {
    calls.push(toLog(call, payout, now()));
  });
  await recordCalls(db, calls);
  return result;
}

/** Records calls that belong to no step of a transfer. */
export async function recordCalls(db: Db, calls: IntegrationLog[]): Promise<void> {
  if (calls.length === 0) return;
  const envelope = cloudEvent({ source: '/vuka/transfers', type: CALLS_RECORDED, data: { calls } });
  await db.transaction().execute((trx) => appendToOutbox(trx, [{ exchange: EVENTS, envelope }]));
}

/** Whether the payout's exception of this kind was resolved, and is about a report of the same outcome and figures. */
export async function isReportKnown(
  db: Db,
  payoutId: string,
  kind: string,
  { state, amount, currency, msisdn }: PayoutReport,
): Promise<boolean> {
  const row = await findResolved(db, payoutId, kind);
  const said = Object.entries({ state, amount, currency, msisdn });
  return row !== undefined && said.every(([name, value]) => row.details[name] === value);
}

/** Resolves exceptions that hold a payout's transfer and that no longer are what is known of it. */
export async function resolveHolds(
  db: Db,
  payoutId: string,
  { kinds, note, at }: { kinds: string[]; note: string; at: Date },
): Promise<void> {
  await db
    .updateTable('payout_exceptions')
    .set({ state: 'resolved', note, resolved_at: at })
    .where('money_transfer_id', '=', payoutId)
    .where('kind', 'in', kinds)
    .where('state', '=', 'open')
    .execute();
}

/** The report of a payout's exception of this kind, if it was resolved. */
export function findResolved(db: Db, payoutId: string, kind: string) {
  return db
    .selectFrom('payout_exceptions')
    .select('details')
    .where('money_transfer_id', '=', payoutId)
    .where('kind', '=', kind)
    .where('state', '=', 'resolved')
    .executeTakeFirst();
}

/**
 * Stores a contradiction between a provider and our books for an administrator. Moves no money. A repeated report
 * updates the same exception. A resolved one keeps its details, because the decision was based on them, unless the
 * report holds the transfer again, or is evidence that the exception has not seen: then it is open again, without an owner.
 */
export async function openException(
  db: Db,
  exception: {
    payoutId: string;
    /** Null when the books do not know the payout. */
    transactionId: string | null;
    kind: string;
    details: Record<string, unknown>;
    evidence?: Evidence;
    at: Date;
    isFromStatement?: boolean;
    /** The transfer waits for a decision, even if the exception was resolved before. */
    holdsTransfer?: boolean;
  },
): Promise<void> {
  const opens = sql<boolean>`(payout_exceptions.state = 'open' or ${exception.holdsTransfer ?? false} or ${IS_NEWS})`;
  const opensAgain = sql<boolean>`(payout_exceptions.state = 'resolved' and ${opens})`;
  const unlessAgain = <Value>(column: 'resolved_at' | 'owner' | 'owner_id') =>
    sql<Value>`case when ${opensAgain} then null else ${sql.ref(`payout_exceptions.${column}`)} end`;
  await db
    .insertInto('payout_exceptions')
    .values({
      id: uuidv7(exception.at.getTime()),
      transaction_id: exception.transactionId,
      money_transfer_id: exception.payoutId,
      kind: exception.kind,
      details: JSON.stringify(exception.details),
      evidence: sql<string[]>`${[...(exception.evidence ?? [])]}::text[]`,
      created_at: exception.at,
      last_seen_at: exception.at,
      is_from_statement: exception.isFromStatement ?? false,
    })
    .onConflict((known) =>
      known.columns(['money_transfer_id', 'kind']).doUpdateSet({
        last_seen_at: exception.at,
        transaction_id: sql<string | null>`coalesce(payout_exceptions.transaction_id, excluded.transaction_id)`,
        details: sql<string>`case when ${opens} then ${LATEST_DETAILS} else payout_exceptions.details end`,
        evidence: sql<string[]>`array(select distinct unnest(payout_exceptions.evidence || excluded.evidence))`,
        state: sql<'open' | 'resolved'>`case when ${opens} then 'open' else 'resolved' end`,
        resolved_at: unlessAgain<Date | null>('resolved_at'),
        owner: unlessAgain<string | null>('owner'),
        owner_id: unlessAgain<string | null>('owner_id'),
      }),
    )
    .execute();
}

/**
 * Whether the exception has not seen this evidence. One that only release 0.1 wrote has only the time of its first payment; one
 * without a payment learns of it from the statement.
 */
const IS_NEWS = sql<boolean>`coalesce(case
  when cardinality(payout_exceptions.evidence) > 0 then not payout_exceptions.evidence @> excluded.evidence
  else payout_exceptions.details->'theirs'->>'recordedAt' <> excluded.details->'theirs'->>'recordedAt' end, false)`;

/** The new details, with all payments counted: a statement of another day may have only the last one. */
const LATEST_DETAILS = sql`case when excluded.details->'theirs' ? 'payments' then jsonb_set(
    excluded.details, '{theirs,payments}', to_jsonb(greatest(
      (excluded.details->'theirs'->>'payments')::int,
      coalesce((payout_exceptions.details->'theirs'->>'payments')::int, 0) + case when ${IS_NEWS}
        then (select count(*)::int from unnest(excluded.evidence) as seen where seen <> all(payout_exceptions.evidence))
        else 0 end)))
  else excluded.details end`;
