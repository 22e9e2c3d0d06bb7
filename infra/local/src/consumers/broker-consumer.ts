import { randomBytes } from 'node:crypto';
import { EVENTS } from '@vuka/contracts/topology';
import { StartError } from '#start-settings.ts';

/** What another service needs to read its queue. */
export interface BrokerConsumer {
  user: string;
  password: string;
  queue: string;
}

/** The transfers' events, and nothing else. */
const KEY = 'transfer.*.v1';
/** If a reader is away for long, the queue drops the oldest events to save the broker's disk. The feed keeps a week. */
const LONGEST = 1_000_000;
/** By default RabbitMQ drops a message after 20 redeliveries, which a crashing reader reaches soon. */
const REDELIVERIES = 1_000_000;
const NAME = /^[a-z][a-z0-9-]{1,29}$/;

/**
 * Creates a queue of transfer events and a user who may read only this queue. A repeat gives the user a new password and
 * leaves the queue as it is. `management` is the management API's address, with an administrator of the broker.
 */
export async function createBrokerConsumer(
  { management, vhost }: { management: string; vhost: string },
  name: string,
): Promise<BrokerConsumer> {
  if (!NAME.test(name)) throw new StartError('--name must be 2 to 30 lower-case letters, digits and hyphens.');
  const [user, queue] = [`ext-${name}`, `ext.${name}.transfers`];
  const password = randomBytes(24).toString('base64url');
  const put = managementClient(management);
  const of = encodeURIComponent(vhost);
  const exactly = `^${queue.replaceAll('.', '\\.')}$`;
  await put('PUT', `/api/policies/${of}/${queue}`, {
    pattern: exactly,
    'apply-to': 'queues',
    definition: { 'max-length': LONGEST, overflow: 'drop-head', 'delivery-limit': REDELIVERIES },
  });
  await put('PUT', `/api/queues/${of}/${queue}`, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await put('POST', `/api/bindings/${of}/e/${EVENTS}/q/${queue}`, { routing_key: KEY });
  await put('PUT', `/api/users/${user}`, { password, tags: '' });
  await put('PUT', `/api/permissions/${of}/${user}`, { configure: '^$', write: '^$', read: exactly });
  return { user, password, queue };
}

function managementClient(address: string) {
  const { origin, username, password } = new URL(address);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(origin + path, { method, headers, body: JSON.stringify(body) }).catch((error) => {
      throw new StartError(
        `The management API at ${origin} does not answer: ${error.cause?.message ?? error.message}. Is its plugin rabbitmq_management enabled?`,
      );
    });
    if (answer.ok) return;
    throw new StartError(
      `${method} ${path} at the broker: ${answer.status} ${await answer.text()}.${hintFor(answer.status)}`,
    );
  };
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ' AMQP_MANAGEMENT_URL needs a user with the tag administrator.';
  if (status !== 404) return '';
  return ' AMQP_URL must end with the virtual host on which Vuka has run: %2Fvuka with containers, nothing for the default one.';
}
