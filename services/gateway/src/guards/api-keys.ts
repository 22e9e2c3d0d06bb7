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
      const key = bearerOf(request);
      if (key === undefined) throw new AppError('api_key_missing', { challenge: 'Bearer' });
      // A value that no key can have saves a call to identity.
      const known = API_KEY_PATTERN.test(key) ? await find(key, { requestId: request.id }) : null;
      if (!known) throw new AppError('api_key_unknown', { challenge: 'Bearer' });
      return { ...known, key };
    },
    async stands(key) {
      return (await find(key)) !== null;
    },
  };
}

/** The value of `Authorization: Bearer ...`, whatever it is; undefined if there is none. */
function bearerOf(request: FastifyRequest): string | undefined {
  const [, given] = /^bearer +(\S.*)$/i.exec(request.headers.authorization ?? '') ?? [];
  return given?.trimEnd();
}
