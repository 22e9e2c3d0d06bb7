import { createRoleLookup, type RoleNow } from '@vuka/access/requesters';
import { AccountState } from '@vuka/contracts/internal/account-closing';
import { type Recipient, RecipientResults } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import { createBatcher } from '@vuka/service-kit/batcher';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type * as z from 'zod/mini';

type KnownRecipient = z.infer<typeof Recipient>;

/** Accounts asked about at once: after an outage many payments are due, and the service takes 250 calls. */
const MOST_STATES = 100;

export interface IdentityClient {
  /** The only user with this phone number, or null. Throws unavailable. */
  findRecipient(phone: string): Promise<KnownRecipient>;
  /** Whether the account was closed; one that identity does not know was not. Throws unavailable. */
  isClosed(userId: string): Promise<boolean>;
  /** Whether the account is blocked now; one that identity does not know is not. Throws unavailable. */
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
  async function stateOf(userId: string): Promise<z.infer<typeof AccountState>> {
    try {
      return await http.get(`/internal/accounts/${userId}/state`, AccountState);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return { isClosed: false, isBlocked: false };
      throw error;
    }
  }
  const blocks = createBatcher<string, boolean>({
    maxBatch: MOST_STATES,
    async run(userIds) {
      const asked = new Map([...new Set(userIds)].map((userId) => [userId, stateOf(userId)]));
      const answers = await Promise.allSettled(userIds.map((userId) => asked.get(userId)));
      return answers.map((answer) =>
        answer.status === 'fulfilled' ? (answer.value?.isBlocked ?? false) : (answer.reason as Error),
      );
    },
  });
  return {
    roleNow: createRoleLookup(http),
    findRecipient: (phone) => lookups.submit({ phone }),
    isClosed: async (userId) => (await stateOf(userId)).isClosed,
    isBlocked: (userId) => blocks.submit(userId),
  };
}
