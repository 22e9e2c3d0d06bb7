import * as z from 'zod/mini';
import { Id, Timestamp } from '../http/common.ts';

export const SESSIONS_ENDED = 'identity.sessions-ended.v1';

/** Sessions of a user ended: by a block, a PIN change or a sign-out. */
export const SessionsEnded = z.object({ userId: Id, reason: z.enum(['blocked', 'pin_changed', 'signed_out']) });
export type SessionsEnded = z.infer<typeof SessionsEnded>;

export const SIGNED_IN = 'identity.signed-in.v1';

/** A user signed in with their PIN. Consumers ask identity for contact details: no address travels in a message. */
export const SignedIn = z.object({ userId: Id, at: Timestamp });
export type SignedIn = z.infer<typeof SignedIn>;
