import * as z from 'zod/mini';

/** The client's name for a movement: the same key again is the same movement. */
export const IdempotencyKey = z.object({
  'idempotency-key': z.optional(z.string().check(z.regex(/^[\w.:-]{8,80}$/, { error: 'Invalid Idempotency-Key' }))),
});
