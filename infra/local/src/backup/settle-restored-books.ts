import { planDatabases } from '#databases.ts';
import { withDatabase } from './later-facts.ts';

/** Longer than a broker keeps a message that nobody has taken yet, on an ordinary day. */
const REPUBLISHED_SECONDS = 3_600;

/**
 * What restored books need before services may run on them. Sessions end, since some of them had ended, or had
 * another PIN, by the time that was lost. Open transfers are marked: what they send next may have been sent
 * before, so that its refusal is no proof. Where messages are with a broker, which is no part of a backup, those
 * of the last hour before the moment go out again: what a consumer had done of them may be lost, and what it had
 * not, its inbox knows.
 */
export async function settleRestoredBooks(
  serverUrl: string,
  { databasePrefix, hasBroker, at }: { databasePrefix: string; hasBroker: boolean; at: Date },
): Promise<void> {
  await withDatabase(serverUrl, `${databasePrefix}_identity`, (client) => client.query('delete from sessions'));
  await withDatabase(serverUrl, `${databasePrefix}_transfers`, (client) =>
    client.query(`update transactions set metadata = metadata || '{"isRestored": true}' where is_open`),
  );
  if (!hasBroker) return;
  for (const { name } of planDatabases(databasePrefix)) {
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
