import { createRoleLookup, type RoleNow } from '@vuka/access/requesters';
import { AccountState } from '@vuka/contracts/internal/account-closing';
import { type Recipient, RecipientResults } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type * as z from 'zod/mini';

type KnownRecipient = z.infer<typeof Recipient>;

export interface IdentityClient {
  /** The only user with this phone number, or null. Throws unavailable. */
  findRecipient(phone: string): Promise<KnownRecipient>;
  /** Whether the account was closed; one that identity does not know was not. Throws unavailable. */
  isClosed(userId: string): Promise<boolean>;
  /** Whether the account is blocked now. Throws unavailable. */
  isBlocked(userId: string): Promise<boolean>;
  roleNow: RoleNow;
}

export function createIdentityClient(http: ServiceClient): IdentityClient {
  const lookups = createBatcher<{ phone: string }, KnownRecipient>({
    async run(items) {
      const answer = await http.post('/internal/recipients-batch', { items }, RecipientResults, { idempotent: true });
      return answer.results;
    },
  });
  const stateOf = (userId: string) => http.get(`/internal/accounts/${userId}/state`, AccountState);
  return {
    roleNow: createRoleLookup(http),
    findRecipient: (phone) => lookups.submit({ phone }),
    async isClosed(userId) {
      try {
        return (await stateOf(userId)).isClosed;
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      }
    },
    async isBlocked(userId) {
      return (await stateOf(userId)).isBlocked;
    },
  };
}
