import type { PayoutFloat } from '@vuka/contracts/http/reconciliation';
import { formatMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { Logger } from '@vuka/service-kit/logger';
import { sql } from 'kysely';
import type { WalletClient } from '#clients/wallet.client.ts';
import type { Db } from '#db/schema.ts';
import type { PayoutProvider } from '#payouts/payout-provider.ts';
import { differenceOf } from './float.domain.ts';

export interface CompareFloatDeps {
  db: Db;
  wallet: Pick<WalletClient, 'floats'>;
  provider: PayoutProvider;
  logger: Logger;
}

/**
 * Compares the float of each currency with the provider's balance, and stores the result. Moves no money. Throws
 * unavailable if the wallet does not answer. If the provider does not answer, the previous results stay, with their
 * time.
 */
export async function compareFloats({ db, wallet, provider, logger }: CompareFloatDeps): Promise<void> {
  const before = await wallet.floats();
  const answer = await provider.balances();
  if (answer.kind === 'unavailable') {
    logger.warn({ reason: answer.reason }, "the provider's balances are unavailable");
    return;
  }
  // In this order: a payout that is booked meanwhile may be counted twice, but is never missed.
  const underWay = await sumUnderWay(db);
  const after = await wallet.floats();
  for (const currency of WALLET_CURRENCIES) {
    const providerBalance = answer.balances.get(currency);
    if (providerBalance === undefined) continue;
    const figures = {
      bookedBefore: before.get(currency) ?? 0n,
      bookedAfter: after.get(currency) ?? 0n,
      underWay: underWay.get(currency) ?? 0n,
      providerBalance,
    };
    const difference = differenceOf(figures);
    if (difference !== 0n)
      logger.error({ currency, difference: formatMoney(difference) }, "the float differs from the provider's balance");
    await store(db, { currency, booked: figures.bookedAfter, difference, ...figures });
  }
}

/**
 * The payouts that the provider may have paid and our books have not recorded: those of open transfers, except failed
 * ones.
 */
async function sumUnderWay(db: Db): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('transactions')
    .innerJoin('money_transfers as payout', 'payout.transaction_id', 'transactions.id')
    .select(['payout.currency', sql<bigint>`sum(payout.amount)::bigint`.as('amount')])
    .where('transactions.is_open', '=', true)
    .where('payout.state', '<>', 'failed')
    .groupBy('payout.currency')
    .execute();
  return new Map(rows.map(({ currency, amount }) => [currency, amount]));
}

interface Compared {
  currency: WalletCurrency;
  booked: bigint;
  underWay: bigint;
  providerBalance: bigint;
  difference: bigint;
}

async function store(db: Db, { currency, booked, underWay, providerBalance, difference }: Compared): Promise<void> {
  await sql`
    insert into floats as known
      (currency, booked, under_way, provider_balance, difference, differs_since, compared_at)
    values (${currency}, ${booked}, ${underWay}, ${providerBalance}, ${difference},
      ${difference === 0n ? null : sql`now()`}, now())
    on conflict (currency) do update set
      booked = excluded.booked, under_way = excluded.under_way, provider_balance = excluded.provider_balance,
      difference = excluded.difference, compared_at = excluded.compared_at,
      differs_since = case when excluded.difference <> 0 then coalesce(known.differs_since, now()) end`.execute(db);
}

/** The latest comparisons, by currency. */
export async function listFloats(db: Db): Promise<PayoutFloat[]> {
  const rows = await db.selectFrom('floats').selectAll().orderBy('currency').execute();
  return rows.map((row) => ({
    currency: row.currency,
    booked: formatMoney(row.booked),
    underWay: formatMoney(row.under_way),
    providerBalance: formatMoney(row.provider_balance),
    difference: formatMoney(row.difference),
    differsSince: row.differs_since?.toISOString() ?? null,
    comparedAt: row.compared_at.toISOString(),
  }));
}

/** For how long a float has differed, seconds; 0 if all agree. */
export async function floatDiffersSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from max(now() - differs_since)), 0)::float8 as seconds from floats`.execute(db);
  return rows[0]?.seconds ?? 0;
}
