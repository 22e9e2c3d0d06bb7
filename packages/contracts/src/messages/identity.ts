import * as z from 'zod/mini';
import { Id } from '../http/common.ts';

export const SESSIONS_ENDED = 'identity.sessions-ended.v1';

/** Sessions of a user ended: by a block, a PIN change or a sign-out. */
export const SessionsEnded = z.object({ userId: Id, reason: z.enum(['blocked', 'pin_changed', 'signed_out']) });
export type SessionsEnded = z.infer<typeof SessionsEnded>;
