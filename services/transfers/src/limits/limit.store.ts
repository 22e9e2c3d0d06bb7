import type { Tier } from '@vuka/contracts/http/tiers';
import type { WalletCurrency } from '@vuka/money/corridors';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/schema.ts';
import { defaultLimits, type Limits, type Usage } from './limits.domain.ts';

/** The limits in force. */
export type LimitTable = (tier: Tier, currency: WalletCurrency) => Limits;

/** Reads the limits in force: those that administrators have set, and the defaults of the others. */
export async function readLimits(db: Db | Trx): Promise<LimitTable> {
  const rows = await db.selectFrom('limits').selectAll().execute();
  const set = new Map(rows.map((row) => [`${row.tier} ${row.currency}`, row]));
  return (tier, currency) => {
    const row = set.get(`${tier} ${currency}`);
    if (!row) return defaultLimits(tier, currency);
    return {
      perTransaction: row.per_transaction,
      perDay: row.per_day,
      perMonth: row.per_month,
      perDayIn: row.per_day_in,
      perMonthIn: row.per_month_in,
    };
  };
}

/** A change counts for the orders of every process within this time. */
const FRESH_MS = 1_000;

export interface LimitCopy {
  current(): Promise<LimitTable>;
  /** Reads again before the next use, since this process has changed the limits. */
  forget(): void;
}

/** Reads the limits at most once a second, since each order asks for them. Throws while the database is unavailable. */
export function createLimitCopy(db: Db, nowMs: () => number = () => performance.now()): LimitCopy {
  let copy: Promise<LimitTable> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return {
    current() {
      if (copy && nowMs() - readAtMs < FRESH_MS) return copy;
      const reading = readLimits(db);
      readAtMs = nowMs();
      copy = reading;
      reading.catch(() => {
        if (copy === reading) copy = undefined;
      });
      return reading;
    },
    forget() {
      copy = undefined;
    },
  };
}

export interface UsageKey {
  userId: string;
  currency: WalletCurrency;
  side: 'out' | 'in';
}

/** What a user has sent or received, as last counted. */
export async function findUsage(db: Db, { userId, currency, side }: UsageKey): Promise<Usage | undefined> {
  const row = await db
    .selectFrom('limit_usage')
    .select([sql<string>`day::text`.as('day'), 'day_amount', sql<string>`month::text`.as('month'), 'month_amount'])
    .where('user_id', '=', userId)
    .where('currency', '=', currency)
    .where('side', '=', side)
    .executeTakeFirst();
  return row && { day: row.day, dayAmount: row.day_amount, month: row.month, monthAmount: row.month_amount };
}
