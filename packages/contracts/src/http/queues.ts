import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { PageLimit, PinConfirmation, Timestamp } from './common.ts';
import { ActionReason } from './decisions.ts';

const count = z.nullable(z.number());

/** The figures of one queue; null if the bus does not know. */
export const QueueFigures = z.object({
  name: z.string(),
  ready: count,
  unacknowledged: count,
  /** Waiting for a retry. */
  delayed: count,
  /** Dead; only an administrator can requeue them. Also null for a queue that keeps no dead messages. */
  dead: count,
  consumers: count,
  inPerSecond: count,
  outPerSecond: count,
  /** How long the oldest message has been ready, in seconds. */
  oldestSeconds: count,
  keepsDead: z.boolean(),
});
export type QueueFigures = z.infer<typeof QueueFigures>;

/** `GET /api/admin/queues` */
export const Queues = z.object({ connected: z.boolean(), queues: z.array(QueueFigures) });
export type Queues = z.infer<typeof Queues>;

/** A dead message. PINs and secrets in its body are masked. */
export const DeadMessage = z.object({
  id: z.string(),
  type: z.nullable(z.string()),
  routingKey: z.string(),
  reason: z.string(),
  attempts: count,
  diedAt: z.nullable(Timestamp),
  body: z.unknown(),
});
export type DeadMessage = z.infer<typeof DeadMessage>;

/** `GET /api/admin/queues/{name}/dead`: oldest first. */
export const DeadMessages = z.object({ messages: z.array(DeadMessage) });

/** Why a dead message is moved. */
export const DeadMessageReason = z.object({
  reason: ActionReason,
});

/** The body of `POST /api/admin/queues/{name}/dead/{id}/requeue` and `/drop`. */
export const SettleDeadMessage = z.extend(DeadMessageReason, PinConfirmation.shape);

const part = (field: string) =>
  z._default(
    z
      .string({ error: reason('filter_not_text', { field }) })
      .check(z.trim(), z.maxLength(200, { error: reason('filter_too_long', { field, max: 200 }) })),
    '',
  );

function wholeNumber(min: number, max: number) {
  const error = reason('whole_number_out_of_range', { min, max });
  return z.coerce.number({ error }).check(z.int({ error }), z.gte(min, { error }), z.lte(max, { error }));
}

/**
 * Which dead messages of a queue, of its oldest 5,000; every condition holds. The query of
 * `GET /api/admin/queues/{name}/dead/matching`.
 */
export const DeadMessageFilter = z.object({
  /** The type of the event or command; empty for any. */
  type: part('type'),
  /** A part of the reason why they are dead; empty for any. */
  diedOf: part('diedOf'),
  /** Dead for at least so long; a message of unknown age then does not match. */
  olderThanMinutes: z._default(wholeNumber(0, 525_600), 0),
});
export type DeadMessageFilter = z.infer<typeof DeadMessageFilter>;

/** The query of `GET /api/admin/queues/{name}/dead`. */
export const DeadMessagesQuery = z.extend(DeadMessageFilter, {
  /** A part of the content, such as the id of a transfer; empty for any. */
  contains: part('contains'),
  limit: PageLimit,
});
export type DeadMessagesQuery = z.infer<typeof DeadMessagesQuery>;

/** How many dead messages a redrive would move: its dry run. */
export const MatchingDeadMessages = z.object({ matching: z.number() });

/** The dead messages that match go back into their queue, some every second, oldest first. */
export const RedriveOrder = z.extend(DeadMessageFilter, {
  ...DeadMessageReason.shape,
  perSecond: z._default(wholeNumber(1, 500), 20),
});

/** The body of `POST /api/admin/queues/{name}/dead/redrive`. */
export const RedriveDeadMessages = z.extend(RedriveOrder, PinConfirmation.shape);

/** How far a redrive is. It ends when none is left that matched at the start. */
export const Redrive = z.object({
  id: z.string(),
  queue: z.string(),
  matching: z.number(),
  moved: z.number(),
  perSecond: z.number(),
  startedAt: Timestamp,
  endedAt: z.nullable(Timestamp),
});
export type Redrive = z.infer<typeof Redrive>;

/** `GET /api/admin/redrives`: those that run, and those of the last day; newest first. */
export const Redrives = z.object({ redrives: z.array(Redrive) });
