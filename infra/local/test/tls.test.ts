import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, prepareServerDirectory, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import { createBus } from '@vuka/service-kit/messaging/create-bus';
import { makeCertificates } from '@vuka/test-kit/certificates';
import { type BrokerNode, findInstalledBroker, startBrokerNode, type TlsFiles } from '@vuka/test-kit/rabbitmq-node';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { order, registerMerchant, signInAdmin } from './api-client.ts';
import { startProductOn } from './product.ts';

const script = findInstalledBroker();
const logger = createLogger({ service: 'tls-test', level: 'silent' });
let dir: string;
let postgres: EmbeddedPostgres;
let postgresFiles: TlsFiles;
let broker: BrokerNode | undefined;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-tls-'));
  // The account that Postgres runs as must be able to enter.
  await chmod(dir, 0o755);
  const dataDir = join(dir, 'postgres');
  // Once without TLS, so that the account that the server runs as is known and can own its key.
  await (await startEmbeddedPostgres({ dataDir })).stop();
  const certificates = join(dataDir, 'certificates');
  await prepareServerDirectory(certificates, dataDir);
  postgresFiles = makeCertificates(certificates);
  postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { ssl: 'on', ssl_cert_file: postgresFiles.certificate, ssl_key_file: postgresFiles.key },
  });
  if (script) broker = await startBrokerNode(script, { tls: makeCertificates(join(dir, 'broker')) });
}, 180_000);
afterAll(async () => {
  await broker?.stop();
  await postgres?.stop();
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
});

/** The address of the server with TLS, as the runbook writes it. */
function databaseUrl({ host = 'localhost', authority = postgresFiles.authority } = {}): string {
  const url = new URL(postgres.url);
  url.hostname = host;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', authority);
  return url.toString();
}

async function isEncrypted(url: string): Promise<boolean | undefined> {
  const { pool, close } = createDatabase({ url, service: 'tls-test', logger });
  try {
    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl;
  } finally {
    await close();
  }
}

test('a connection to Postgres is encrypted when its address says so', async () => {
  expect(await isEncrypted(postgres.url)).toBe(false);
  expect(await isEncrypted(databaseUrl())).toBe(true);
});

test('a server with a certificate of an unknown authority, or for another name, gets no password', async () => {
  const stranger = makeCertificates(join(dir, 'stranger'));
  await expect(isEncrypted(databaseUrl({ authority: stranger.authority }))).rejects.toThrow(/certificate/i);
  await expect(isEncrypted(databaseUrl({ host: '127.0.0.1' }))).rejects.toThrow(/altnames/);
});

const amqpUrl = () => broker?.amqpUrl ?? '';

test.skipIf(!script)(
  'the broker is reached with TLS alone, and only with its own certificate and name',
  async () => {
    const stranger = makeCertificates(join(dir, 'stranger'));
    const wrong: [string, string][] = [
      ['amqps:', amqpUrl().replace(/cacertfile=.*/, `cacertfile=${encodeURIComponent(stranger.authority)}`)],
      ['amqps:', amqpUrl().replace('localhost', '127.0.0.1')],
      ['amqp:', amqpUrl().replace('amqps:', 'amqp:')],
    ];
    const right = createBus({ service: 'tls-test', logger, assertTopology: true, amqpUrl: amqpUrl() });
    await right.start();
    expect(right.health().connected).toBe(true);
    await right.close();
    for (const [, url] of wrong) {
      const bus = createBus({ service: 'tls-test', logger, assertTopology: true, amqpUrl: url });
      await bus.start();
      expect(bus.health().connected, url).toBe(false);
      await bus.close();
    }
  },
  60_000,
);

test.skipIf(!script)(
  'the whole product runs on encrypted connections alone, and a transfer settles',
  async () => {
    const servers = { databaseUrl: databaseUrl(), amqpUrl: amqpUrl() };
    const product = await startProductOn(servers, { SIMULATOR_DELAY_MS: '50', VUKA_PAYOUT_CHECK_SECONDS: '1' });
    try {
      const admin = await signInAdmin(product.address);
      const { client } = await registerMerchant(product.address, admin);
      const { body } = await client.post('/api/transactions/create', order());
      const read = async () => (await client.get(`/api/transactions/${body.transaction.id}`)).body.transaction;
      await until(async () => (await read()).status === 'SETTLED', { timeoutMs: 30_000, what: 'it settles' });
      const plain = new pg.Client({ connectionString: postgres.url });
      await plain.connect();
      const { rows } = await plain.query(
        `select usename, ssl, count(*)::int from pg_stat_ssl join pg_stat_activity using (pid)
        where usename like $1 group by usename, ssl order by usename`,
        [`${product.databasePrefix}\\_%`],
      );
      await plain.end();
      expect(rows.length).toBeGreaterThan(6);
      expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    } finally {
      await product.stop();
    }
  },
  240_000,
);
