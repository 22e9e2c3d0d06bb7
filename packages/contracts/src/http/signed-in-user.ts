import * as z from 'zod/mini';
import { AdminRole, FactorState } from './admin-role.ts';
import { Id, Timestamp, WalletCurrency } from './common.ts';

/** The answer to a sign-in, and of `GET /api/user`. */
export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  phone: z.string(),
  country: z.string(),
  defaultCurrency: WalletCurrency,
  isAdmin: z.boolean(),
  merchantData: z.nullable(z.object({ merchantId: z.string() })),
  adminId: z.nullable(z.string()),
  /** Of administrators only. */
  adminRole: z.optional(AdminRole),
  /** Of administrators only: whether their sign-in is complete. */
  secondFactor: z.optional(FactorState),
  createdAt: Timestamp,
});
export type User = z.infer<typeof User>;
