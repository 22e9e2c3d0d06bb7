import type { Booked } from '@vuka/local/testing/booked';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';

/** Includes the retry delay of a message whose worker had no database. */
const RECORDED_MS = 120_000;
const NAMED = 5;

/**
 * The integration log has a call for every settled payout. The log is written only from messages, so a missing call
 * means a lost message. Returns a line per contradiction.
 */
export async function checkCallLog(
  databaseUrl: string,
  settled: readonly Pick<Booked, 'id'>[],
  withinMs = RECORDED_MS,
): Promise<string[]> {
  const log = new pg.Client({ connectionString: databaseUrl });
  await log.connect();
  let missing: string[] = [];
  const isComplete = async () => {
    const { rows } = await log.query<{ id: string }>(
      `select settled.id from unnest($1::text[]) as settled(id)
        where not exists (select from integration_logs where transaction_id = settled.id)`,
      [settled.map(({ id }) => id)],
    );
    missing = rows.map(({ id }) => id);
    return missing.length === 0;
  };
  try {
    await until(isComplete, {
      timeoutMs: withinMs,
      everyMs: 500,
      what: 'every payout to be in the integration log',
    });
    return [];
  } catch (error) {
    if (missing.length === 0) return [`the integration log could not be read: ${(error as Error).message}`];
    return [`${missing.length} settled payouts are not in the integration log: ${missing.slice(0, NAMED).join(', ')}`];
  } finally {
    await log.end();
  }
}
