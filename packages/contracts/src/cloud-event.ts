import * as z from 'zod/mini';

/** The media type of a message body: one CloudEvent in structured mode. */
export const CLOUD_EVENT_CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';

/** The media type of a pack: several CloudEvents of one type as a JSON array (CloudEvents JSON format 1.0, batch). */
export const CLOUD_EVENT_BATCH_CONTENT_TYPE = 'application/cloudevents-batch+json; charset=UTF-8';

/**
 * The prefix of every event type, as CloudEvents recommends; the rest is the routing key, such as
 * `transfer.settled.v1`.
 */
export const TYPE_PREFIX = 'africa.vuka.';

/**
 * A sequence is padded to this many digits, so that comparing the texts compares the numbers, as CloudEvents demands.
 */
const SEQUENCE_DIGITS = 10;

const attributes = {
  specversion: z.literal('1.0'),
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  source: z.string().check(z.minLength(1)),
  type: z.string().check(z.minLength(1), z.maxLength(255)),
  time: z.iso.datetime({ offset: true }),
  subject: z.optional(z.string()),
  datacontenttype: z.literal('application/json'),
  correlationid: z.optional(z.string()),
  causationid: z.optional(z.string()),
  traceparent: z.optional(z.string()),
};

/**
 * A CloudEvents 1.0 envelope in structured JSON mode, as it is written. `id` is the message id of outbox and inbox;
 * `type` is `africa.vuka.` and the routing key; `sequence` is the version of the aggregate named by `subject`: a larger
 * text is newer, so that a consumer can ignore an older event that arrives later.
 */
export const WrittenCloudEvent = z.object({
  ...attributes,
  dataschema: z.optional(z.string()),
  sequence: z.optional(z.string().check(z.regex(/^\d{10}$/))),
  data: z.unknown(),
});
export type WrittenCloudEvent = z.infer<typeof WrittenCloudEvent>;

/**
 * An envelope inside our processes: `type` is the routing key and `sequence` a number. Accepts what is written now, and
 * the envelopes of release 0.1, which had this form.
 */
export const CloudEvent = z.pipe(
  z.transform(toOwnForm),
  z.object({ ...attributes, sequence: z.optional(z.int()), data: z.unknown() }),
);
export type CloudEvent = z.infer<typeof CloudEvent>;

/** An envelope as read, in the form that our processes use. Leaves anything else as it is. */
export function toOwnForm(read: unknown): unknown {
  if (typeof read !== 'object' || read === null) return read;
  const { dataschema: _, ...envelope } = read as Record<string, unknown>;
  const { type, sequence } = envelope;
  if (typeof type === 'string' && type.startsWith(TYPE_PREFIX)) envelope.type = type.slice(TYPE_PREFIX.length);
  if (typeof sequence === 'string') envelope.sequence = Number(sequence);
  return envelope;
}

/** An envelope in the form in which it is written. */
export function toWrittenForm({ type, sequence, ...envelope }: CloudEvent): WrittenCloudEvent {
  return {
    ...envelope,
    type: TYPE_PREFIX + type,
    dataschema: `urn:vuka:${type}`,
    ...(sequence === undefined ? {} : { sequence: String(sequence).padStart(SEQUENCE_DIGITS, '0') }),
  };
}
