import type { ApiClient } from '@vuka/local/testing/api-client';
import { type ChannelModel, connect, type GetMessage } from 'amqplib';
import { callManagement } from './broker-management.ts';
import { within } from './within.ts';

/** The addresses by which the proof inspects a broker. */
export interface BrokerAddresses {
  amqpUrl: string;
  /** The address of the management API, with user and password. */
  managementUrl: string;
}

const DEAD = /\.dlq$/;
const ASIDE = /\.(dlq|retry\.\w+)$/;
const MOST_READ = 1_000;
/** A broker that is suspended accepts connections and does not answer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** If the broker ends before it acknowledges a close, amqplib waits for ever. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface PutAside {
  queue: string;
  isDead: boolean;
  /** Why the consumer gave up. */
  reason: string;
  body: string;
}

/**
 * Every message in a dead-letter or retry queue; reading leaves them there. Without a broker, the dead letters of the
 * embedded bus, as its administrators read them. The messages that the bus still retries are in its tables.
 */
export function readPutAside(broker: BrokerAddresses | undefined, admin: ApiClient): Promise<PutAside[]> {
  return broker ? readFromBroker(broker) : readFromEmbeddedBus(admin);
}

async function readFromBroker({ amqpUrl, managementUrl }: BrokerAddresses): Promise<PutAside[]> {
  const queues = (await listQueues(managementUrl)).filter((name) => ASIDE.test(name));
  return withBroker(amqpUrl, async (connection) => {
    const channel = await connection.createChannel();
    const found: PutAside[] = [];
    for (const queue of queues) {
      for (let read = 0; read < MOST_READ; read += 1) {
        // Never acknowledged, so that closing the connection returns the message to its queue.
        const message = await channel.get(queue);
        if (!message) break;
        found.push(describe(queue, message));
      }
    }
    return found;
  });
}

/** Runs `work` on its own connection; fails if the connection is lost before it ends. */
export async function withBroker<Result>(
  amqpUrl: string,
  work: (connection: ChannelModel) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(amqpUrl, { timeout: CONNECT_TIMEOUT_MS });
  const lost = new Promise<never>((_, reject) => {
    // An "error" event without a listener would end the proof.
    connection.on('error', reject);
    connection.on('close', () => reject(new Error('the broker closed the connection')));
  });
  lost.catch(() => undefined);
  try {
    return await Promise.race([work(connection), lost]);
  } finally {
    // `close` throws on a lost connection.
    const closing = Promise.resolve().then(() => connection.close());
    await within(closing, CLOSE_TIMEOUT_MS).catch(() => undefined);
  }
}

function describe(queue: string, { content, properties }: GetMessage): PutAside {
  const reason: unknown = properties.headers?.['dead-reason'];
  return { queue, isDead: DEAD.test(queue), reason: String(reason ?? 'unknown'), body: content.toString('utf8') };
}

/** Empties every queue, as the runbook requires before a start on restored books. */
export async function emptyQueues(managementUrl: string): Promise<void> {
  for (const name of await listQueues(managementUrl))
    await callManagement(managementUrl, `/api/queues/%2F/${encodeURIComponent(name)}/contents`, 'DELETE');
}

async function listQueues(managementUrl: string): Promise<string[]> {
  const path = '/api/queues?columns=name&disable_stats=true&enable_queue_totals=true';
  const queues = (await (await callManagement(managementUrl, path)).json()) as { name: string }[];
  return queues.map(({ name }) => name);
}

async function readFromEmbeddedBus(admin: ApiClient): Promise<PutAside[]> {
  const found: PutAside[] = [];
  const { body } = await admin.get('/api/admin/queues');
  for (const { name, dead } of body.queues ?? []) {
    if (!dead) continue;
    const letters = (await admin.get(`/api/admin/queues/${name}/dead`)).body.messages ?? [];
    for (const { reason, ...message } of letters)
      found.push({ queue: name, isDead: true, reason: String(reason), body: JSON.stringify(message) });
  }
  return found;
}
