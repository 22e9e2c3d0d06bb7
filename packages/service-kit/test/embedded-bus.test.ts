import { createTestDatabase } from '@vuka/test-kit/postgres';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import pg from 'pg';
import { pino } from 'pino';
import { describe } from 'vitest';
import { createEmbeddedBus } from '#messaging/embedded-bus.ts';
import { describeDeadMessages } from './dead-messages.contract.ts';
import { describeDelivery } from './message-bus.contract.ts';
import { type BusWorld, contractTopology, useBusSuite } from './message-bus.suite.ts';
import { describeFailures } from './message-bus-failures.contract.ts';
import { describeOutages } from './outages.contract.ts';

const logger = pino({ level: 'silent' });

async function createWorld(): Promise<BusWorld> {
  const database = await createTestDatabase('bus');
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const target = new URL(database.url);
  return {
    createBus({ proxy, assertTopology = true, topology = contractTopology, holdMs } = {}) {
      const url = new URL(database.url);
      if (proxy) url.host = `127.0.0.1:${proxy.port}`;
      const databaseUrl = url.toString();
      const options = { databaseUrl, service: 'a', topology, logger, assertTopology };
      if (holdMs !== undefined) return createEmbeddedBus({ ...options, holdMs });
      return createEmbeddedBus({ ...options, publishTimeoutMs: 1000, leaseSeconds: 1 });
    },
    createProxy: () => createTcpProxy({ host: target.hostname, port: Number(target.port || 5432) }),
    async inject(queue, body) {
      const data = { envelope: body, key: queue, attempt: 1 };
      await pool.query(
        `insert into pgboss.job (name, data, expire_seconds, deletion_seconds, keep_until, retry_limit, policy)
         select name, $2, expire_seconds, deletion_seconds, now() + interval '1 day', 2, policy from pgboss.queue where name = $1`,
        [queue, data],
      );
    },
    async deadMessages(queue) {
      const text = `select data from pgboss.job where name = $1 and state < 'active'`;
      const { rows } = await pool.query(text, [`${queue}.dlq`]);
      return rows.map(({ data }) => ({
        // pg-boss dead-letters a message that crashed its consumers, without a reason from us.
        reason: data.reason ?? 'delivery_limit',
        id: data.envelope.id,
        routingKey: data.key,
      }));
    },
    mismatched: {
      ...contractTopology,
      queues: [{ name: 'a.missing', bindings: [], retryDelaysMs: [], deliveryLimit: 1 }],
    },
    crashRedeliveryMs: 15_000,
    async drop() {
      await pool.end();
      await database.drop();
    },
  };
}

describe('the embedded bus', () => {
  const suite = useBusSuite(createWorld);
  describeDelivery(suite);
  describeFailures(suite);
  describeDeadMessages(suite);
  describeOutages(suite);
});
