import { until } from '@vuka/test-kit/until';
import pg from 'pg';

/**
 * Longer than the 58 s for which the provider may deny a payout, and the longest wait after an unclear request, 150 s,
 * together; between two inquiries it is 30 s in a proof.
 */
const END_MS = 240_000;

/** Waits until every transfer in this database has ended and every message was published; throws after `timeoutMs`. */
export async function untilEnded(databaseUrl: string, timeoutMs: number = END_MS): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const nothingOpen = async () => {
    const { rows } = await client.query<{ open: number }>(
      `select (select count(*) from transactions where status not in ('SETTLED', 'FAILED', 'CANCELLED'))::int
        + (select count(*) from outbox where published_at is null)::int as open`,
    );
    return rows[0]?.open === 0;
  };
  await until(nothingOpen, { timeoutMs, everyMs: 200, what: 'every transfer to end' }).finally(() => client.end());
}
