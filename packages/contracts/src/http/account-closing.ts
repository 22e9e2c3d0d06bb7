import * as z from 'zod/mini';
import { Pin } from './common.ts';
import { CodeDigits } from './contact-verification.ts';
import { ActionReason } from './decisions.ts';

/** `POST /api/account/close`. `code` went to the verified number; an account without one needs none. */
export const CloseAccount = z.object({ pin: Pin, code: z.optional(CodeDigits) });
export type CloseAccount = z.infer<typeof CloseAccount>;

/** `POST /api/admin/merchants/{id}/close`: for a merchant who asked for it. */
export const CloseMerchant = z.object({
  pin: Pin,
  reason: ActionReason,
});
