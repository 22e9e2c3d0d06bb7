import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, registerMerchant, signInAdmin } from './api-client.ts';
import { expectFairEnds, expectLedgerHolds, openBooks } from './books.ts';
import { type Fleet, type Replaced, SERVICES, startFleet } from './fleet.ts';
import { type OrderStream, streamOrders } from './order-stream.ts';
import type { Sender } from './steady-load.ts';

const SENDERS = 8;
const JUMA = '+255754123456';

let vhost: TestVhost;
let fleet: Fleet;
let books: pg.Client;
let admin: ApiClient;
let orders: OrderStream | undefined;

beforeAll(async () => {
  const [server, created] = await Promise.all([askForServer('postgres'), createTestVhost('rolling')]);
  vhost = created;
  fleet = await startFleet(
    { databaseUrl: server.url, amqpUrl: vhost.amqpUrl },
    { env: { SIMULATOR_DELAY_MS: '100', VUKA_RATE_LIMIT_FACTOR: '1000', VUKA_BACKLOG_ALWAYS: '10000' } },
  );
  books = await openBooks(server.url, fleet.databasePrefix);
  admin = await signInAdmin(fleet.address);
}, 120_000);

afterAll(async () => {
  await orders?.stop();
  await books?.end();
  await fleet?.stop();
  await vhost?.drop();
}, 60_000);

async function register(): Promise<Sender> {
  const { client, user } = await registerMerchant(fleet.address, admin, { KES: 100_000 });
  return { client, userId: user.id };
}

test('every process is replaced one after the other under load, and each order is accepted and ends once', {
  timeout: 240_000,
}, async () => {
  const senders: Sender[] = [];
  while (senders.length < SENDERS) senders.push(await register());
  const stream = streamOrders(senders, JUMA);
  orders = stream;
  const replaced: Record<string, Replaced> = {};
  for (const name of SERVICES) replaced[name] = await fleet.replace(name);
  await stream.stop();
  expect(stream.failed).toEqual([]);
  expect(stream.accepted.length).toBeGreaterThan(SENDERS * SERVICES.length);
  expect(Object.entries(replaced).filter(([, { exitCode }]) => exitCode !== 0)).toEqual([]);
  await expectFairEnds(books, stream.accepted, { simulatorPort: fleet.simulatorPort, timeoutMs: 60_000 });
  await expectLedgerHolds(admin);
});
