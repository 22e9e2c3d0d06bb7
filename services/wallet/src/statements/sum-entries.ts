import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/** Entries of one account, by their numbers. */
export interface EntrySpan {
  accountId: bigint;
  /** Exclusive. */
  afterSeq: bigint;
  /** Inclusive. */
  uptoSeq: bigint;
}

/** Money in, money out and the fees included in money out, over a span of entries; minor units. */
export interface EntrySums {
  moneyIn: bigint;
  moneyOut: bigint;
  fees: bigint;
}

type Span = Pick<EntrySpan, 'afterSeq' | 'uptoSeq'>;
type BlockSums = EntrySums & { block: bigint };

/** The entries 1 to 1,000 of an account are its block 0. */
const BLOCK = 1_000n;
/** Entries that one SQL statement adds up: few enough to stay far below its timeout, even on a cold disk. */
const ENTRIES_AT_ONCE = 50n * BLOCK;

/**
 * Adds up a span of an account's entries. Entries never change, so the sums of each full block are stored when they are
 * first needed; otherwise, a merchant with 60,000 entries in a month would always wait for all of them. Sums are stored
 * after each portion, so that a first read that times out has made progress. It also works where nothing can be
 * written.
 */
export async function sumEntries(
  db: Db,
  { accountId, ...span }: EntrySpan,
  atOnce = ENTRIES_AT_ONCE,
): Promise<EntrySums> {
  const full = { from: (span.afterSeq + BLOCK - 1n) / BLOCK, before: span.uptoSeq / BLOCK };
  const kept = full.from < full.before ? await findKept(db, accountId, full) : [];
  const rest: BlockSums[] = [];
  for (const portion of portionsOf(without(span, kept), atOnce)) {
    const sums = await sumByBlock(db, accountId, portion);
    const whole = sums.filter(({ block }) => block >= full.from && block < full.before);
    await keep(db, accountId, whole);
    rest.push(...sums);
  }
  return [...kept, ...rest].reduce<EntrySums>(
    (sum, { moneyIn, moneyOut, fees }) => ({
      moneyIn: sum.moneyIn + moneyIn,
      moneyOut: sum.moneyOut + moneyOut,
      fees: sum.fees + fees,
    }),
    { moneyIn: 0n, moneyOut: 0n, fees: 0n },
  );
}

/** In ascending order. */
function findKept(db: Db, accountId: bigint, { from, before }: { from: bigint; before: bigint }): Promise<BlockSums[]> {
  return db
    .selectFrom('kept_sums')
    .select(['block', 'money_in_minor as moneyIn', 'money_out_minor as moneyOut', 'fees_minor as fees'])
    .where('account_id', '=', accountId)
    .where('block', '>=', from)
    .where('block', '<', before)
    .orderBy('block')
    .execute();
}

/** The parts of a span that the blocks do not cover. */
function without({ afterSeq, uptoSeq }: Span, blocks: readonly BlockSums[]): Span[] {
  const ends = [...blocks.map(({ block }) => block * BLOCK), uptoSeq];
  const starts = [afterSeq, ...blocks.map(({ block }) => (block + 1n) * BLOCK)];
  return ends
    .map((end, index) => ({ afterSeq: starts[index] ?? end, uptoSeq: end }))
    .filter((part) => part.afterSeq < part.uptoSeq);
}

/**
 * Groups the spans into portions of at most `atOnce` entries, cut at multiples of it, so that no block is in two
 * portions.
 */
function portionsOf(spans: readonly Span[], atOnce: bigint): Span[][] {
  const portions: Span[][] = [];
  let room = 0n;
  for (const span of spans.flatMap((whole) => cut(whole, atOnce))) {
    const length = span.uptoSeq - span.afterSeq;
    if (length > room) {
      portions.push([]);
      room = atOnce;
    }
    portions.at(-1)?.push(span);
    room -= length;
  }
  return portions;
}

function cut({ afterSeq, uptoSeq }: Span, atOnce: bigint): Span[] {
  const parts: Span[] = [];
  for (let start = afterSeq; start < uptoSeq; ) {
    const next = (start / atOnce + 1n) * atOnce;
    const end = next < uptoSeq ? next : uptoSeq;
    parts.push({ afterSeq: start, uptoSeq: end });
    start = end;
  }
  return parts;
}

/** `offset 0` keeps one index scan per span; otherwise the planner would read all of the account's entries. */
async function sumByBlock(db: Db, accountId: bigint, spans: readonly Span[]): Promise<BlockSums[]> {
  const { rows } = await sql<BlockSums>`
    select (own.account_seq - 1) / ${BLOCK} as block,
      sum(greatest(own.amount_minor, 0))::bigint as "moneyIn", -sum(least(own.amount_minor, 0))::bigint as "moneyOut",
      coalesce(sum(paid.fee_minor), 0)::bigint as fees
    from unnest(${spans.map(({ afterSeq }) => afterSeq)}::bigint[], ${spans.map(({ uptoSeq }) => uptoSeq)}::bigint[])
        as span(after_seq, upto_seq)
      join accounts on accounts.id = ${accountId}
      left join accounts as fees_account on fees_account.code = 'fees:' || accounts.currency
      cross join lateral (
        select account_seq, journal_id, amount_minor from ledger_entries
        where account_id = accounts.id and account_seq > span.after_seq and account_seq <= span.upto_seq
        offset 0
      ) as own
      left join lateral (
        select sum(fee.amount_minor) as fee_minor from ledger_entries as fee
        where own.amount_minor < 0 and fee.journal_id = own.journal_id and fee.account_id = fees_account.id
      ) as paid on true
    group by block`.execute(db);
  return rows;
}

async function keep(db: Db, accountId: bigint, blocks: readonly BlockSums[]): Promise<void> {
  if (blocks.length === 0) return;
  const rows = blocks.map(({ block, moneyIn, moneyOut, fees }) => ({
    account_id: accountId,
    block,
    money_in_minor: moneyIn,
    money_out_minor: moneyOut,
    fees_minor: fees,
  }));
  const kept = db
    .insertInto('kept_sums')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing());
  // Stored sums only save time: if they cannot be written, the statement is still right.
  await kept.execute().catch(() => undefined);
}
