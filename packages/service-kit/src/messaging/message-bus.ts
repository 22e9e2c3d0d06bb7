import type { CloudEvent } from '@vuka/contracts/cloud-event';

/** A message on its way out. With `requireRoute`, a message that no queue takes is reported as unroutable. */
export interface OutgoingMessage {
  exchange: string;
  routingKey: string;
  envelope: CloudEvent;
  requireRoute: boolean;
}

/**
 * What became of a message. `confirmed`: it is on disk in every queue that takes it. `nacked`: the bus refused it.
 * `unknown`: it may or may not have arrived; send it again under the same id, the consumer's inbox drops the second.
 */
export type PublishOutcome =
  | { status: 'confirmed' }
  | { status: 'unroutable' }
  | { status: 'nacked' | 'unknown'; error: string };

/** A message as a handler sees it. */
export interface Delivery {
  envelope: CloudEvent;
  queue: string;
  /** The key that it was first published with, on every attempt. */
  routingKey: string;
  /** 1 on the first attempt; counts the handler's retries, not redeliveries after a crash. */
  attempt: number;
  /** True where an earlier delivery of this attempt was never settled. */
  redelivered: boolean;
  /** Aborts when the settlement can no longer reach the bus, so that the message will come again. */
  signal: AbortSignal;
}

/** What to do with a delivery. A handler that throws asks for a retry; one that returns nothing acknowledges. */
export type Disposition = { kind: 'ack' } | { kind: 'retry'; reason: string } | { kind: 'dead'; reason: string };

// biome-ignore lint/suspicious/noConfusingVoidType: most handlers are async functions that return nothing
export type MessageHandler = (delivery: Delivery) => Promise<Disposition | void>;

/** A running consumer. `stop` lets handlers in flight finish, and leaves the rest in the queue untouched. */
export interface Subscription {
  stop(): Promise<void>;
}

/** Figures of one queue; null where the bus cannot tell. `delayed` are waiting for a retry, `dead` have given up. */
export interface QueueStats {
  queue: string;
  ready: number | null;
  delayed: number | null;
  unacked: number | null;
  dead: number | null;
  consumers: number | null;
  oldestAgeMs: number | null;
  /** Messages a second that came in, and that were acknowledged. */
  inPerSecond: number | null;
  outPerSecond: number | null;
}

/** A message that has given up, as it lies there. `id` is the envelope's, or a name made for it where it has none. */
export interface DeadMessage {
  id: string;
  type: string | null;
  routingKey: string;
  reason: string;
  attempts: number | null;
  /** When it was given up, where the bus knows. */
  diedAt: Date | null;
  /** The envelope, or what else was in its place. */
  body: unknown;
}

/** The one door to messages. Two adapters implement it, RabbitMQ and Postgres; one contract suite holds for both. */
export interface MessageBus {
  /**
   * Connects, and declares or checks the topology. Returns when the first attempt to connect is over: a bus that is
   * away is no error, it is tried again for ever (see `health`). A topology that does not match throws.
   */
  start(): Promise<void>;
  /** Publishes durably. One outcome per message in the order of the batch; never throws, never hangs. */
  publish(batch: readonly OutgoingMessage[]): Promise<PublishOutcome[]>;
  /**
   * Consumes `queue` with at most `prefetch` handlers at once, and goes on by itself after an outage. Resolves when
   * the consumer is registered; it becomes active as soon as the bus is there.
   */
  subscribe(queue: string, handler: MessageHandler, options: { prefetch: number }): Promise<Subscription>;
  stats(): Promise<QueueStats[]>;
  /** Moves up to `max` dead messages of `queue` back into it as first attempts; returns how many. */
  redrive(queue: string, max: number): Promise<number>;
  /** Up to `limit` dead messages of `queue`, the oldest first. They stay where they are. */
  listDead(queue: string, limit: number): Promise<DeadMessage[]>;
  /**
   * Takes one dead message out: `requeue` puts it back into `queue` as a first attempt, and is on disk there before
   * it leaves; `drop` forgets it. False where there is no such message, or another one looks at it at this moment.
   */
  settleDead(queue: string, id: string, to: 'requeue' | 'drop'): Promise<boolean>;
  /** `connected` is false while the bus is away; `blocked` is true while it takes no publishes. */
  health(): { connected: boolean; blocked: boolean };
  /** Stops every subscription as `Subscription.stop` does, then disconnects. */
  close(): Promise<void>;
}

/** The topology that a bus found is not the one that this program was built for. */
export class TopologyMismatchError extends Error {
  override name = 'TopologyMismatchError';
}
