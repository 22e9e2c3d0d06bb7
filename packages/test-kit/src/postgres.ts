import { randomBytes } from 'node:crypto';
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
  return { url: url.toString(), drop: () => execute(serverUrl, `drop database if exists "${database}" with (force)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
