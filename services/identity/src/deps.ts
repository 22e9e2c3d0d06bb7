import type { Sealing } from '@vuka/service-kit/sealing';
import type { SignInDeps } from './accounts/sign-in.ts';
import type { RepeatableKeys } from './api-keys/repeatable-keys.ts';
import type { OneTimeCodes } from './codes/one-time-codes.ts';
import type { SealedLabels } from './recipients/sealed-labels.ts';

export interface IdentityDeps extends SignInDeps {
  codes: OneTimeCodes;
  repeatableKeys: RepeatableKeys;
  sealedLabels: SealedLabels;
  /** Show codes in the answers, in demonstrations only. */
  showCodes: boolean;
  /** Encrypts the secrets of authenticator apps. */
  totpSealing: Sealing;
  /** The address of the web app, which passkeys are bound to. */
  publicUrl: string;
  /** Administrators must have a second factor. */
  requireFactor: boolean;
  /** Tells the relay to publish the outbox. */
  kickRelay: () => void;
}
