import * as z from 'zod/mini';

export const FOREIGN_PLACE = 'Last-Event-ID is not of this feed';

/**
 * A place in the order in which transfers' commits became visible: transaction, pack and message, `814-90-1`. Later
 * events have later places.
 */
export const EventPlace = z
  .string({ error: FOREIGN_PLACE })
  .check(z.regex(/^\d{1,20}-\d{1,19}-\d{1,4}$/, { error: FOREIGN_PLACE }));

/** `GET /api/feed/transfers`: where a reader without a place begins. */
export const FeedQuery = z.object({
  from: z._default(z.enum(['oldest', 'now'], { error: 'from must be oldest or now' }), 'now'),
});

/** The place of the last event that a reader has dealt with; it wins over `from`. */
export const FeedHeaders = z.looseObject({ 'last-event-id': z.optional(EventPlace) });
