import { queryOptions } from '@tanstack/react-query';
import { ReceiptCheck, ReceiptCode } from '@vuka/contracts/http/verification';
import * as z from 'zod/mini';
import { isFinalStatus, pollDelayMs } from '#shared/api/receipts.api.ts';
import { ApiError, callApi } from '#shared/api-client.ts';

export type Verdict = ReceiptCheck;

const notGenuine = (): Verdict => ({ genuine: false, checkedAt: new Date().toISOString() });

async function checkReceipt(code: string, signal: AbortSignal): Promise<Verdict> {
  // A truncated or changed link cannot be genuine: no request is needed.
  if (!z.safeParse(ReceiptCode, code).success) return notGenuine();
  try {
    return await callApi(`/api/verify/${code}`, ReceiptCheck, { signal });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 404)) return notGenuine();
    throw error;
  }
}

/** Whether a receipt is genuine. Polls while its transfer is in progress, for someone who is waiting for it. */
export function receiptCheckQuery(code: string, watchedSinceMs: number) {
  return queryOptions({
    queryKey: ['/api/verify', code],
    queryFn: ({ signal }) => checkReceipt(code, signal),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state: { data } }) =>
      data?.genuine && !isFinalStatus(data.receipt.status) ? pollDelayMs(Date.now() - watchedSinceMs) : false,
    meta: { silent: true },
  });
}
