import pg from 'pg';
import type { Books } from './check-books.ts';

/** The income from all settled orders, by account. `check-prices.ts` checks the fees and margins themselves. */
const EARNED = `
  select account, sum(amount)::text as amount from (
    select 'fees:' || source_currency as account, fee as amount from transactions where status = 'SETTLED'
    union all
    select 'margin:' || target_currency, mid_amount - target_amount from transactions where status = 'SETTLED') as earned
  group by account having sum(amount) <> 0 order by account`;

const BOOKED = `
  select code as account, posted_minor::text as amount from accounts
  where code ~ '^(fees|margin):' and posted_minor <> 0 order by code`;

interface Income {
  account: string;
  amount: string;
}

/** The operator's accounts have the fees and the margins of all settled orders. Returns a line per contradiction. */
export async function checkIncome(books: Books): Promise<string[]> {
  const [earned, booked] = await Promise.all([
    read(books.transfersDatabaseUrl, EARNED),
    read(books.walletDatabaseUrl, BOOKED),
  ]);
  const isSame = JSON.stringify(earned) === JSON.stringify(booked);
  return isSame ? [] : [`the operator earned ${describe(earned)}, and has ${describe(booked)}`];
}

async function read(url: string, text: string): Promise<Income[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Income>(text).finally(() => client.end())).rows;
}

const describe = (income: readonly Income[]) => income.map(({ account, amount }) => `${amount} ${account}`).join(', ');
