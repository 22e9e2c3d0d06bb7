import { type Kysely, sql } from 'kysely';

/** Which countries have wallets is decided by the table of corridors, in code. The database checks the form of ISO 3166. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table mobile_money_accounts drop constraint mobile_money_accounts_country_code_check,
      add constraint mobile_money_accounts_country_is_iso check (country_code ~ '^[A-Z]{2}$')`.execute(db);
}
