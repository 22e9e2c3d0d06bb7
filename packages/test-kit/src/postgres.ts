import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { askForServer } from './test-servers.ts';

export interface TestDatabase {
  url: string;
  /** Drops the database, even while it has connections. */
  drop(): Promise<void>;
}

/** Creates an empty database on the shared server, one per suite, so that suites can run in parallel. */
export async function createTestDatabase(name = 'suite'): Promise<TestDatabase> {
  const { url: serverUrl } = await askForServer('postgres');
  const database = `vuka_test_${name.replace(/\W+/g, '_').toLowerCase()}_${randomBytes(5).toString('hex')}`;
  await execute(serverUrl, `create database "${database}" template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return { url: url.toString(), drop: () => drop(serverUrl, database) };
}

/** Longer than a connection takes to close once its client has ended it. */
const CLOSES_WITHIN_MS = 500;

/** If a connection that is being closed were ended by force, its client would emit an error without a listener. */
async function drop(serverUrl: string, database: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const hasConnections = async () =>
      (await client.query('select from pg_stat_activity where datname = $1', [database])).rowCount !== 0;
    const deadline = performance.now() + CLOSES_WITHIN_MS;
    while (performance.now() < deadline && (await hasConnections())) await delay(10);
    await client.query(`drop database if exists "${database}" with (force)`);
  });
}

const execute = (url: string, statement: string) => withClient(url, (client) => client.query(statement));

async function withClient(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
