import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import * as z from 'zod/mini';

/** The part of a payout that its request and its callback both name, as pawaPay writes it. */
const Payout = z.object({
  amount: z.string(),
  currency: z.string(),
  recipient: z.object({ accountDetails: z.object({ phoneNumber: z.string() }) }),
});

/** What was to be paid, and to which number in international form; undefined if no call names both. */
export function payoutOfCalls(calls: readonly Pick<IntegrationLog, 'requestBody'>[]) {
  for (const { requestBody } of calls) {
    const payout = z.safeParse(Payout, requestBody).data;
    if (!payout) continue;
    const { amount, currency, recipient } = payout;
    return { amount, currency, phone: `+${recipient.accountDetails.phoneNumber}` };
  }
  return undefined;
}
