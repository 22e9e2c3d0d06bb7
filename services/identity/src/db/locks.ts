import { sql } from 'kysely';

/** When the last lock of sign-ins ends, for the user of the row; null without one. */
export const strangersLockedUntil = sql<Date | null>`(
  select max(locked_until) from stranger_sign_ins
  where email_hash = sha256(convert_to(lower(users.email), 'UTF8')))`;
