import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';

type Calls = readonly Pick<IntegrationLog, 'operation' | 'requestBody' | 'responseBody'>[];

/**
 * How the provider says that a payout ended, by its calls and callbacks, in any order. The first request may be refused
 * and a later one paid, so a payment outweighs a refusal.
 */
export function payoutOutcome(calls: Calls): 'paid' | 'notPaid' | 'underWay' {
  const statuses = calls.map(statusOf);
  if (statuses.includes('COMPLETED')) return 'paid';
  return statuses.some((status) => status === 'FAILED' || status === 'REJECTED') ? 'notPaid' : 'underWay';
}

/** A callback reports in its own body, an inquiry in the `data` of the answer, a request in the answer. */
function statusOf({ operation, requestBody, responseBody }: Calls[number]): unknown {
  if (operation.endsWith('.callback')) return fieldOf(requestBody, 'status');
  return fieldOf(fieldOf(responseBody, 'data') ?? responseBody, 'status');
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}
