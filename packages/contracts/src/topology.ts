import { ACTION_RECORDED } from './messages/audit.ts';
import {
  ACCOUNT_CLOSED,
  CODE_ISSUED,
  EMAIL_TAKEN,
  PHONE_LOST,
  PIN_CHANGED,
  SESSIONS_ENDED,
  SIGNED_IN,
} from './messages/identity.ts';
import { CALLS_RECORDED } from './messages/integration-log.ts';
import { RATES_UPDATED } from './messages/rates.ts';
import { SETTINGS_CHANGED } from './messages/settings.ts';
import {
  EXECUTE_TRANSFER,
  RETRY_TRANSFER,
  TRANSFER_CREATED,
  TRANSFER_FAILED,
  TRANSFER_PROCESSING,
  TRANSFER_SETTLED,
  TRANSFER_WAITING,
} from './messages/transfers.ts';
import { BALANCES_CHANGED } from './messages/wallet.ts';

/** An exchange routes by topic, or copies everything to every bound queue (fanout). */
export interface ExchangeDeclaration {
  name: string;
  type: 'topic' | 'fanout';
  /** The exchange for messages that match no binding of this one. */
  alternate?: string;
  /** Messages of one commit with the same routing key may travel together, as one CloudEvents batch. */
  packs?: boolean;
}

/**
 * A queue belongs to the service that its name starts with. `key` may contain `*` (one word) and `#` (any number).
 */
export interface QueueDeclaration {
  name: string;
  bindings: readonly { exchange: string; key: string }[];
  /** The delay of each retry, in milliseconds; a message gets one attempt more than there are delays. */
  retryDelaysMs: readonly number[];
  /** How often a message is redelivered after its consumer crashed, before it is dead. */
  deliveryLimit: number;
  /**
   * For a queue without a required consumer: beyond this the oldest messages are dropped. It has no retries and no
   * dead letters.
   */
  maxLength?: number;
}

/** A service's rights: it publishes to these exchanges and consumes these queues. */
export interface ServiceRights {
  publishes: readonly string[];
  /**
   * The types, and thus the routing keys, of the messages that it may publish: a broken service must not announce the
   * decisions of another. Any type, if omitted.
   */
  types?: readonly string[];
  consumes: readonly string[];
  /** Handles the dead messages of every queue. */
  tendsDead?: boolean;
}

/** All exchanges, queues and rights. Both adapters and the broker's definitions are made from it. */
export interface Topology {
  exchanges: readonly ExchangeDeclaration[];
  queues: readonly QueueDeclaration[];
  services: Readonly<Record<string, ServiceRights>>;
}

export const COMMANDS = 'vuka.commands';
export const EVENTS = 'vuka.events';
/** Receives the events without a subscriber, so that nothing is lost. */
export const UNROUTED = 'vuka.unrouted';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DELIVERY_LIMIT = 10;

function events(name: string, keys: string[], retryDelaysMs: number[]): QueueDeclaration {
  return {
    name,
    bindings: keys.map((key) => ({ exchange: EVENTS, key })),
    retryDelaysMs,
    deliveryLimit: DELIVERY_LIMIT,
  };
}

/** Every exchange and queue of Vuka. `npm run topology` writes the broker's definitions from it. */
export const topology: Topology = {
  exchanges: [
    { name: COMMANDS, type: 'topic' },
    // Commands travel alone, so that the length of their queue is the number of transfers that wait.
    { name: EVENTS, type: 'topic', alternate: UNROUTED, packs: true },
    { name: UNROUTED, type: 'fanout' },
  ],
  queues: [
    {
      name: 'transfers.execution',
      bindings: [
        { exchange: COMMANDS, key: EXECUTE_TRANSFER },
        { exchange: COMMANDS, key: RETRY_TRANSFER },
      ],
      retryDelaysMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
      deliveryLimit: DELIVERY_LIMIT,
    },
    events('transfers.pricing', [RATES_UPDATED], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('integration-log.calls', [CALLS_RECORDED], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    events('gateway.live-events', ['transfer.*.v1', BALANCES_CHANGED, SESSIONS_ENDED], [5 * SECOND_MS, 30 * SECOND_MS]),
    events(
      'admin.notifications',
      [SIGNED_IN, PIN_CHANGED, CODE_ISSUED, EMAIL_TAKEN, PHONE_LOST, TRANSFER_SETTLED, TRANSFER_FAILED],
      [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
    ),
    events('transfers.settings', [SETTINGS_CHANGED], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('identity.settings', [SETTINGS_CHANGED], [5 * SECOND_MS, 30 * SECOND_MS]),
    events('transfers.accounts', [ACCOUNT_CLOSED], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    events('admin.accounts', [ACCOUNT_CLOSED], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    events('admin.audit-trail', [ACTION_RECORDED], [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS]),
    {
      name: UNROUTED,
      bindings: [{ exchange: UNROUTED, key: '' }],
      retryDelaysMs: [],
      deliveryLimit: DELIVERY_LIMIT,
      maxLength: 100_000,
    },
  ],
  services: {
    identity: {
      publishes: [EVENTS],
      types: [
        SIGNED_IN,
        SESSIONS_ENDED,
        PIN_CHANGED,
        CODE_ISSUED,
        EMAIL_TAKEN,
        PHONE_LOST,
        ACCOUNT_CLOSED,
        ACTION_RECORDED,
      ],
      consumes: ['identity.settings'],
    },
    wallet: { publishes: [EVENTS], types: [BALANCES_CHANGED], consumes: [] },
    transfers: {
      publishes: [COMMANDS, EVENTS],
      types: [
        EXECUTE_TRANSFER,
        RETRY_TRANSFER,
        TRANSFER_CREATED,
        TRANSFER_PROCESSING,
        TRANSFER_WAITING,
        TRANSFER_SETTLED,
        TRANSFER_FAILED,
        CALLS_RECORDED,
        ACTION_RECORDED,
      ],
      consumes: ['transfers.execution', 'transfers.pricing', 'transfers.settings', 'transfers.accounts'],
    },
    rates: { publishes: [EVENTS], types: [RATES_UPDATED, ACTION_RECORDED], consumes: [] },
    admin: {
      publishes: [EVENTS],
      types: [SETTINGS_CHANGED, ACTION_RECORDED],
      consumes: ['admin.audit-trail', 'admin.notifications', 'admin.accounts'],
      tendsDead: true,
    },
    'integration-log': { publishes: [EVENTS], types: [ACTION_RECORDED], consumes: ['integration-log.calls'] },
    gateway: { publishes: [], consumes: ['gateway.live-events'] },
  },
};
