import { reason } from '@vuka/contracts/texts/reason';
import * as z from 'zod/mini';

/** The client's idempotency key for a movement: a repeated key is the same movement. */
export const IdempotencyKey = z.object({
  'idempotency-key': z.optional(
    z.string().check(z.regex(/^[\w.:-]{8,80}$/, { error: reason('idempotency_key_invalid') })),
  ),
});
