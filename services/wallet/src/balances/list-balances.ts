import type { WalletTotals } from '@vuka/contracts/http/overview';
import { OperatorBalances, type UserBalances } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

interface Amounts {
  posted_minor: bigint;
  held_minor: bigint;
}

/** Each user's balances, in the order asked; zeros for a user without accounts. */
export async function listBalances(db: Db, userIds: readonly string[]): Promise<UserBalances[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['user_id', 'currency', 'posted_minor', 'held_minor'])
    .where('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute();
  const accounts = new Map(rows.map((row) => [`${row.user_id}:${row.currency}`, row]));
  return userIds.map((userId) => ({
    userId,
    balances: byCurrency(WALLET_CURRENCIES, (currency) =>
      toBalance(accounts.get(`${userId.toLowerCase()}:${currency}`)),
    ),
  }));
}

function toBalance({ posted_minor, held_minor }: Amounts = { posted_minor: 0n, held_minor: 0n }) {
  return {
    posted: formatMoney(posted_minor),
    held: formatMoney(held_minor),
    available: formatMoney(posted_minor - held_minor),
  };
}

/** The balances of the operator's own accounts. */
export async function listOperatorBalances(db: Db): Promise<OperatorBalances> {
  const rows = await db
    .selectFrom('accounts')
    .select(['code', 'currency', 'posted_minor'])
    .where('user_id', 'is', null)
    .orderBy('code')
    .execute();
  return OperatorBalances.parse({
    accounts: rows.map(({ code, currency, posted_minor }) => ({
      account: code.split(':')[0],
      currency,
      balance: formatMoney(posted_minor),
    })),
  });
}

/** All wallets are read at most this often, however many dashboards are open. */
const FRESH_MS = 10_000;

/** What all wallets hold together. Reads every account. */
export function createWalletTotals(db: Db, nowMs = () => performance.now()): () => Promise<WalletTotals> {
  let latest: { atMs: number; totals: Promise<WalletTotals> } | undefined;
  return () => {
    if (latest && nowMs() - latest.atMs < FRESH_MS) return latest.totals;
    const totals = sumWallets(db);
    latest = { atMs: nowMs(), totals };
    totals.catch(() => {
      latest = undefined;
    });
    return totals;
  };
}

async function sumWallets(db: Db): Promise<WalletTotals> {
  const { rows } = await sql<{ currency: string; available: bigint; reserved: bigint }>`
    select currency, sum(posted_minor - held_minor)::bigint as available, sum(held_minor)::bigint as reserved
    from accounts where user_id is not null group by currency`.execute(db);
  const of = (name: 'available' | 'reserved') =>
    byCurrency(WALLET_CURRENCIES, (currency) =>
      formatMoney(rows.find((row) => row.currency === currency)?.[name] ?? 0n),
    );
  return { available: of('available'), reserved: of('reserved') };
}
