import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/** A number of payouts and their amount: a decimal string with two places. */
interface Sum {
  count: number;
  amount: string;
}

/** What was paid, what certainly was not, and what may still be paid, in one currency. */
export interface Totals {
  currency: string;
  paid: Sum;
  failed: Sum;
  inFlight: Sum;
}

/** Sums every payout ever made, so do not call this in a loop. The paid totals come from the ledger. */
export async function sumTotals(db: Db): Promise<Totals[]> {
  const { rows } = await sql<Totals>`
    with counted as (
      select p.currency, p.amount::numeric as amount,
        case when l.id is not null then 'paid' when p.status = 'FAILED' then 'failed' else 'open' end as outcome
      from payouts p left join ledger l using (id)
    )
    select currency,
      json_build_object('count', count(*) filter (where outcome = 'paid'),
        'amount', coalesce(sum(amount) filter (where outcome = 'paid'), 0)::numeric(20, 2)::text) as paid,
      json_build_object('count', count(*) filter (where outcome = 'failed'),
        'amount', coalesce(sum(amount) filter (where outcome = 'failed'), 0)::numeric(20, 2)::text) as failed,
      json_build_object('count', count(*) filter (where outcome = 'open'),
        'amount', coalesce(sum(amount) filter (where outcome = 'open'), 0)::numeric(20, 2)::text) as "inFlight"
    from counted group by currency order by currency`.execute(db);
  return rows;
}
