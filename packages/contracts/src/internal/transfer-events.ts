import * as z from 'zod/mini';
import { CloudEvent } from '../cloud-event.ts';
import { EventPlace, FeedQuery } from '../http/feed.ts';

/**
 * `GET /internal/transfer-events`: the events after a position; without one, from the current beginning or end of the
 * log.
 */
export const TransferEventsQuery = z.extend(FeedQuery, { after: z.optional(EventPlace) });
export type TransferEventsQuery = z.infer<typeof TransferEventsQuery>;

/**
 * `next` is the position to read from next, also after an empty page; `hasMore`: there are more events to read;
 * `isGap`: some events after the given position are no longer stored.
 */
export const TransferEvents = z.object({
  events: z.array(z.object({ place: EventPlace, event: CloudEvent })),
  next: EventPlace,
  hasMore: z.boolean(),
  isGap: z.boolean(),
});
export type TransferEvents = z.infer<typeof TransferEvents>;
