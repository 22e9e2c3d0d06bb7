import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { PageLimit, PinConfirmation, Timestamp } from './common.ts';

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

export const DeadMessagesQuery = z.object({
  limit: PageLimit,
});

/** `GET /api/admin/queues/{name}/dead`: oldest first. */
export const DeadMessages = z.object({ messages: z.array(DeadMessage) });

/** Why a dead message is moved. */
export const DeadMessageReason = z.object({
  reason: z
    .string({ error: reason('reason_missing') })
    .check(
      z.trim(),
      z.minLength(1, { error: reason('reason_missing') }),
      z.maxLength(500, { error: reason('reason_too_long', { max: 500 }) }),
    ),
});

/** The body of `POST /api/admin/queues/{name}/dead/{id}/requeue` and `/drop`. */
export const SettleDeadMessage = z.extend(DeadMessageReason, PinConfirmation.shape);
