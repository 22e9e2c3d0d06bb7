import * as z from 'zod/mini';
import { CloudEvent } from '../messages/envelope.ts';

export const FOREIGN_PLACE = 'Last-Event-ID is not of this feed';

/**
 * A place in the order in which transfers' commits became visible: transaction, pack and message, `814-90-1`. Later
 * events have later places.
 */
export const EventPlace = z
  .string({ error: FOREIGN_PLACE })
  .check(z.regex(/^\d{1,20}-\d{1,19}-\d{1,4}$/, { error: FOREIGN_PLACE }));

/** Where a reader without a place begins. */
export const FeedStart = z._default(z.enum(['oldest', 'now'], { error: 'from must be oldest or now' }), 'now');

/** `GET /internal/transfer-events`: what comes after a place; without one, where the log begins or ends now. */
export const TransferEventsQuery = z.object({ after: z.optional(EventPlace), from: FeedStart });
export type TransferEventsQuery = z.infer<typeof TransferEventsQuery>;

/**
 * `next` is where to go on reading, also after a page without events; `hasMore`: there is more to read there now;
 * `isGap`: some after the place are not kept.
 */
export const TransferEvents = z.object({
  events: z.array(z.object({ place: EventPlace, event: CloudEvent })),
  next: EventPlace,
  hasMore: z.boolean(),
  isGap: z.boolean(),
});
export type TransferEvents = z.infer<typeof TransferEvents>;
