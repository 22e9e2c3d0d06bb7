import * as z from 'zod/mini';
import { DECIMAL } from '#shared/format/money.ts';

// The fields that the app reads, less strict than the contract: during an upgrade the page and the server may be of
// different releases, and a field that the page can do without must not empty it.

export const Text = z.string();

/** An amount with any number of decimals. */
export const Amount = z.string().check(z.regex(DECIMAL));

/** Null if it is missing. */
export function orNull<Schema extends z.ZodMiniType>(schema: Schema) {
  return z._default(z.nullable(schema), null as never);
}
