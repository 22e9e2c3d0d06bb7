import { CLOUD_EVENT_BATCH_CONTENT_TYPE, CLOUD_EVENT_CONTENT_TYPE, CloudEvent } from '@vuka/contracts/cloud-event';
import type { Topology } from '@vuka/contracts/topology';
import type { Options } from 'amqplib';
import type { OutgoingMessage, PublishOutcome } from '#messaging/message-bus.ts';
import type { RabbitmqPublisher, RawMessage } from '#messaging/rabbitmq-publisher.ts';
import { envelopeJson } from '../cloud-event.ts';

/**
 * Keeps a pack small compared with the prefetch of its consumers, and limits what is handled twice when one is
 * redelivered.
 */
const MAX_PACK_MESSAGES = 100;
const MAX_PACK_BYTES = 128 * 1024;

/** Messages that travel as one message of the broker: one, or a pack. */
interface Frame {
  messages: OutgoingMessage[];
  /** Their places in the batch. */
  places: number[];
  bytes: number;
}

/** The exchanges of a topology whose messages may be packed. */
export function packedExchanges(topology: Topology): ReadonlySet<string> {
  return new Set(topology.exchanges.filter(({ packs }) => packs).map(({ name }) => name));
}

/**
 * Publishes a batch in as few messages of the broker as possible. Each frame costs the publisher, the broker and every
 * consumer about as much as a hundred more bytes in another one would.
 */
export async function publishInFrames(
  publisher: RabbitmqPublisher,
  batch: readonly OutgoingMessage[],
  packed: ReadonlySet<string>,
): Promise<PublishOutcome[]> {
  const frames = intoFrames(batch, packed);
  const outcomes = await publisher.publish(frames.map(toRawFrame));
  const ofMessages = new Array<PublishOutcome>(batch.length);
  for (const [index, { places }] of frames.entries()) {
    for (const place of places) ofMessages[place] = outcomes[index] as PublishOutcome;
  }
  return ofMessages;
}

/**
 * Groups messages with the same address. The messages of one process (`correlationid`) stay in order: none joins a
 * frame that is sent before a frame with an earlier message of its process.
 */
export function intoFrames(batch: readonly OutgoingMessage[], packed: ReadonlySet<string>): Frame[] {
  const frames: Frame[] = [];
  const openFrames = new Map<string, number>();
  const lastFrames = new Map<string, number>();
  for (const [place, message] of batch.entries()) {
    const address = `${message.exchange} ${message.routingKey} ${message.requireRoute}`;
    const process = message.envelope.correlationid;
    const mayPack = packed.has(message.exchange);
    const bytes = mayPack ? envelopeJson(message.envelope).length : 0;
    const earliest = process === undefined ? 0 : (lastFrames.get(process) ?? 0);
    let index = mayPack ? (openFrames.get(address) ?? -1) : -1;
    const open = frames[index];
    if (!open || index < earliest || !hasRoom(open, bytes)) {
      index = frames.push({ messages: [], places: [], bytes: 0 }) - 1;
      openFrames.set(address, index);
    }
    const frame = frames[index] as Frame;
    frame.messages.push(message);
    frame.places.push(place);
    frame.bytes += bytes;
    if (process !== undefined) lastFrames.set(process, index);
  }
  return frames;
}

const hasRoom = ({ messages, bytes }: Frame, more: number) =>
  messages.length < MAX_PACK_MESSAGES && bytes + more <= MAX_PACK_BYTES;

function toRawFrame({ messages }: Frame): RawMessage {
  const [first] = messages as [OutgoingMessage, ...OutgoingMessage[]];
  const { exchange, routingKey, requireRoute, envelope } = first;
  if (messages.length === 1) return toRawMessage({ exchange, routingKey, mandatory: requireRoute }, envelope);
  return {
    exchange,
    routingKey,
    content: Buffer.from(`[${messages.map((message) => envelopeJson(message.envelope)).join(',')}]`),
    options: {
      mandatory: requireRoute,
      contentType: CLOUD_EVENT_BATCH_CONTENT_TYPE,
      type: envelope.type,
      timestamp: secondsOf(envelope.time),
    },
  };
}

/** A single message in the broker's terms. */
export function toRawMessage(
  { exchange, routingKey, ...options }: { exchange: string; routingKey: string } & Options.Publish,
  envelope: CloudEvent,
): RawMessage {
  const trace = envelope.traceparent === undefined ? {} : { traceparent: envelope.traceparent };
  return {
    exchange,
    routingKey,
    content: Buffer.from(envelopeJson(envelope)),
    options: {
      ...options,
      contentType: CLOUD_EVENT_CONTENT_TYPE,
      messageId: envelope.id,
      type: envelope.type,
      timestamp: secondsOf(envelope.time),
      ...(envelope.correlationid === undefined ? {} : { correlationId: envelope.correlationid }),
      headers: { ...options.headers, ...trace },
    },
  };
}

const secondsOf = (time: string) => Math.floor(Date.parse(time) / 1000);

/** The envelopes of a message of the broker, one or a pack; undefined if it cannot be read. */
export function readFrame(content: Buffer): { envelopes: CloudEvent[]; isPack: boolean } | undefined {
  try {
    const body: unknown = JSON.parse(content.toString('utf8'));
    if (!Array.isArray(body)) return { envelopes: [CloudEvent.parse(body)], isPack: false };
    return body.length === 0 ? undefined : { envelopes: body.map((each) => CloudEvent.parse(each)), isPack: true };
  } catch {
    return undefined;
  }
}
