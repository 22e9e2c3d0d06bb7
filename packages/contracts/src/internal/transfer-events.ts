import * as z from 'zod/mini';
import { CloudEvent } from '../cloud-event.ts';
import { EventPlace, FeedQuery } from '../http/feed.ts';

/** `GET /internal/transfer-events`: what comes after a place; without one, where the log begins or ends now. */
export const TransferEventsQuery = z.extend(FeedQuery, { after: z.optional(EventPlace) });
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
