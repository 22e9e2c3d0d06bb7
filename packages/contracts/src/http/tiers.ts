import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';

/**
 * What an account has proved: nothing yet; a verified phone number and email address; or, to an administrator, that it
 * is a business. Limits on transactions depend on it.
 */
export const TIERS = ['unverified', 'verified', 'business'] as const;
export const Tier = z.enum(TIERS, { error: reason('tier_unknown') });
export type Tier = z.infer<typeof Tier>;
