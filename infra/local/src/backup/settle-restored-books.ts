import type pg from 'pg';
import { planDatabases } from '#databases.ts';
import { withDatabase } from '#with-database.ts';
import { expireLostHolds } from './expire-lost-holds.ts';

/** Longer than a message usually waits for its consumer. */
const REPUBLISHED_SECONDS = 3_600;

export interface SettleOptions {
  databasePrefix: string;
  hasBroker: boolean;
  /** The moment to which the books were restored. */
  at: Date;
  say: (line: string) => void;
}

/**
 * Prepares restored books for the services. All sessions end, because in the lost time some may have ended or their PIN
 * may have changed. The transfers' books begin a new epoch: a payout request may be a repeat of a lost one, so its
 * refusal proves nothing. If a dump was loaded into another cluster, their events are numbered for it. Holds of transfers
 * that the books lack expire. If messages are in a broker, which no backup includes, those of the last hour before the
 * moment are published again: a consumer's work on them may be lost, and the inbox skips those that it still knows.
 */
export async function settleRestoredBooks(
  serverUrl: string,
  { databasePrefix, hasBroker, at, say }: SettleOptions,
): Promise<void> {
  await withDatabase(serverUrl, `${databasePrefix}_identity`, (client) => client.query('delete from sessions'));
  await withDatabase(serverUrl, `${databasePrefix}_transfers`, async (client) => {
    await beginEpoch(client);
    await renumberEvents(client);
  });
  const lostHolds = await expireLostHolds(serverUrl, databasePrefix);
  if (lostHolds > 0)
    say(`Holds of transfers that the books do not have: ${lostHolds}. The wallet releases them when it starts.`);
  if (!hasBroker) return;
  for (const name of await existingDatabases(serverUrl, databasePrefix)) {
    await withDatabase(serverUrl, name, async (client) => {
      const { rows } = await client.query(`select to_regclass('public.outbox') is not null as "hasOutbox"`);
      if (!rows[0]?.hasOutbox) return;
      await client.query(
        `update outbox set published_at = null, claimed_until = null, next_attempt_at = null
        where published_at > $1::timestamptz - make_interval(secs => ${REPUBLISHED_SECONDS})`,
        [at],
      );
    });
  }
}

/** What no comparison can find: a withdrawal that was ordered and paid by hand after the moment. */
export function bankStatementStep(at: Date): string {
  return (
    `Compare each outgoing payment on the bank statement since ${at.toISOString()} with /admin/withdrawals. If it is\n` +
    'missing there, block the account of its merchant first: the money is spendable again.'
  );
}

/** With a broker there may be no database for the embedded bus, and with a real provider none for the simulator. */
function existingDatabases(serverUrl: string, databasePrefix: string): Promise<string[]> {
  const names = planDatabases(databasePrefix).map(({ name }) => name);
  return withDatabase(serverUrl, 'postgres', async (client) => {
    const text = 'select datname as name from pg_database where datname = any($1)';
    const { rows } = await client.query<{ name: string }>(text, [names]);
    return rows.map(({ name }) => name);
  });
}

async function beginEpoch(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('public.books_epoch') is not null as "hasEpochs"`);
  // No server has this place, so the next payout begins a new epoch.
  if (rows[0]?.hasEpochs) await client.query(`update books_epoch set place = 'before a restore'`);
  // The books are from a release without epochs.
  else await client.query(`update transactions set metadata = metadata || '{"isRestored": true}' where is_open`);
}

/**
 * The feed orders events by transaction id. Books loaded from a dump have those of the old cluster: one that the new
 * cluster has not reached would hide its event, or make every page a gap. So all events become events of this
 * transaction, in the order of their own ids, and none counts as pruned. Readers learn of the gap from the new epoch.
 */
async function renumberEvents(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('public.event_log_pruned') is not null as "hasLog"`);
  if (!rows[0]?.hasLog) return;
  await client.query(`
    with ahead as (
      select written_in from outbox where written_in > pg_current_xact_id()
      union all select written_in from event_log_pruned where written_in > pg_current_xact_id()
    ), pruned as (
      update event_log_pruned set written_in = '0', id = 0 where exists (select from ahead)
    )
    update outbox set written_in = default where exists (select from ahead)`);
}
