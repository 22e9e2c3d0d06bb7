import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';

export const ADMIN_ROLES = ['owner', 'finance', 'support', 'operations', 'auditor'] as const;
export const AdminRole = z.enum(ADMIN_ROLES, { error: reason('role_unknown') });
export type AdminRole = z.infer<typeof AdminRole>;

/**
 * How far an administrator's session is: `none` needs no second factor; `enrol` has to add one first; `pending` has to
 * give it first; in `verified` it was given.
 */
export const FactorState = z.enum(['none', 'enrol', 'pending', 'verified']);
export type FactorState = z.infer<typeof FactorState>;
