import * as z from 'zod/mini';
import { Timestamp } from './common.ts';

const count = z.nullable(z.number());

/** The figures of one queue; null where the bus cannot tell. */
export const QueueFigures = z.object({
  name: z.string(),
  ready: count,
  unacknowledged: count,
  /** Waiting for a retry. */
  delayed: count,
  /** Given up; only a person brings them back. Null also for a queue that keeps no dead messages. */
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

/** A message that has given up. PINs and secrets in its body are masked. */
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

const limitError = { error: 'limit must be a whole number from 1 to 200' };

export const DeadMessagesQuery = z.object({
  limit: z._default(
    z.coerce.number(limitError).check(z.int(limitError), z.gte(1, limitError), z.lte(200, limitError)),
    50,
  ),
});

/** `GET /api/admin/queues/{name}/dead`: the oldest first. */
export const DeadMessages = z.object({ messages: z.array(DeadMessage) });

/** The body of `POST /api/admin/queues/{name}/dead/{id}/requeue` and `/drop`. */
export const DeadMessageReason = z.object({
  reason: z
    .string({ error: 'Reason is required' })
    .check(
      z.trim(),
      z.minLength(1, { error: 'Reason is required' }),
      z.maxLength(500, { error: 'Reason must be less than 500 characters' }),
    ),
});
