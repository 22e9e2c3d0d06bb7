import { type Kysely, sql } from 'kysely';

/** The sums of each full block of an account's entries, so that a statement need not read every entry of a long month. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kept_sums (
      account_id bigint not null,
      block bigint not null,
      money_in_minor bigint not null,
      money_out_minor bigint not null,
      fees_minor bigint not null,
      primary key (account_id, block)
    )`.execute(db);
  await sql`
    create trigger kept_sums_append_only before update or delete or truncate on kept_sums
      for each statement execute function refuse_change()`.execute(db);
}
