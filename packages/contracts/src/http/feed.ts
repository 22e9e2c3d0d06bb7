import * as z from 'zod/mini';

export const FOREIGN_PLACE = 'Last-Event-ID is not of this feed';

/**
 * A position in the order in which transfers' commits became visible: transaction, pack and message, `814-90-1`.
 * Later events have later positions.
 */
export const EventPlace = z
  .string({ error: FOREIGN_PLACE })
  .check(z.regex(/^\d{1,20}-\d{1,19}-\d{1,4}$/, { error: FOREIGN_PLACE }));

/** `GET /api/feed/transfers`: where a reader without a position starts. */
export const FeedQuery = z.object({
  from: z._default(z.enum(['oldest', 'now'], { error: 'from must be oldest or now' }), 'now'),
});

/** The position of the last event that a reader has processed; it takes precedence over `from`. */
export const FeedHeaders = z.looseObject({ 'last-event-id': z.optional(EventPlace) });
