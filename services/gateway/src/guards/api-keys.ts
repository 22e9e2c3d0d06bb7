import { API_KEY_PATTERN } from '@vuka/contracts/http/api-keys';
import { KnownApiKey } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { FastifyRequest } from 'fastify';

/** Access for other programs. A key is accepted only by routes that use this; they ignore sessions. */
export interface ApiKeys {
  /** The program that makes this request. Throws unauthenticated. */
  require(request: FastifyRequest): Promise<{ id: string; name: string; key: string }>;
  /** Whether the key is still valid. Throws unavailable if identity cannot answer. */
  stands(key: string): Promise<boolean>;
}

export function createApiKeys({ identity }: { identity: ServiceClient }): ApiKeys {
  // Never cached, so that a revocation applies to the next request on every replica.
  const find = async (key: string, options: { requestId?: string } = {}) => {
    const idempotent = { ...options, idempotent: true };
    return (await identity.post('/internal/api-keys/check', { key }, KnownApiKey, idempotent)).apiKey;
  };

  return {
    async require(request) {
      const key = keyOf(request);
      if (!key) throw new AppError('api_key_missing', { challenge: 'Bearer' });
      const known = await find(key, { requestId: request.id });
      if (!known) throw new AppError('api_key_unknown', { challenge: 'Bearer' });
      return { ...known, key };
    },
    async stands(key) {
      return (await find(key)) !== null;
    },
  };
}

/** The key of `Authorization: Bearer ...`; undefined if it is malformed, which saves a call to identity. */
function keyOf(request: FastifyRequest): string | undefined {
  const [, key] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  return key && API_KEY_PATTERN.test(key) ? key : undefined;
}
