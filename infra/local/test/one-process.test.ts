import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, registerRecipient, signInAdmin } from './api-client.ts';
import { expectFairEnds, expectLedgerHolds, openBooks, untilAskingProvider, untilInHand } from './books.ts';
import { killAndAwaitNext, type RunningProduct, startProductOn } from './product.ts';
import { moreThan, registerSenders, type Sender, startLoad } from './steady-load.ts';

// A small machine: the process that accepts orders also executes them.

const MERCHANT_PHONE = `+2557${String(Date.now()).slice(-8)}`;

let vhost: TestVhost;
let product: RunningProduct;
let books: pg.Client;
let admin: ApiClient;
let senders: Sender[];

beforeAll(async () => {
  const { url: databaseUrl } = await askForServer('postgres');
  vhost = await createTestVhost('one-process');
  product = await startProductOn(
    { databaseUrl, amqpUrl: vhost.amqpUrl },
    {
      VUKA_SEPARATE_WORKER: 'false',
      SIMULATOR_DELAY_MS: '300',
      VUKA_PAYOUT_CHECK_SECONDS: '1',
      VUKA_PAYOUT_GRACE_SECONDS: '3',
      VUKA_RATE_LIMIT_FACTOR: '1000',
    },
  );
  books = await openBooks(databaseUrl, product.databasePrefix);
  admin = await signInAdmin(product.address);
  await registerRecipient(product.address, MERCHANT_PHONE);
  senders = await registerSenders(product.address, admin);
}, 120_000);

afterAll(async () => {
  await books?.end();
  await product?.stop();
  await vhost?.drop();
});

test('a process that dies between accepting an order and executing it pays each order once', {
  timeout: 150_000,
}, async () => {
  const load = startLoad(senders, MERCHANT_PHONE);
  await moreThan(load, 8);
  await product.kill('wallet', 'SIGSTOP');
  try {
    // The killed process has accepted these orders and received their commands, but not begun them.
    await untilInHand(books, senders.length);
    await killAndAwaitNext(product, 'transfers');
  } finally {
    await product.kill('wallet', 'SIGCONT');
  }
  await moreThan(load, load.accepted.length + 8);
  await product.kill('payout-simulator', 'SIGSTOP');
  try {
    await untilAskingProvider(books, 1);
    await killAndAwaitNext(product, 'transfers');
  } finally {
    await product.kill('payout-simulator', 'SIGCONT');
  }
  await moreThan(load, load.accepted.length + 8);
  await load.stop();
  expect(load.surprises).toEqual([]);
  const simulatorPort = (await product.run()).services['payout-simulator']?.port ?? 0;
  await expectFairEnds(books, load.accepted, { simulatorPort, timeoutMs: 75_000 });
  await expectLedgerHolds(admin);
});
