import { createHash } from 'node:crypto';
import type { Topology } from '@vuka/contracts/topology';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { AmqpLink } from '#messaging/amqp-link.ts';
import { countOf, firstOf } from '#messaging/dead-messages.ts';
import { type DeadMessage, LONGEST_LOOK, type MessageBus } from '#messaging/message-bus.ts';
import { attemptOf, copiedProperties, HEADERS, keptHeaders } from '#messaging/rabbitmq-consumer.ts';
import { readFrame } from '#messaging/rabbitmq-frames.ts';
import type { RabbitmqPublisher } from '#messaging/rabbitmq-publisher.ts';
import { deadLetterQueueOf, settleExchangeOf } from '#messaging/rabbitmq-topology.ts';
import { queueOf } from '#messaging/routing.ts';
import { createSerial } from '../serial.ts';

interface DeadLettersDeps {
  link: () => AmqpLink | undefined;
  publisher: RabbitmqPublisher;
  topology: Topology;
}

/**
 * The dead messages of a broker's queues. AMQP can only read a message by taking it: each look takes what it needs on a
 * separate channel and returns everything by closing it, which the dead-letter queues permit a million times. Looks of
 * this process at one queue are serialised, so that none misses messages that another has taken.
 */
export function deadLetters(
  deps: DeadLettersDeps,
): Pick<MessageBus, 'redrive' | 'listDead' | 'countDead' | 'settleDead'> {
  const serial = createSerial();

  async function lookAt<Result>(queue: string, work: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> {
    const { name } = queueOf(deps.topology, queue);
    return serial(name, async () => {
      const link = deps.link();
      if (!link) throw new Error('not connected to the broker');
      const channel = await link.openChannel();
      try {
        return await work(channel);
      } finally {
        await channel.close().catch(() => undefined);
      }
    });
  }

  /**
   * The copy is confirmed in its queue before the original is acknowledged: a crash in between repeats the message,
   * never loses it.
   */
  async function revive(channel: ConfirmChannel, queue: string, message: GetMessage): Promise<boolean> {
    const [outcome] = await deps.publisher.publish([revived(queue, message)]);
    if (outcome?.status !== 'confirmed') return false;
    channel.ack(message);
    return true;
  }

  return {
    redrive: (queue, max, matches = () => true) =>
      lookAt(queue, (channel) =>
        moveSome(takeMatching(channel, queue, matches), max, ({ message }) => revive(channel, queue, message)),
      ),
    listDead: (queue, limit, matches = () => true) =>
      lookAt(queue, async (channel) =>
        (await firstOf(takeMatching(channel, queue, matches), limit)).map(({ dead }) => dead),
      ),
    countDead: (queue, matches) => lookAt(queue, (channel) => countOf(takeMatching(channel, queue, matches))),
    settleDead: (queue, id, to) =>
      lookAt(queue, async (channel) => {
        for await (const message of take(channel, queue, LONGEST_LOOK)) {
          if (idOf(message) !== id) continue;
          if (to === 'drop') channel.ack(message);
          else if (!(await revive(channel, queue, message))) throw new Error(NOT_CONFIRMED);
          return true;
        }
        return false;
      }),
  };
}

const NOT_CONFIRMED = 'the broker did not confirm the message';

/** Stops at the first that cannot be moved; throws if none could. */
async function moveSome(
  messages: AsyncIterable<TakenMessage>,
  max: number,
  move: (message: TakenMessage) => Promise<boolean>,
): Promise<number> {
  let moved = 0;
  for await (const message of messages) {
    if (moved === max) break;
    if (await move(message)) moved += 1;
    else if (moved > 0) break;
    else throw new Error(NOT_CONFIRMED);
  }
  return moved;
}

interface TakenMessage {
  message: GetMessage;
  dead: DeadMessage;
}

async function* takeMatching(
  channel: ConfirmChannel,
  queue: string,
  matches: (message: DeadMessage) => boolean,
): AsyncGenerator<TakenMessage> {
  for await (const message of take(channel, queue, LONGEST_LOOK)) {
    const dead = toDeadMessage(message);
    if (matches(dead)) yield { message, dead };
  }
}

async function* take(channel: ConfirmChannel, queue: string, max: number): AsyncGenerator<GetMessage> {
  for (let taken = 0; taken < max; taken += 1) {
    const message = await channel.get(deadLetterQueueOf(queue));
    if (message === false) return;
    yield message;
  }
}

/** The envelope of a dead message; of a pack that the broker itself dead-lettered, the first. */
const envelopeOf = (message: GetMessage) => readFrame(message.content)?.envelopes[0];

function idOf(message: GetMessage): string {
  const { messageId } = message.properties;
  const known = envelopeOf(message)?.id ?? messageId;
  return typeof known === 'string' ? known : createHash('sha256').update(message.content).digest('hex').slice(0, 32);
}

function toDeadMessage(message: GetMessage): DeadMessage {
  const headers = message.properties.headers ?? {};
  // A message that the broker dead-lettered carries the broker's reason.
  const [death] = (headers['x-death'] ?? []) as { reason?: string; 'routing-keys'?: string[] }[];
  const envelope = envelopeOf(message);
  const diedAt = new Date(String(headers[HEADERS.diedAt]));
  return {
    id: idOf(message),
    type: envelope?.type ?? null,
    routingKey: String(headers[HEADERS.key] ?? death?.['routing-keys']?.[0] ?? message.fields.routingKey),
    reason: String(headers[HEADERS.reason] ?? death?.reason ?? 'unknown'),
    attempts: attemptOf(message),
    diedAt: Number.isNaN(diedAt.getTime()) ? null : diedAt,
    body: readFrame(message.content)?.isPack === false ? envelope : message.content.toString('utf8').slice(0, 10_000),
  };
}

function revived(queue: string, message: GetMessage) {
  const { [HEADERS.attempt]: _, [HEADERS.reason]: __, [HEADERS.diedAt]: ___, ...headers } = keptHeaders(message);
  return {
    exchange: settleExchangeOf(queue),
    routingKey: queue,
    content: message.content,
    options: { ...copiedProperties(message), mandatory: true, headers },
  };
}
