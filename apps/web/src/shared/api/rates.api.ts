import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { RATES_KEY } from '#shared/api/keys.ts';
import { callApi } from '#shared/api-client.ts';
import { FALLBACK_INVERSE } from '#shared/format/rate.ts';

// Parsed more leniently than the contract: rates are for display, and a missing one must not blank the screen.
const RatesAnswer = z.object({
  kesToTzs: z.number(),
  tzsToKes: z.optional(z.nullable(z.number())),
  tzsTokes: z.optional(z.nullable(z.number())),
  updatedAt: z.optional(z.string()),
});

export interface DisplayRates {
  kesToTzs: number;
  tzsToKes: number;
  updatedAt: string | undefined;
}

export function toDisplayRates(answer: z.infer<typeof RatesAnswer>): DisplayRates {
  return {
    kesToTzs: answer.kesToTzs,
    tzsToKes: answer.tzsToKes ?? answer.tzsTokes ?? FALLBACK_INVERSE,
    updatedAt: answer.updatedAt,
  };
}

export function ratesQuery() {
  return queryOptions({
    queryKey: RATES_KEY,
    queryFn: async ({ signal }) => toDisplayRates(await callApi('/api/rates', RatesAnswer, { signal })),
    staleTime: 20_000,
    refetchInterval: 30_000,
  });
}
