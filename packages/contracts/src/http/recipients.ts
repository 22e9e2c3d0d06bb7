import * as z from 'zod/mini';

/** A complete phone number that can be paid: `+254` or `+255` and nine digits without a leading zero. */
export const RecipientPhone = z
  .string({ error: 'Phone number is required' })
  .check(
    z.minLength(1, { error: 'Phone number is required', abort: true }),
    z.regex(/^\+25[45][1-9]\d{8}$/, { error: 'Please enter a valid 9-digit phone number without leading zero' }),
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

/**
 * `GET /api/recipients/{phone}/holder`: who would be paid. A merchant here is named by the first name and the initial of
 * the last; any other number is paid by its network, which tells no name.
 */
export const RecipientHolder = z.object({ kind: z.enum(['merchant', 'phone']), name: z.nullable(z.string()) });
export type RecipientHolder = z.infer<typeof RecipientHolder>;

export const MAX_SAVED_RECIPIENTS = 200;
