import { randomUUID } from 'node:crypto';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { RATED } from '@vuka/money/directions';
import { uuidv7 } from '@vuka/service-kit/ids';

/** Sample calls that were never made, marked by the provider `test` and a transfer id that starts with `TEST-`. */
export function testLogs(now: Date): IntegrationLog[] {
  const transactionId = `TEST-${randomUUID()}`;
  const moneyTransferId = `TEST-${randomUUID()}`;
  const calls: Pick<
    IntegrationLog,
    'operation' | 'requestMethod' | 'requestBody' | 'responseBody' | 'responseStatus'
  >[] = [
    {
      operation: 'payout.initiate',
      requestMethod: 'POST',
      requestBody: { test: true, payoutId: moneyTransferId, amount: '1500', currency: RATED.target },
      responseBody: { test: true, payoutId: moneyTransferId, status: 'ACCEPTED' },
      responseStatus: 200,
    },
    {
      operation: 'payout.status',
      requestMethod: 'GET',
      requestBody: null,
      responseBody: { test: true, failureReason: { failureCode: 'UNKNOWN_ERROR' } },
      responseStatus: 500,
    },
    {
      operation: 'payout.callback',
      requestMethod: 'POST',
      requestBody: { test: true, payoutId: moneyTransferId, status: 'COMPLETED' },
      responseBody: null,
      responseStatus: 200,
    },
  ];
  return calls.map((call, index) => {
    const at = new Date(now.getTime() + index);
    return {
      ...call,
      id: uuidv7(),
      transactionId,
      moneyTransferId,
      provider: 'test',
      url: `https://test.invalid/${call.operation}`,
      success: call.responseStatus === 200,
      timestamp: at.toISOString(),
    };
  });
}
