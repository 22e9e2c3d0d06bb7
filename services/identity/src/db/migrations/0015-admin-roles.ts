import { proposalsMigration } from '@vuka/access/proposals';
import { type Kysely, sql } from 'kysely';

/**
 * Roles of administrators; those of earlier releases could do everything. The default is for processes of the previous
 * release, which also create administrators.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`update admins set role = 'owner'`.execute(db);
  await sql`
    alter table admins
      alter column role set default 'owner',
      add constraint admins_role check (role in ('owner', 'finance', 'support', 'operations', 'auditor'))`.execute(db);
  await proposalsMigration.up(db);
}
