import { CALLS_RECORDED } from '@vuka/contracts/messages/integration-log';
import { createTestVhost } from '@vuka/test-kit/rabbitmq';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PIN, type ApiClient, registerMerchant, signInAdmin } from './api-client.ts';
import { openBooks, untilToldEverything } from './books.ts';
import { streamOrders } from './order-stream.ts';
import { startProductOn } from './product.ts';
import type { Sender } from './steady-load.ts';

const QUEUE = 'integration-log.calls';
const PATH = `/api/admin/queues/${QUEUE}/dead`;
const MESSAGES = 500;
const SENDERS = 8;
const PER_SECOND = 100;
const JUMA = '+255754123456';

async function figures(admin: ApiClient): Promise<Record<string, number>> {
  const { body } = await admin.get('/api/admin/queues');
  return body.queues.find(({ name }: { name: string }) => name === QUEUE);
}

async function matching(admin: ApiClient, filter: Record<string, string>): Promise<number> {
  return (await admin.get(`${PATH}/matching?${new URLSearchParams(filter)}`)).body.matching;
}

test('500 messages that a service refused are sent again by its operator, and each has its effect once', {
  timeout: 300_000,
}, async () => {
  const [server, vhost] = await Promise.all([askForServer('postgres'), createTestVhost('live_redrive')]);
  onTestFinished(() => vhost.drop(), 30_000);
  const servers = { databaseUrl: server.url, amqpUrl: vhost.amqpUrl };
  const product = await startProductOn(servers, { SIMULATOR_DELAY_MS: '50', VUKA_RATE_LIMIT_FACTOR: '1000' });
  onTestFinished(() => product.stop(), 60_000);
  const logs = await openBooks(server.url, product.databasePrefix, 'integration_log');
  onTestFinished(() => logs.end());
  const transfers = await openBooks(server.url, product.databasePrefix);
  onTestFinished(() => transfers.end());
  const admin = await signInAdmin(product.address);
  const senders: Sender[] = [];
  while (senders.length < SENDERS) {
    const { client, user } = await registerMerchant(product.address, admin, { KES: 100_000 });
    senders.push({ client, userId: user.id });
  }
  const patience = { timeoutMs: 150_000, everyMs: 200 };
  const countLogs = async () => (await logs.query('select id from integration_logs')).rows.length;
  // The broker does not report which messages a consumer is still processing, so the published ones are counted.
  const countPublished = async () => {
    const lengths = `
      select json_array_length(text::json->'envelope'->'data'->'calls') as calls
      from outbox, unnest(string_to_array(messages, chr(30))) as text where text::json->>'routingKey' = $1`;
    const { rows } = await transfers.query(lengths, [CALLS_RECORDED]);
    return { messages: rows.length, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
  };
  const areAllLogged = async () => (await countLogs()) === (await countPublished()).calls;
  await until(areAllLogged, { ...patience, what: 'the logs of the calls so far' });
  const before = { logs: await countLogs(), messages: (await countPublished()).messages };

  // The service and its database are up, so it does not pause consumption, and each message fails.
  await logs.query('alter table integration_logs add constraint broken check (false) not valid');
  const orders = streamOrders(senders, JUMA);
  onTestFinished(() => orders.stop());
  const hasEnough = async () => ((await figures(admin)).dead ?? 0) >= MESSAGES;
  await until(hasEnough, { ...patience, what: '500 dead messages' });
  await orders.stop();
  const isIdle = async () => {
    const { ready, delayed, unacknowledged } = await figures(admin);
    return !ready && !delayed && !unacknowledged;
  };
  const ids = orders.accepted.map(({ id }) => id);
  const hasEnded = async () => {
    const open = 'select id from transactions where is_open and id = any($1)';
    return (await transfers.query(open, [ids])).rows.length === 0;
  };
  await until(hasEnded, { ...patience, what: 'the end of every transfer' });
  await untilToldEverything(transfers);
  const areAllDead = async () =>
    ((await figures(admin)).dead ?? 0) === (await countPublished()).messages - before.messages;
  await until(areAllDead, { ...patience, what: 'every published message to be refused' });
  const dead = (await figures(admin)).dead ?? 0;
  expect(await countLogs()).toBe(before.logs);
  expect(await matching(admin, { diedOf: 'violates check constraint "broken"' })).toBe(dead);
  expect(await matching(admin, { diedOf: 'another failure' })).toBe(0);
  expect(await matching(admin, { olderThanMinutes: '60' })).toBe(0);

  await logs.query('alter table integration_logs drop constraint broken');
  const filter = { type: CALLS_RECORDED, diedOf: 'violates check constraint "broken"' };
  expect(await matching(admin, filter)).toBe(dead);
  expect((await figures(admin)).dead).toBe(dead);
  const order = { ...filter, perSecond: PER_SECOND, reason: 'the constraint is gone', pin: ADMIN_PIN };
  const startedMs = performance.now();
  expect(await admin.post(`${PATH}/redrive`, order)).toMatchObject({ status: 202, body: { matching: dead, moved: 0 } });
  const latest = async () => (await admin.get('/api/admin/redrives')).body.redrives[0];
  await until(async () => (await latest()).endedAt !== null, { ...patience, what: 'the end of the redrive' });
  const tookMs = performance.now() - startedMs;
  expect(await latest()).toMatchObject({ matching: dead, moved: dead });
  await until(isIdle, { ...patience, what: 'every message to be handled' });
  expect((await figures(admin)).dead).toBe(0);
  // The redrive was not faster than the requested rate.
  expect(tookMs).toBeGreaterThan((dead / PER_SECOND - 2) * 1_000);
  console.log(`${dead} dead messages of ${orders.accepted.length} transfers were redriven in ${Math.round(tookMs)} ms`);

  const { rows: paid } = await transfers.query(
    `select id from transactions where status = 'SETTLED' and transaction_type = 'transfer' and recipient_user_id is null`,
  );
  const allLogged = async () => {
    const { rows } = await logs.query(`select transaction_id from integration_logs where operation like '%.initiate'`);
    const logged = new Set(rows.map((row) => row.transaction_id));
    return paid.every(({ id }) => logged.has(id));
  };
  await until(allLogged, { ...patience, what: 'the calls of every paid transfer in the logs' });
  const { rows: doubled } = await logs.query(
    'select money_transfer_id from integration_logs group by money_transfer_id, operation, timestamp having count(*) > 1',
  );
  expect(doubled).toEqual([]);
});
