import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import pg from 'pg';

export interface Servers {
  postgresUrl: string;
  amqpUrl: string;
  /** Their versions, for the report. */
  postgres: string;
  rabbitmq: string;
  stop(): Promise<void>;
}

/**
 * The Postgres and RabbitMQ to measure on: those of DATABASE_URL and AMQP_URL, otherwise the embedded Postgres, with
 * fsync on, and a private node of an installed RabbitMQ. Throws without a RabbitMQ.
 */
export async function findServers(): Promise<Servers> {
  const stops: (() => Promise<void>)[] = [];
  const postgresUrl = process.env.DATABASE_URL || (await embeddedPostgres(stops));
  const amqpUrl = process.env.AMQP_URL || (await privateBroker(stops));
  const [row] = await query(
    postgresUrl,
    "select split_part(version(), ' ', 2) as version, current_setting('fsync') as fsync",
  );
  return {
    postgresUrl,
    amqpUrl,
    postgres: `PostgreSQL ${row?.version}, fsync ${row?.fsync}${process.env.DATABASE_URL ? '' : ' (embedded)'}`,
    rabbitmq: process.env.AMQP_URL ? 'RabbitMQ of AMQP_URL' : 'RabbitMQ, a private node',
    async stop() {
      for (const stop of stops) await stop();
    },
  };
}

async function embeddedPostgres(stops: (() => Promise<void>)[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres') });
  stops.push(async () => {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return postgres.url;
}

async function privateBroker(stops: (() => Promise<void>)[]): Promise<string> {
  const script = findInstalledBroker();
  if (!script) throw new Error('The bench needs RabbitMQ: set AMQP_URL, or install rabbitmq-server.');
  const broker = await startBrokerNode(script);
  stops.push(() => broker.stop());
  return broker.amqpUrl;
}

/** One statement on a separate connection. */
export async function query(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Creates an empty database on the server; returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await dropDatabase(serverUrl, name);
  await query(serverUrl, `create database "${name}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await query(serverUrl, `drop database if exists "${name}" with (force)`);
}

/** Drops the databases and roles of a run with this prefix. */
export async function dropRun(serverUrl: string, prefix: string): Promise<void> {
  const pattern = `${prefix}\\_%`;
  for (const { name } of await query(
    serverUrl,
    `select datname as name from pg_database where datname like '${pattern}'`,
  )) {
    await dropDatabase(serverUrl, name ?? '');
  }
  for (const { name } of await query(
    serverUrl,
    `select rolname as name from pg_roles where rolname like '${pattern}'`,
  )) {
    await query(serverUrl, `drop role "${name}"`);
  }
}
