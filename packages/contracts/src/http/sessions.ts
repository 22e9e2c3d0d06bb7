import * as z from 'zod/mini';
import { Id, Timestamp } from './common.ts';

/** One sign-in that is still valid. */
export const Session = z.object({
  id: Id,
  /** The browser's own description (`User-Agent`), cut to 300 characters; empty if it sent none. */
  userAgent: z.string(),
  /** The network address of the sign-in; empty if unknown. */
  address: z.string(),
  signedInAt: Timestamp,
  lastSeenAt: Timestamp,
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** `GET /api/sessions`: the user's own sessions, the last used first. */
export const SessionList = z.object({ sessions: z.array(Session) });
