import type { InternalTokens } from '@vuka/service-kit/tokens';
import type { SignInDeps } from './accounts/sign-in.ts';

export interface IdentityDeps extends SignInDeps {
  tokens: InternalTokens;
  /** Tells the relay to publish the outbox. */
  kickRelay: () => void;
}
