import { queryOptions } from '@tanstack/react-query';
import { Ok } from '@vuka/contracts/http/common';
import { Fee, Fees } from '@vuka/contracts/http/fees';
import { callApi } from '#shared/api-client.ts';
import { submitOnce } from '#shared/submission-key.ts';

export const FEES_KEY = ['/api/admin/fees'] as const;

export function feesQuery() {
  return queryOptions({
    queryKey: FEES_KEY,
    queryFn: async ({ signal }) => (await callApi('/api/admin/fees', Fees, { signal })).fees,
    staleTime: 0,
  });
}

export function addFee({ pin, ...fee }: Record<string, unknown>) {
  return submitOnce('fee', fee, (idempotencyKey) =>
    callApi('/api/admin/fees', Fee, { method: 'POST', body: { ...fee, pin }, idempotencyKey }),
  );
}

export function removeFee(id: string, typed: Record<string, string>) {
  return callApi(`/api/admin/fees/${encodeURIComponent(id)}/remove`, Ok, { method: 'POST', body: typed });
}
