import { type Kysely, sql } from 'kysely';
import type { Logger } from './logger.ts';
import type { Part } from './poll.ts';

interface Settings {
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  hasSynchronousStandbys: boolean;
  /** The number of standbys for which this server does not wait. */
  asyncStandbys: number;
}

/** The settings that may lose an acknowledged commit, each with the event that loses it. Empty if there is none. */
export function risksOf({ fsync, fullPageWrites, synchronousCommit, ...standbys }: Settings): string[] {
  const { hasSynchronousStandbys, asyncStandbys } = standbys;
  const risks: string[] = [];
  if (fsync === 'off') risks.push('fsync is off: a crash of the machine can lose or corrupt the books');
  if (fullPageWrites === 'off') risks.push('full_page_writes is off: a crash of the machine can corrupt the books');
  if (synchronousCommit === 'off') risks.push('synchronous_commit is off: a crash loses the last commits');
  else if (hasSynchronousStandbys && !['on', 'remote_apply'].includes(synchronousCommit)) {
    risks.push(`synchronous_commit is ${synchronousCommit}: a standby that is promoted may lack the last commits`);
  }
  if (asyncStandbys > 0) {
    risks.push(
      `${asyncStandbys} asynchronous standby(s): promoting one can lose the last commits; set synchronous_standby_names`,
    );
  }
  return risks;
}

/** Warns once, when the process starts, if its database can lose what it has acknowledged. */
export function durabilityCheck<Schema>({ db, logger }: { db: Kysely<Schema>; logger: Logger }): Part {
  return {
    name: 'durability check',
    async start() {
      const { rows } = await sql<Settings>`
        select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
          current_setting('synchronous_commit') as "synchronousCommit",
          current_setting('synchronous_standby_names') <> '' as "hasSynchronousStandbys",
          case when current_setting('synchronous_standby_names') <> '' then 0
            else (select count(*)::int from pg_stat_replication where application_name <> 'pg_basebackup')
          end as "asyncStandbys"`.execute(db);
      const risks = rows[0] ? risksOf(rows[0]) : [];
      if (risks.length > 0)
        logger.warn({ risks }, 'the database can lose what it has acknowledged: see docs/runbooks/failover.md');
    },
    stop: () => undefined,
  };
}
