import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import { Pin } from './common.ts';
import { CodeDigits } from './contact-verification.ts';

/** `POST /api/account/close`. `code` went to the verified number; an account without one needs none. */
export const CloseAccount = z.object({ pin: Pin, code: z.optional(CodeDigits) });
export type CloseAccount = z.infer<typeof CloseAccount>;

const missing = { error: reason('reason_missing') };
const tooLong = { error: reason('reason_too_long', { max: 500 }) };

/** `POST /api/admin/merchants/{id}/close`: for a merchant who asked for it. */
export const CloseMerchant = z.object({
  pin: Pin,
  reason: z.string(missing).check(z.trim(), z.minLength(1, missing), z.maxLength(500, tooLong)),
});
