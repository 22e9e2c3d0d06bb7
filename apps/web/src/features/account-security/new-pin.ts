import '#shared/i18n/security-refusals.ts';
import { Pin } from '@vuka/contracts/http/common';
import { reason } from '@vuka/contracts/texts/reason';
import * as z from 'zod/mini';

/** The fields of a new PIN, which is entered twice. */
export const NEW_PIN = { newPin: Pin, confirmPin: Pin };

export const pinsMatch = z.refine<{ newPin: string; confirmPin: string }>(
  ({ newPin, confirmPin }) => newPin === confirmPin,
  { error: reason('pins_different'), path: ['confirmPin'] },
);
