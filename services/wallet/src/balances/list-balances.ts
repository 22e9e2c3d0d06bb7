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
