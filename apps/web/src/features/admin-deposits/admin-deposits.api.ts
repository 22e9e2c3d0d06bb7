import { queryOptions } from '@tanstack/react-query';
import { LargeCreditAnswer } from '@vuka/contracts/http/credits';
import { AdminDepositResult, AdminDeposits } from '@vuka/contracts/http/deposits';
import * as z from 'zod/mini';
import { Amount, Text } from '#shared/api/fields.ts';
import { callApi } from '#shared/api-client.ts';
import { submitOnce } from '#shared/submission-key.ts';

const DepositList = z.object({
  deposits: z.array(z.extend(AdminDeposits.shape.deposits.def.element, { id: Text, created_at: Text, amount: Amount })),
});
export type AdminDeposit = z.infer<typeof DepositList>['deposits'][number];

export function adminDepositsQuery() {
  return queryOptions({
    queryKey: ['/api/admin/deposits'],
    queryFn: async ({ signal }) => (await callApi('/api/admin/deposits', DepositList, { signal })).deposits,
    staleTime: 60_000,
    refetchOnMount: true,
  });
}

/** Completed at once, or, above the limit, waiting for another administrator. */
const Answer = z.union([AdminDepositResult, LargeCreditAnswer]);

/**
 * One deposit, however often it is sent before its outcome is known. Its key is derived from everything but the PIN.
 */
export function makeDeposit({ pin, ...deposit }: Record<'amount' | 'currency' | 'reason' | 'pin', string>) {
  return submitOnce('deposit', deposit, (idempotencyKey) =>
    callApi('/api/admin/deposit', Answer, { method: 'POST', body: { ...deposit, pin }, idempotencyKey }),
  );
}
