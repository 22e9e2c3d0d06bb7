import type { InternalTokens } from '@vuka/service-kit/tokens';
import type { SignInDeps } from './accounts/sign-in.ts';

/** What the routes of identity need. */
export interface IdentityDeps extends SignInDeps {
  tokens: InternalTokens;
  /** Has the relay publish what the outbox holds. */
  kickRelay: () => void;
}
