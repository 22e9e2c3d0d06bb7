import * as z from 'zod/mini';
import { allowed, reason } from '../texts/reason.ts';

const foreign = { error: reason('feed_place_foreign') };

/**
 * A position in the order in which transfers' commits became visible: the epoch of the books, then transaction, pack
 * and message, `1764000000000.814-90-1`. Within an epoch, later events have later positions. Positions of release 0.1
 * have no epoch.
 */
export const EventPlace = z.string(foreign).check(z.regex(/^(\d{1,16}\.)?\d{1,20}-\d{1,19}-\d{1,4}$/, foreign));

const STARTS = ['oldest', 'now'] as const;

/** `GET /api/feed/transfers`: where a reader without a position starts. */
export const FeedQuery = z.object({
  from: z._default(z.enum(STARTS, { error: reason('feed_start_unknown', allowed(STARTS)) }), 'now'),
});

/** The position of the last event that a reader has processed; it takes precedence over `from`. */
export const FeedHeaders = z.looseObject({ 'last-event-id': z.optional(EventPlace) });
