import { PHONE } from '@vuka/money/phones';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';

/** A complete phone number that can be paid: the calling code of a country and nine digits without a leading zero. */
export const RecipientPhone = z
  .string({ error: reason('phone_missing') })
  .check(
    z.minLength(1, { error: reason('phone_missing'), abort: true }),
    z.regex(PHONE, { error: reason('phone_invalid') }),
  );

/** The name that a person gives to a recipient. */
export const RecipientLabel = z
  .string({ error: reason('name_missing') })
  .check(
    z.trim(),
    z.minLength(1, { error: reason('name_missing') }),
    z.maxLength(40, { error: reason('name_too_long', { max: 40 }) }),
  );

export const SavedRecipient = z.object({ phone: RecipientPhone, label: RecipientLabel });
export type SavedRecipient = z.infer<typeof SavedRecipient>;

/** `GET /api/recipients`: by name. `PUT /api/recipients/{phone}` saves or renames one, `DELETE` deletes one. */
export const SavedRecipients = z.object({ recipients: z.array(SavedRecipient) });

export const RecipientName = z.object({ label: RecipientLabel });
export const RecipientAddress = z.object({ phone: RecipientPhone });

/**
 * `GET /api/recipients/{phone}/holder`: who would be paid. A merchant here is named by first name and last initial. Any
 * other number is paid through its network, which does not tell a name.
 */
export const RecipientHolder = z.object({ kind: z.enum(['merchant', 'phone']), name: z.nullable(z.string()) });
export type RecipientHolder = z.infer<typeof RecipientHolder>;

export const MAX_SAVED_RECIPIENTS = 200;
