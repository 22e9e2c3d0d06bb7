import { type Kysely, sql } from 'kysely';

/** The release before kept every linked account that was removed. Those that were never paid have no reason to stay. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create temporary table unpaid_accounts on commit drop as
      select id from linked_accounts account where not is_active
        and not exists (select from withdrawals w where w.linked_account_id = account.id)`.execute(db);
  for (const table of ['mobile_money_accounts', 'bank_accounts', 'payment_recipients'])
    await sql`
      delete from ${sql.table(table)} where linked_account_id in (select id from unpaid_accounts)`.execute(db);
  await sql`delete from linked_accounts where id in (select id from unpaid_accounts)`.execute(db);
}
