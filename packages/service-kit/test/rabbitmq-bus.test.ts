import { createTestVhost, type TestVhost } from '@vuka/test-kit/rabbitmq';
import { createTcpProxy } from '@vuka/test-kit/tcp-proxy';
import { pino } from 'pino';
import { describe } from 'vitest';
import { createRabbitmqBus } from '#messaging/rabbitmq-bus.ts';
import { describeDeadMessages } from './dead-messages.contract.ts';
import { describeDelivery } from './message-bus.contract.ts';
import { type BusWorld, contractTopology, type DeadMessage, useBusSuite } from './message-bus.suite.ts';
import { describeFailures } from './message-bus-failures.contract.ts';
import { describeOutages } from './outages.contract.ts';

const logger = pino({ level: 'silent' });

interface PeekedMessage {
  payload: string;
  routing_key: string;
  properties: { headers: Record<string, unknown>; message_id?: string };
}

async function createWorld(): Promise<BusWorld> {
  const vhost = await createTestVhost('contract');
  const target = new URL(vhost.amqpUrl);
  return {
    createBus({ proxy, assertTopology = true, topology = contractTopology, holdMs } = {}) {
      const url = new URL(vhost.amqpUrl);
      if (proxy) url.host = `127.0.0.1:${proxy.port}`;
      return createRabbitmqBus({
        url: url.toString(),
        service: 'a',
        topology,
        logger,
        assertTopology,
        publishTimeoutMs: 500,
        ...(holdMs === undefined ? {} : { holdMs }),
      });
    },
    createProxy: () => createTcpProxy({ host: target.hostname, port: Number(target.port || 5672) }),
    async inject(queue, body) {
      const sent = { routing_key: queue, payload: JSON.stringify(body), payload_encoding: 'string', properties: {} };
      await vhost.management('POST', `/api/exchanges/${vhost.name}/a.settle/publish`, sent);
    },
    deadMessages: (queue) => peekDead(vhost, queue),
    mismatched: {
      ...contractTopology,
      services: { a: { publishes: ['t.commands', 't.missing'], consumes: [] } },
    },
    crashRedeliveryMs: 10_000,
    drop: vhost.drop,
  };
}

async function peekDead(vhost: TestVhost, queue: string): Promise<DeadMessage[]> {
  const peek = { count: 10, ackmode: 'ack_requeue_true', encoding: 'auto' };
  const messages = (await vhost.management(
    'POST',
    `/api/queues/${vhost.name}/${queue}.dlq/get`,
    peek,
  )) as PeekedMessage[];
  return messages.map(({ properties, routing_key }) => {
    const { headers } = properties;
    const [death] = (headers['x-death'] ?? []) as { reason: string; 'routing-keys': string[] }[];
    return {
      reason: String(headers['dead-reason'] ?? death?.reason),
      id: properties.message_id,
      routingKey: String(headers['original-key'] ?? death?.['routing-keys'][0] ?? routing_key),
    };
  });
}

describe('the RabbitMQ bus', () => {
  const suite = useBusSuite(createWorld);
  describeDelivery(suite);
  describeFailures(suite);
  describeDeadMessages(suite);
  describeOutages(suite);
});
