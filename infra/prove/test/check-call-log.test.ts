import { createTestDatabase } from '@vuka/test-kit/postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { checkCallLog } from '#check-call-log.ts';

const [LOGGED, LATE, LOST] = [{ id: 'logged' }, { id: 'late' }, { id: 'lost' }];

test('a settled payout without a call in the integration log is found; one that is recorded late is not', async () => {
  const server = await createTestDatabase('check-call-log');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query('create table integration_logs as select $1::text as transaction_id, gen_random_uuid() as id', [
      LOGGED.id,
    ]);
    const late = checkCallLog(server.url, [LOGGED, LATE], 10_000);
    await client.query('insert into integration_logs values ($1)', [LATE.id]);
    expect(await late).toEqual([]);
    expect(await checkCallLog(server.url, [LOGGED, LOST], 0)).toEqual([
      '1 settled payouts are not in the integration log: lost',
    ]);
  } finally {
    await client.end();
    await server.drop();
  }
});
