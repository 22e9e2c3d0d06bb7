import { queryOptions } from '@tanstack/react-query';
import { ApiKeys, IssuedApiKey, RevokedApiKey } from '@vuka/contracts/http/api-keys';
import { callApi } from '#shared/api-client.ts';
import { submitOnce } from '#shared/submission-key.ts';

export const API_KEYS_KEY = ['/api/admin/api-keys'] as const;

export function apiKeysQuery() {
  return queryOptions({
    queryKey: API_KEYS_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/admin/api-keys', ApiKeys, { signal })).apiKeys,
    staleTime: 0,
  });
}

export async function issueApiKey({ name, pin }: Record<'name' | 'pin', string>) {
  const issued = await submitOnce('api-key', { name }, (idempotencyKey) =>
    callApi('/api/admin/api-keys', IssuedApiKey, { method: 'POST', body: { name, pin }, idempotencyKey }),
  );
  return issued.answer;
}

export async function revokeApiKey(id: string) {
  const path = `/api/admin/api-keys/${encodeURIComponent(id)}/revoke`;
  return (await callApi(path, RevokedApiKey, { method: 'POST', body: {} })).apiKey;
}
