import * as z from 'zod/mini';

/** The media type of a message body: one CloudEvent in structured mode. */
export const CLOUD_EVENT_CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';

/** The media type of a pack: several CloudEvents of one type as a JSON array (CloudEvents JSON format 1.0, batch). */
export const CLOUD_EVENT_BATCH_CONTENT_TYPE = 'application/cloudevents-batch+json; charset=UTF-8';

/**
 * A CloudEvents 1.0 envelope in structured JSON mode. `id` is the message id of outbox and inbox; `type` is the
 * routing key, such as `transfer.settled.v1`; `sequence` is the version of the aggregate named by `subject`, with
 * which a consumer ignores an older event that arrives later.
 */
export const CloudEvent = z.object({
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
  sequence: z.optional(z.int()),
  data: z.unknown(),
});
export type CloudEvent = z.infer<typeof CloudEvent>;
