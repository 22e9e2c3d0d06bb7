import { type RawBuilder, sql } from 'kysely';
import type { TransferRow } from '#db/schema.ts';

export interface TransfersToQuery {
  phones: readonly string[];
  limit: number;
  /** The id of the last transfer on the previous page. */
  cursor?: string | undefined;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The transfers to any of the numbers, newest first; one row more than the limit if there are more. Reads the index
 * once per number: one read for all numbers would read every entry and sort them.
 */
export function transfersTo({ phones, limit, cursor = LAST_ID }: TransfersToQuery): RawBuilder<TransferRow> {
  const most = sql`order by id desc limit ${limit + 1}`;
  const ended = phones.map(
    (phone) => sql`
      (select id from transactions where recipient_phone = ${phone} and not is_open and id < ${cursor} ${most})`,
  );
  const open = sql`select id from transactions where is_open and recipient_phone = any(${[...phones]}) and id < ${cursor}`;
  return sql<TransferRow>`
    with found as materialized (${sql.join([...ended, open], sql` union all `)})
    select transactions.* from found join transactions using (id) ${most}`;
}
