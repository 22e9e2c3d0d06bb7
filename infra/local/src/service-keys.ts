import { randomBytes } from 'node:crypto';
import { privateKeyOf, publicTextOf, SEED_BYTES } from '@vuka/service-kit/ed25519';

/** Each service's own key, and the public keys that every service knows, as the services' settings state them. */
export interface ServiceKeys {
  privateKeys: Record<string, string>;
  publicKeys: string;
}

/** New keys for these services. They need not be stored if all services always start together. */
export function generateServiceKeys(services: readonly string[]): ServiceKeys {
  const pairs = services.map((service) => {
    const seed = randomBytes(SEED_BYTES);
    return { service, seed: seed.toString('base64url'), publicKey: publicTextOf(privateKeyOf(seed)) };
  });
  return {
    privateKeys: Object.fromEntries(pairs.map(({ service, seed }) => [service, seed])),
    publicKeys: pairs.map(({ service, publicKey }) => `${service}:${publicKey}`).join(','),
  };
}
