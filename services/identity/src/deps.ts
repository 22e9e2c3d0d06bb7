import type { KeyObject } from 'node:crypto';
import type { InternalTokens } from '@vuka/service-kit/tokens';
import type { SignInDeps } from './accounts/sign-in.ts';
import type { SealedLabels } from './recipients/sealed-labels.ts';

export interface IdentityDeps extends SignInDeps {
  tokens: InternalTokens;
  sealedLabels: SealedLabels;
  /** The key of one-time codes. */
  codeKey: KeyObject;
  /** Show codes in the answers, in demonstrations only. */
  showCodes: boolean;
  /** Encrypts the secrets of authenticator apps. */
  totpKey: KeyObject;
  /** The address of the web app, which passkeys are bound to. */
  publicUrl: string;
  /** Administrators must have a second factor. */
  requireFactor: boolean;
  /** Tells the relay to publish the outbox. */
  kickRelay: () => void;
}
