import { createHash } from 'node:crypto';
import { privateKeyOf, publicTextOf } from '@vuka/service-kit/ed25519';
import { createServiceTokens, type ServiceTokens } from '@vuka/service-kit/service-tokens';

export const SERVICES = ['gateway', 'identity', 'wallet', 'transfers', 'rates', 'admin', 'integration-log'] as const;

const seedOf = (service: string) => createHash('sha256').update(`test key of ${service}`).digest();
const publicKeys = new Map(SERVICES.map((service) => [service, [publicTextOf(privateKeyOf(seedOf(service)))]]));
const made = new Map<string, ServiceTokens>();

/** The tokens of a service in tests: each has a key of its own, which the others accept. */
export function testTokens(service: string): ServiceTokens {
  const tokens = made.get(service) ?? createServiceTokens({ service, privateKey: seedOf(service), publicKeys });
  made.set(service, tokens);
  return tokens;
}
