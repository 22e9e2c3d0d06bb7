import { PHONE } from '@vuka/money/phones';
import * as z from 'zod/mini';

/** A complete phone number that can be paid: the calling code of a country and nine digits without a leading zero. */
export const RecipientPhone = z
  .string({ error: 'Phone number is required' })
  .check(
    z.minLength(1, { error: 'Phone number is required', abort: true }),
    z.regex(PHONE, { error: 'Please enter a valid 9-digit phone number without leading zero' }),
  );

/** The name that a person gives to a recipient. */
export const RecipientLabel = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Name is required' }),
    z.maxLength(40, { error: 'Name must not exceed 40 characters' }),
  );

export const SavedRecipient = z.object({ phone: RecipientPhone, label: RecipientLabel });
export type SavedRecipient = z.infer<typeof SavedRecipient>;

/** `GET /api/recipients`: by name. `PUT /api/recipients/{phone}` saves or renames one, `DELETE` deletes one. */
export const SavedRecipients = z.object({ recipients: z.array(SavedRecipient) });

export const RecipientName = z.object({ label: RecipientLabel });
export const RecipientAddress = z.object({ phone: RecipientPhone });

export const MAX_SAVED_RECIPIENTS = 200;
