import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Creates missing partitions for the months of these moments. `known` caches the months that exist. */
export async function ensurePartitions(db: Db, moments: readonly Date[], known: Set<string>): Promise<void> {
  const missing = [...new Set(moments.map(monthOf))].filter((month) => !known.has(month));
  if (missing.length === 0) return;
  await db.transaction().execute(async (trx) => {
    // Replicas create them one at a time: "if not exists" does not prevent a race.
    await sql`select pg_advisory_xact_lock(hashtext('integration_logs partitions'))`.execute(trx);
    for (const month of missing) {
      const from = new Date(`${month}-01T00:00:00Z`);
      const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
      await sql`
        create table if not exists ${sql.table(nameOf(month))} partition of integration_logs
        for values from (${sql.lit(from.toISOString())}) to (${sql.lit(to.toISOString())})`.execute(trx);
    }
  });
  for (const month of missing) known.add(month);
}

/** Drops the partitions of months that ended more than `retentionMonths` ago; returns their names. */
export async function dropOldPartitions(db: Db, now: Date, retentionMonths: number): Promise<string[]> {
  const oldest = monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths)));
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'integration_logs'::regclass and c.relname < ${nameOf(oldest)} order by 1`.execute(db);
  for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Year and month in UTC, such as 2026-11. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

function nameOf(month: string): string {
  return `integration_logs_${month.replace('-', '_')}`;
}
