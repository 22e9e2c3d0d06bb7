import { DAY_MS, dayOf, dayStart } from '@vuka/contracts/http/days';
import { TRANSFER_DAYS, type TransferDay, type TransferSummary } from '@vuka/contracts/http/overview';
import { formatMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { firstIdAt } from '@vuka/service-kit/ids';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { stuckTransfers } from '#saga/stuck-transfers.ts';

export interface SummaryDeps {
  db: Db;
  now: () => Date;
  stuckAfterMs: number;
}

/** The median delivery time is taken over this many of the latest settled transfers. */
const DELIVERY_SAMPLE = 1_000;
/** Today is counted at most this often, however many dashboards are open. */
const FRESH_MS = 10_000;

interface Counted {
  status: string;
  currency: WalletCurrency;
  count: number;
  amount: bigint;
}

/**
 * Transfer totals per day, and the number of stuck transfers. A past day changes only when one of its few open
 * transfers ends, so it is counted in full once, and again only when its number of open transfers has dropped.
 */
export function createTransferSummary(deps: SummaryDeps): () => Promise<TransferSummary> {
  const pastDays = new Map<number, TransferDay>();
  let latest: { atMs: number; summary: Promise<TransferSummary> } | undefined;

  async function summariseDay(startMs: number, isOver: boolean): Promise<TransferDay> {
    const known = pastDays.get(startMs);
    if (known && (known.open === 0 || known.open === (await countOpen(deps.db, startMs)))) return known;
    const day = toDay(startMs, await countDay(deps.db, startMs));
    if (isOver) pastDays.set(startMs, day);
    return day;
  }

  async function summarise(nowMs: number): Promise<TransferSummary> {
    const today = Date.parse(dayStart(dayOf(nowMs)));
    const starts = Array.from({ length: TRANSFER_DAYS }, (_, index) => today - (TRANSFER_DAYS - 1 - index) * DAY_MS);
    for (const startMs of pastDays.keys()) if (!starts.includes(startMs)) pastDays.delete(startMs);
    const days: TransferDay[] = [];
    // Sequential, so that opening the page uses one connection, not thirty.
    for (const startMs of starts) days.push(await summariseDay(startMs, startMs < today));
    return {
      stuck: await countStuck(deps),
      days,
      withProvider: await sumWithProvider(deps.db),
      medianDeliveryMs: await medianDelivery(deps.db, today),
    };
  }

  return () => {
    const nowMs = deps.now().getTime();
    // The clock may have been set back.
    if (latest && Math.abs(nowMs - latest.atMs) < FRESH_MS) return latest.summary;
    const summary = summarise(nowMs);
    latest = { atMs: nowMs, summary };
    summary.catch(() => {
      latest = undefined;
    });
    return summary;
  };
}

/** The length of the stuck list without its limit. */
export async function countStuck({
  db,
  stuckAfterMs,
}: Pick<SummaryDeps, 'db' | 'stuckAfterMs'>): Promise<TransferSummary['stuck']> {
  const { count, oldest } = await stuckTransfers(db, stuckAfterMs)
    .select(({ fn }) => [fn.countAll<bigint>().as('count'), fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), oldestCreatedAt: oldest?.toISOString() ?? null };
}

/** Reads only open transfers and their live payouts. */
async function sumWithProvider(db: Db): Promise<TransferSummary['withProvider']> {
  const { rows } = await sql<{ currency: WalletCurrency; amount: bigint }>`
    select source_currency as currency, sum(source_amount)::bigint as amount
    from transactions join money_transfers on money_transfers.transaction_id = transactions.id and is_alive
    where is_open and submissions > 0 group by source_currency`.execute(db);
  return byCurrency(WALLET_CURRENCIES, (currency) =>
    formatMoney(rows.find((row) => row.currency === currency)?.amount ?? 0n),
  );
}

/** Reads the primary key backwards, up to the sample: a day of any size costs the same. */
async function medianDelivery(db: Db, startMs: number): Promise<number | null> {
  const { rows } = await sql<{ median: number | null }>`
    select percentile_disc(0.5) within group (order by took)::int as median from (
      select extract(epoch from updated_at - created_at) * 1000 as took from transactions
      where id >= ${firstIdAt(new Date(startMs))} and transaction_type = 'transfer' and status = 'SETTLED'
      order by id desc limit ${DELIVERY_SAMPLE}
    ) as latest`.execute(db);
  return rows[0]?.median ?? null;
}

/** Uses only the primary key, since ids begin with the time. */
async function countDay(db: Db, startMs: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select status, source_currency as currency, count(*)::int as count, sum(source_amount)::bigint as amount
    from transactions
    where id >= ${firstIdAt(new Date(startMs))} and id < ${firstIdAt(new Date(startMs + DAY_MS))} and transaction_type = 'transfer'
    group by status, source_currency`.execute(db);
  return rows;
}

/** Reads only the index of open transfers. */
async function countOpen(db: Db, startMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from transactions
    where is_open and id >= ${firstIdAt(new Date(startMs))} and id < ${firstIdAt(new Date(startMs + DAY_MS))}
      and transaction_type = 'transfer'`.execute(db);
  return rows[0]?.count ?? 0;
}

function toDay(startMs: number, counted: readonly Counted[]): TransferDay {
  const count = (...statuses: string[]) =>
    counted.filter((row) => statuses.includes(row.status)).reduce((sum, row) => sum + row.count, 0);
  const volume = (currency: WalletCurrency) => {
    const settled = counted.filter((row) => row.status === 'SETTLED' && row.currency === currency);
    return formatMoney(settled.reduce((sum, row) => sum + row.amount, 0n));
  };
  return {
    day: dayOf(startMs),
    settled: count('SETTLED'),
    failed: count('FAILED', 'CANCELLED'),
    open: count('PENDING', 'PROCESSING'),
    volumes: byCurrency(WALLET_CURRENCIES, volume),
  };
}
