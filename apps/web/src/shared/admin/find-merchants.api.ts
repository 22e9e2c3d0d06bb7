import { queryOptions } from '@tanstack/react-query';
import { Merchant } from '@vuka/contracts/http/merchants';
import * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';

/** A complete ID of a merchant; administrators have other ones and are not in the list. */
export const WHOLE_MERCHANT_ID = /^[A-Z]{4}\d{4}[A-Z]{4}$/;

/** The first merchants whose name, email, phone, country or ID holds the text. */
export function findMerchantsQuery(search: string, limit: number) {
  return queryOptions({
    queryKey: ['/api/admin/merchants', 'find', search, limit],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ search, limit: String(limit) });
      return callApi(`/api/admin/merchants?${query}`, z.array(Merchant), { signal });
    },
    staleTime: 60_000,
    meta: { silent: true },
  });
}
