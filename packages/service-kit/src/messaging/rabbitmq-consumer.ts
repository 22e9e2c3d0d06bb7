import { setTimeout as delay } from 'node:timers/promises';
import type { CloudEvent } from '@vuka/contracts/cloud-event';
import type { QueueDeclaration } from '@vuka/contracts/topology';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger } from 'pino';
import { type Acknowledgements, createAcknowledgements } from '#messaging/acknowledgements.ts';
import { type AmqpLink, createAmqpLink } from '#messaging/amqp-link.ts';
import {
  type Disposition,
  HOLD_MS,
  type MessageHandler,
  type PublishOutcome,
  type Subscription,
} from '#messaging/message-bus.ts';
import { readFrame, toRawMessage } from '#messaging/rabbitmq-frames.ts';
import type { RabbitmqPublisher, RawMessage } from '#messaging/rabbitmq-publisher.ts';
import { deadLetterQueueOf, retryQueueOf, settleExchangeOf } from '#messaging/rabbitmq-topology.ts';
import { describeFailure } from '#messaging/settlement.ts';
import { createSlots } from '../slots.ts';

export interface RabbitmqConsumerOptions {
  url: string;
  name: string;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  publisher: RabbitmqPublisher;
  queue: QueueDeclaration;
  handler: MessageHandler;
  prefetch: number;
  /** How long a handler may wait with a message. */
  holdMs?: number | undefined;
}

/**
 * Headers that a message keeps through retries and in the dead-letter queue. Names with `x-` are reserved for the
 * broker.
 */
export const HEADERS = {
  attempt: 'retry-attempt',
  key: 'original-key',
  reason: 'dead-reason',
  diedAt: 'dead-at',
  /** A pack with this message was delivered before. */
  redelivered: 'redelivered',
} as const;
const SETTLE_PAUSE_MS = 1000;

/** Consumes a queue over a separate connection, so that a blocked publisher never stops it. */
export async function startRabbitmqConsumer(options: RabbitmqConsumerOptions): Promise<Subscription> {
  const { url, name, logger, queue, prefetch, holdMs = HOLD_MS } = options;
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cancelled = new AbortController();
  // The broker's prefetch counts packs; this counts messages.
  const inSlot = createSlots(prefetch);
  let consumerTag: string | undefined;
  let acks: Acknowledgements | undefined;

  const link: AmqpLink = createAmqpLink({
    url,
    name,
    logger,
    async setup(channel, signal) {
      if (stopping.signal.aborted) return;
      await channel.prefetch(prefetch);
      acks = createAcknowledgements({
        channel,
        prefetch,
        onFailure: (error) => {
          // The channel was lost during the settlement; the broker redelivers the messages.
          if (!signal.aborted) logger.error({ err: error, queue: queue.name }, 'messages could not be settled');
        },
      });
      const own = acks;
      const consumer = await channel.consume(queue.name, (message) => {
        // The broker cancels a consumer when its queue is removed: start again with a new channel.
        if (message === null) void channel.close().catch(() => undefined);
        else if (!stopping.signal.aborted) {
          const waitUntilMs = performance.now() + holdMs;
          const incoming = { channel, acks: own, message, signal, stopping: cancelled.signal, waitUntilMs, inSlot };
          const handling = handleMessage(options, incoming).finally(() => inFlight.delete(handling));
          inFlight.add(handling);
        }
      });
      consumerTag = consumer.consumerTag;
    },
  });
  await link.firstAttempt;

  return {
    async stop() {
      stopping.abort();
      const channel = link.channel();
      if (channel && consumerTag) await channel.cancel(consumerTag).catch(() => undefined);
      // Only after the cancellation: a message that is put back must not be delivered to this consumer again.
      cancelled.abort();
      await Promise.all(inFlight);
      acks?.flush();
      await link.close();
    },
  };
}

interface Incoming {
  channel: ConfirmChannel;
  acks: Acknowledgements;
  message: ConsumeMessage;
  /** Aborts when the channel is lost. */
  signal: AbortSignal;
  /** Aborts when the consumer is stopping and receives no more. */
  stopping: AbortSignal;
  /** From the delivery on: the messages of a pack wait for one another, and the broker counts the pack. */
  waitUntilMs: number;
  inSlot: ReturnType<typeof createSlots>;
}

/** Handles what the broker delivered, one message or a pack, and settles it; never rejects. */
async function handleMessage(options: RabbitmqConsumerOptions, incoming: Incoming): Promise<void> {
  const { logger, queue } = options;
  const { channel, acks, message, signal } = incoming;
  try {
    const status = await handleFrame(options, incoming);
    if (signal.aborted) return;
    if (status === 'confirmed') acks.ack(message.fields.deliveryTag);
    // An unknown outcome after letting go: the broker redelivers the message once the channel is closed.
    else if (status !== 'unknown') {
      channel.nack(message);
      acks.settled(message.fields.deliveryTag);
    }
  } catch (error) {
    // The channel was lost during the settlement; the broker redelivers the message.
    if (!signal.aborted) logger.error({ err: error, queue: queue.name }, 'a message could not be settled');
  }
}

type Status = PublishOutcome['status'];

/** `confirmed` when nothing of the message is left to do. */
async function handleFrame(options: RabbitmqConsumerOptions, incoming: Incoming): Promise<Status> {
  const { message } = incoming;
  const bury = (reason: string) => putAside(options, incoming, [copyFor(options, message, { kind: 'dead', reason })]);
  const deliveries = numberOf(message.properties.headers?.['x-delivery-count']) ?? 0;
  if (deliveries > options.queue.deliveryLimit) return bury('delivery_limit');
  const frame = readFrame(message.content);
  if (!frame) return bury('malformed envelope');
  const [first] = frame.envelopes as [CloudEvent, ...CloudEvent[]];
  if (!frame.isPack) return handleOne(options, incoming, { envelope: first, message: () => message });
  if (message.fields.redelivered) return splitPack(options, incoming, frame.envelopes);
  const parts = frame.envelopes.map((envelope) => ({ envelope, message: () => aloneFrom(message, envelope) }));
  const statuses = await Promise.all(parts.map((part) => handleOne(options, incoming, part)));
  return statuses.find((status) => status !== 'confirmed') ?? 'confirmed';
}

/** One of the messages of a delivery. */
interface Part {
  envelope: CloudEvent;
  /** The message by itself, as the broker would deliver it. */
  message: () => ConsumeMessage;
}

async function handleOne(options: RabbitmqConsumerOptions, incoming: Incoming, part: Part): Promise<Status> {
  const disposition = await incoming.inSlot(() => decide(options, incoming, part.envelope));
  if (incoming.signal.aborted) return 'unknown';
  if (disposition.kind === 'ack') return 'confirmed';
  return putAside(options, incoming, [copyFor(options, part.message(), disposition)]);
}

/**
 * Puts the messages of a redelivered pack back into the queue one by one, so that a message that crashes its consumer
 * does not hold up the others.
 */
function splitPack(options: RabbitmqConsumerOptions, incoming: Incoming, envelopes: CloudEvent[]): Promise<Status> {
  const { queue, logger } = options;
  const { message } = incoming;
  logger.info({ queue: queue.name, messages: envelopes.length }, 'a pack was delivered again, and is split');
  const headers = headersOfSameAttempt(message);
  const to = { exchange: settleExchangeOf(queue.name), routingKey: queue.name, mandatory: true, headers };
  return putAside(
    options,
    incoming,
    envelopes.map((envelope) => toRawMessage(to, envelope)),
  );
}

const headersOfSameAttempt = (message: ConsumeMessage) => ({
  ...keptHeaders(message),
  [HEADERS.key]: originalKeyOf(message),
  [HEADERS.redelivered]: true,
});

function aloneFrom(message: ConsumeMessage, envelope: CloudEvent): ConsumeMessage {
  const headers = message.properties.headers ?? {};
  const { exchange, routingKey } = message.fields;
  const { content, options } = toRawMessage({ exchange, routingKey, headers }, envelope);
  return { ...message, content, properties: { ...message.properties, ...options } as ConsumeMessage['properties'] };
}

async function decide(
  { queue, handler, logger }: RabbitmqConsumerOptions,
  { message, signal, stopping, waitUntilMs }: Incoming,
  envelope: CloudEvent,
): Promise<Disposition> {
  try {
    const disposition = await handler({
      envelope,
      queue: queue.name,
      routingKey: originalKeyOf(message),
      attempt: attemptOf(message),
      redelivered: message.fields.redelivered || message.properties.headers?.[HEADERS.redelivered] === true,
      signal,
      stopping,
      waitUntilMs,
    });
    return disposition ?? { kind: 'ack' };
  } catch (error) {
    logger.warn({ err: error, queue: queue.name, messageId: envelope.id }, 'a message handler failed');
    return { kind: 'retry', reason: describeFailure(error) };
  }
}

/** The copy that carries out the disposition. */
function copyFor(
  options: RabbitmqConsumerOptions,
  message: ConsumeMessage,
  to: Exclude<Disposition, { kind: 'ack' }>,
): RawMessage {
  const { content } = message;
  const exchange = settleExchangeOf(options.queue.name);
  const [routingKey, headers] =
    to.kind === 'again' ? [options.queue.name, headersOfSameAttempt(message)] : afterFailure(options, message, to);
  return { exchange, routingKey, content, options: { ...copiedProperties(message), mandatory: true, headers } };
}

/** Where a failed message goes, and with which headers. */
function afterFailure(
  { queue, logger }: RabbitmqConsumerOptions,
  message: ConsumeMessage,
  to: Extract<Disposition, { reason: string }>,
): [string, Record<string, unknown>] {
  const attempt = attemptOf(message);
  const delayMs = to.kind === 'retry' ? queue.retryDelaysMs[attempt - 1] : undefined;
  if (delayMs === undefined) {
    logger.error(
      { queue: queue.name, messageId: message.properties.messageId, reason: to.reason },
      'a message is dead',
    );
  }
  const { [HEADERS.redelivered]: _, ...kept } = keptHeaders(message);
  const headers = {
    ...kept,
    [HEADERS.key]: originalKeyOf(message),
    [HEADERS.attempt]: delayMs === undefined ? attempt : attempt + 1,
    [HEADERS.reason]: to.reason.slice(0, 500),
    ...(delayMs === undefined ? { [HEADERS.diedAt]: new Date().toISOString() } : {}),
  };
  return [delayMs === undefined ? deadLetterQueueOf(queue.name) : retryQueueOf(queue.name, delayMs), headers];
}

/**
 * Publishes copies. While the broker accepts nothing from us, the original is held for as long as its channel is open
 * and the consumer runs: if it were returned each time, it would be redelivered at once and be dead after a few
 * deliveries.
 */
async function putAside(
  { queue, publisher, logger }: RabbitmqConsumerOptions,
  { signal, stopping }: Incoming,
  copies: RawMessage[],
): Promise<Status> {
  const letGo = AbortSignal.any([signal, stopping]);
  let left = copies;
  for (let attempt = 1; ; attempt += 1) {
    const outcomes = await publisher.publish(left);
    const failed = outcomes.find(({ status }) => status !== 'confirmed');
    if (!failed) return 'confirmed';
    if (attempt === 1) logger.warn({ queue: queue.name, outcome: failed }, 'a message could not be put aside');
    left = left.filter((_, index) => outcomes[index]?.status !== 'confirmed');
    // Not at once: a refusal now is likely to last for a while.
    await delay(SETTLE_PAUSE_MS, undefined, { signal: letGo }).catch(() => undefined);
    if (failed.status !== 'unknown' || letGo.aborted) return failed.status;
  }
}

/** The properties that a copy of a message keeps. */
export function copiedProperties({ properties }: { properties: ConsumeMessage['properties'] }) {
  const { contentType, messageId, correlationId, type, timestamp } = properties;
  const kept = { contentType, messageId, correlationId, type, timestamp };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** Headers without those that the broker adds. */
export function keptHeaders({ properties }: { properties: ConsumeMessage['properties'] }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties.headers ?? {}).filter(([name]) => !name.startsWith('x-')));
}

export function attemptOf({ properties }: Pick<ConsumeMessage, 'properties'>): number {
  return numberOf(properties.headers?.[HEADERS.attempt]) ?? 1;
}

function originalKeyOf({ properties, fields }: ConsumeMessage): string {
  const key: unknown = properties.headers?.[HEADERS.key];
  return typeof key === 'string' ? key : fields.routingKey;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
