import type { CloudEvent } from '@vuka/contracts/cloud-event';

/** A message to publish. With `requireRoute`, a message that no queue takes is reported as unroutable. */
export interface OutgoingMessage {
  exchange: string;
  routingKey: string;
  envelope: CloudEvent;
  requireRoute: boolean;
}

/**
 * The outcome of a publish. `confirmed`: on disk in every queue that takes it. `nacked`: the bus refused it.
 * `unknown`: it may or may not have arrived; send it again under the same id, and the consumer's inbox drops the
 * duplicate.
 */
export type PublishOutcome =
  | { status: 'confirmed' }
  | { status: 'unroutable' }
  | { status: 'nacked' | 'unknown'; error: string };

/** A message as a handler sees it. */
export interface Delivery {
  envelope: CloudEvent;
  queue: string;
  /** The key of the first publish, on every attempt. */
  routingKey: string;
  /** 1 on the first attempt; counts the handler's retries, not redeliveries after a crash. */
  attempt: number;
  /** True if an earlier delivery of this attempt was never settled. */
  redelivered: boolean;
  /** Aborts when the settlement can no longer reach the bus, so that the message will be delivered again. */
  signal: AbortSignal;
  /** Aborts when the consumer stops: a handler that waits for something answers `again`. */
  stopping: AbortSignal;
  /**
   * How long a handler may keep a message, as `performance.now()`; then it answers `again`. If a message stays with its
   * consumer for too long, the broker takes it away and counts that like a crash.
   */
  waitUntilMs: number;
}

/**
 * What to do with a delivery. A handler that throws requests a retry; one that returns nothing acknowledges. `again`
 * puts the message back into its queue as it is, and counts neither as an attempt nor as a crash.
 */
export type Disposition =
  | { kind: 'ack' }
  | { kind: 'again' }
  | { kind: 'retry'; reason: string }
  | { kind: 'dead'; reason: string };

/** How many of a queue's dead messages, oldest first, are searched for matching ones. */
export const LONGEST_LOOK = 5_000;

/** How long a handler may wait with a message: RabbitMQ closes the channel of one that waits for half an hour. */
export const HOLD_MS = 600_000;

// biome-ignore lint/suspicious/noConfusingVoidType: most handlers are async functions that return nothing
export type MessageHandler = (delivery: Delivery) => Promise<Disposition | void>;

/**
 * A running consumer. `stop` lets handlers in flight finish, takes back the messages of handlers that wait, and leaves
 * the rest in the queue; a pack that was begun is finished.
 */
export interface Subscription {
  stop(): Promise<void>;
}

/**
 * Figures of one queue; null if the bus does not know. `delayed` wait for a retry, `dead` are in the dead-letter
 * queue.
 */
export interface QueueStats {
  queue: string;
  ready: number | null;
  delayed: number | null;
  unacked: number | null;
  dead: number | null;
  consumers: number | null;
  oldestAgeMs: number | null;
  /** Messages per second, received and acknowledged. */
  inPerSecond: number | null;
  outPerSecond: number | null;
}

/** A dead message, as stored. `id` is the envelope's, or a generated name if it has none. */
export interface DeadMessage {
  id: string;
  type: string | null;
  routingKey: string;
  reason: string;
  attempts: number | null;
  /** When it became dead, if the bus knows. */
  diedAt: Date | null;
  /** The envelope, or whatever was in its place. */
  body: unknown;
}

/**
 * The only interface to messages. Two adapters implement it, RabbitMQ and Postgres; one contract suite covers both.
 */
export interface MessageBus {
  /**
   * Connects, and declares or checks the topology. Returns after the first attempt to connect: an unavailable bus is
   * not an error, attempts continue (see `health`). A topology that does not match throws.
   */
  start(): Promise<void>;
  /** Publishes durably. One outcome per message in the order of the batch; never throws, never hangs. */
  publish(batch: readonly OutgoingMessage[]): Promise<PublishOutcome[]>;
  /**
   * Consumes `queue` with at most `prefetch` handlers at once, and resumes after an outage. Resolves when the
   * consumer is registered; it becomes active once the bus is available.
   */
  subscribe(queue: string, handler: MessageHandler, options: { prefetch: number }): Promise<Subscription>;
  stats(): Promise<QueueStats[]>;
  /**
   * Moves up to `max` dead messages of `queue` that match back into it as first attempts, oldest first; returns how many.
   * The others stay where they are.
   */
  redrive(queue: string, max: number, matches?: (message: DeadMessage) => boolean): Promise<number>;
  /**
   * Up to `limit` dead messages of `queue` that match, oldest first, among the oldest `LONGEST_LOOK`. They stay where they
   * are, and no others are kept in memory: one may be large.
   */
  listDead(queue: string, limit: number, matches?: (message: DeadMessage) => boolean): Promise<DeadMessage[]>;
  /** How many of the oldest `LONGEST_LOOK` dead messages of `queue` match. */
  countDead(queue: string, matches: (message: DeadMessage) => boolean): Promise<number>;
  /**
   * Removes one dead message: `requeue` puts it back into `queue` as a first attempt, and it is on disk there before
   * it is removed here; `drop` deletes it. False if there is no such message, or another caller is reading it at this
   * moment.
   */
  settleDead(queue: string, id: string, to: 'requeue' | 'drop'): Promise<boolean>;
  /** `connected` is false while the bus is unavailable; `blocked` is true while it accepts no publishes. */
  health(): { connected: boolean; blocked: boolean };
  /** Stops every subscription like `Subscription.stop`, then disconnects. */
  close(): Promise<void>;
}

/** The bus has another topology than the one this program was built for. */
export class TopologyMismatchError extends Error {
  override name = 'TopologyMismatchError';
}
