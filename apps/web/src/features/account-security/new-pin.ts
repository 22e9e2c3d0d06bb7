import { Pin } from '@vuka/contracts/http/common';
import * as z from 'zod/mini';

/** The fields of a new PIN, which is entered twice. */
export const NEW_PIN = { newPin: Pin, confirmPin: Pin };

export const pinsMatch = z.refine<{ newPin: string; confirmPin: string }>(
  ({ newPin, confirmPin }) => newPin === confirmPin,
  { error: 'PINs do not match', path: ['confirmPin'] },
);
