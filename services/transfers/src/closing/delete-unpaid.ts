import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#db/schema.ts';

/**
 * Deletes linked accounts, of these ids, to which no withdrawal was made. The others keep their rows, which their
 * withdrawals reference.
 */
export async function deleteUnpaid(trx: Trx, ids: RawBuilder<unknown>): Promise<void> {
  const isUnpaid = (id: string) => sql`${sql.ref(id)} in ${ids}
    and not exists (select from withdrawals w where w.linked_account_id = ${sql.ref(id)})`;
  for (const table of ['mobile_money_accounts', 'bank_accounts', 'payment_recipients']) {
    const id = `${table}.linked_account_id`;
    await sql`delete from ${sql.table(table)} where ${isUnpaid(id)}`.execute(trx);
  }
  await sql`delete from linked_accounts where ${isUnpaid('linked_accounts.id')}`.execute(trx);
}
