import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test } from 'vitest';
import { registerMerchant, signInAdmin } from './api-client.ts';
import { expectFairEnds, expectLedgerHolds, openBooks } from './books.ts';
import { type FleetOptions, type Replaced, SERVICES, startFleet } from './fleet.ts';
import { type OrderStream, streamOrders } from './order-stream.ts';
import type { Sender } from './steady-load.ts';

const SENDERS = 8;
const JUMA = '+255754123456';
/** The gateway waits for 8 s from the first call that finds no process, and the proxy in front of it for 5 s. */
const waitedForMs = (name: string) => (name === 'gateway' ? 4_500 : 7_500);
const ENV = { SIMULATOR_DELAY_MS: '100', VUKA_RATE_LIMIT_FACTOR: '1000' };

async function startUnderLoad(way: NonNullable<FleetOptions['way']>) {
  const [server, vhost] = await Promise.all([askForServer('postgres'), createTestVhost('rolling')]);
  onTestFinished(() => vhost.drop(), 30_000);
  const fleet = await startFleet({ databaseUrl: server.url, amqpUrl: vhost.amqpUrl }, { env: ENV, way });
  onTestFinished(() => fleet.stop(), 60_000);
  const books = await openBooks(server.url, fleet.databasePrefix);
  onTestFinished(() => books.end());
  const admin = await signInAdmin(fleet.address);
  const senders: Sender[] = [];
  while (senders.length < SENDERS) {
    const { client, user } = await registerMerchant(fleet.address, admin, { KES: 100_000 });
    senders.push({ client, userId: user.id });
  }
  const stream = streamOrders(senders, JUMA);
  onTestFinished(() => stream.stop());
  const check = async () => {
    await stream.stop();
    expect(stream.accepted.length).toBeGreaterThan(SENDERS * SERVICES.length);
    await expectFairEnds(books, stream.accepted, { simulatorPort: fleet.simulatorPort, timeoutMs: 60_000 });
    await expectLedgerHolds(admin);
  };
  return { fleet, stream, check };
}

/** Resolves once each sender has an answer to an order that it sent after this call. */
async function untilAnswered(stream: OrderStream): Promise<void> {
  const answered = () => stream.accepted.length + stream.failed.length;
  const enough = answered() + 2 * SENDERS;
  await until(() => answered() >= enough, { timeoutMs: 60_000, everyMs: 50, what: 'further orders to be answered' });
}

const unclean = (replaced: Record<string, Replaced>) =>
  Object.entries(replaced).filter(([, { exitCode }]) => exitCode !== 0);

test('every process is replaced one after the other under load, and each order is accepted and ends once', {
  timeout: 300_000,
}, async () => {
  const { fleet, stream, check } = await startUnderLoad('beside');
  const replaced: Record<string, Replaced> = {};
  for (const name of SERVICES) replaced[name] = await fleet.replace(name);
  await stream.stop();
  expect(stream.failed).toEqual([]);
  expect(unclean(replaced)).toEqual([]);
  await check();
});

test('every process is ended before the next one starts in its place, and each order waits for it, is accepted and ends once', {
  timeout: 300_000,
}, async () => {
  const { fleet, stream, check } = await startUnderLoad('in place');
  const replaced: Record<string, Replaced> = {};
  for (const name of SERVICES) {
    const failedBefore = stream.failed.length;
    const last = await fleet.replace(name);
    replaced[name] = last;
    await untilAnswered(stream);
    // On a busy machine a process may start more slowly than an order may wait for it.
    if (last.stoppedMs + last.startedMs < waitedForMs(name))
      expect(stream.failed.slice(failedBefore), name).toEqual([]);
  }
  expect(unclean(replaced)).toEqual([]);
  await check();
});
