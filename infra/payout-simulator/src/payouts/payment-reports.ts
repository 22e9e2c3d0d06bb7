import { createBatcher } from '@vuka/service-kit/batcher';
import type { Db } from '#db/schema.ts';

const REPORTED_AT_ONCE = 500;
const TIMEOUT_MS = 10_000;

/** Reports each payment at least once, under the reference that it got in its commit. */
export interface PaymentReports {
  /** Resolves when every payment that was committed before the call is recorded. Throws if that fails. */
  send(): Promise<undefined>;
}

export function createPaymentReports(db: Db, url: string): PaymentReports {
  const sending = createBatcher<undefined, undefined>({
    async run(all) {
      while (await sendSome(db, url));
      return all.map(() => undefined);
    },
  });
  return { send: () => sending.submit(undefined) };
}

/** Whether there was something to send. */
async function sendSome(db: Db, url: string): Promise<boolean> {
  const payments = await db.selectFrom('payment_reports').selectAll().limit(REPORTED_AT_ONCE).execute();
  if (payments.length === 0) return false;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      payments.map(({ reference, id, msisdn, amount, currency, paid_at }) => ({
        reference,
        id,
        msisdn,
        amount,
        currency,
        paidAt: paid_at.toISOString(),
      })),
    ),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the record of payments answers ${response.status}`);
  const references = payments.map(({ reference }) => reference);
  await db.deleteFrom('payment_reports').where('reference', 'in', references).execute();
  return true;
}
