import { createHash } from 'node:crypto';
import type { ServiceRights, Topology } from '@vuka/contracts/topology';
import { type BrokerTopology, expandTopology, namesOf } from '#messaging/rabbitmq-topology.ts';

/** The virtual host in every environment; environments differ by broker, not by name. */
const VHOST = '/vuka';

/**
 * The file that a broker loads at start: the whole topology, and one user per service with rights to its own names
 * and types of messages only. `passwordOf` returns a user's password.
 */
export function buildDefinitions(topology: Topology, passwordOf: (user: string) => string): object {
  const expanded = expandTopology(topology);
  const services = Object.entries(topology.services);
  return {
    rabbit_version: '4.1.0',
    users: [
      // The service that handles dead letters also shows queue figures, which need the management API.
      ...services.map(([name, { tendsDead }]) => toUser(name, passwordOf(name), tendsDead ? ['management'] : [])),
      toUser('operator', passwordOf('operator'), ['administrator']),
    ],
    vhosts: [{ name: VHOST, default_queue_type: 'quorum' }],
    permissions: [
      ...services.map(([user, rights]) => permissionOf(user, topology, rights)),
      { user: 'operator', vhost: VHOST, configure: '.*', write: '.*', read: '.*' },
    ],
    topic_permissions: services.flatMap(([user, rights]) => topicPermissionsOf(user, topology, rights)),
    policies: policiesOf(topology),
    ...objectsOf(expanded),
  };
}

/**
 * In RabbitMQ's format: base64 of salt and SHA-256 of salt and password. The salt is derived from the name, so that
 * the file is stable.
 */
export function hashPassword(user: string, password: string): string {
  const salt = createHash('sha256').update(`vuka:${user}:${password}`).digest().subarray(0, 4);
  const digest = createHash('sha256')
    .update(Buffer.concat([salt, Buffer.from(password)]))
    .digest();
  return Buffer.concat([salt, digest]).toString('base64');
}

function toUser(name: string, password: string, tags: string[]) {
  return {
    name,
    password_hash: hashPassword(name, password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags,
  };
}

function permissionOf(user: string, topology: Topology, rights: ServiceRights) {
  const { exchanges, queues } = namesOf(topology, rights);
  return { user, vhost: VHOST, configure: '^$', write: exactly(exchanges), read: exactly(queues) };
}

/** The routing key of a message is its type. */
function topicPermissionsOf(user: string, { exchanges }: Topology, { publishes, types }: ServiceRights) {
  const topics = exchanges.filter(({ name, type }) => type === 'topic' && publishes.includes(name));
  return types
    ? topics.map(({ name }) => ({ user, vhost: VHOST, exchange: name, write: exactly([...types]), read: '^$' }))
    : [];
}

function exactly(names: string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;
}

/** Settings that an operator may change later are policies, since a queue's arguments can never change. */
function policiesOf({ queues }: Topology) {
  return queues
    .filter(({ maxLength }) => maxLength === undefined)
    .map(({ name, deliveryLimit }) => ({
      vhost: VHOST,
      name: `${name}.delivery-limit`,
      pattern: exactly([name]),
      'apply-to': 'queues',
      priority: 0,
      definition: { 'delivery-limit': deliveryLimit },
    }));
}

function objectsOf({ exchanges, queues, bindings }: BrokerTopology) {
  return {
    exchanges: exchanges.map((exchange) => ({
      ...exchange,
      vhost: VHOST,
      durable: true,
      auto_delete: false,
      internal: false,
    })),
    queues: queues.map((queue) => ({ ...queue, vhost: VHOST, durable: true, auto_delete: false })),
    bindings: bindings.map(({ source, destination, routingKey }) => ({
      source,
      vhost: VHOST,
      destination,
      destination_type: 'queue',
      routing_key: routingKey,
      arguments: {},
    })),
  };
}
