import { queryOptions } from '@tanstack/react-query';
import { MerchantDetail, Merchant as MerchantSchema } from '@vuka/contracts/http/admin';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

// A record with a date that cannot be read is still a merchant: the cell says so.
const Item = z.extend(MerchantSchema, { createdAt: z.string() });
export type Merchant = z.infer<typeof Item>;

export const MERCHANTS_KEY = ['/api/admin/merchants'] as const;

export function merchantsQuery() {
  return queryOptions({
    queryKey: MERCHANTS_KEY,
    queryFn: ({ signal }) => callApi('/api/admin/merchants', z.array(Item), { signal }),
    staleTime: 10_000,
    refetchInterval: 30_000,
    refetchOnWindowFocus: true,
    refetchOnMount: true,
  });
}

/** Under the list's key, so that what changes a merchant makes both be asked for again. */
export function merchantQuery(id: string) {
  return queryOptions({
    queryKey: [...MERCHANTS_KEY, id],
    queryFn: ({ signal }) => callApi(`/api/admin/merchants/${encodeURIComponent(id)}`, MerchantDetail, { signal }),
    staleTime: 0,
    refetchInterval: 30_000,
    meta: { silent: true },
  });
}

export function toggleBlock(id: string): Promise<Merchant> {
  return callApi(`/api/admin/merchants/${encodeURIComponent(id)}/toggle-block`, Item, { method: 'POST' });
}

export function unlockMerchant(id: string): Promise<Merchant> {
  return callApi(`/api/admin/merchants/${encodeURIComponent(id)}/unlock`, Item, { method: 'POST' });
}
