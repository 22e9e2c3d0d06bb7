import { setTimeout as delay } from 'node:timers/promises';
import type { Inject, Installation } from './installation.ts';
import { onceAvailable } from './once-available.ts';
import { orUnavailable, query, queryIds } from './postgres-node.ts';
import { lengthOf } from './random.ts';

interface ProviderFault {
  effect: string;
  params?: Record<string, unknown>;
  /** Further effects on the same payouts. */
  and?: { effect: string; params?: Record<string, unknown> }[];
}

/** Failures of a provider, in terms of the simulator's control API. Each of them ends. */
const EFFECTS: Record<string, ProviderFault> = {
  'slow answer': { effect: 'latency', params: { ms: 2_000 } },
  'timeout, paid': { effect: 'timeout_paid' },
  'timeout, lost': { effect: 'timeout_lost' },
  '500, paid': { effect: 'http_500_paid' },
  '500, lost': { effect: 'http_500_lost' },
  'reset before': { effect: 'reset_before' },
  'reset after': { effect: 'reset_after' },
  'truncated answer': { effect: 'truncated_json' },
  '503 as HTML': { effect: 'html_503' },
  'too many requests': { effect: 'http_429' },
  'callback before the answer': { effect: 'callback_before_response' },
  rejected: { effect: 'reject', params: { code: 'RECIPIENT_NOT_FOUND' } },
  'network closed': { effect: 'closed' },
  // Long enough for the request to be sent again after the proof's grace time, and shorter than twice that time:
  // after it, a payout that the provider does not know counts as never accepted.
  'closed between two requests': {
    effect: 'http_500_paid',
    and: [
      { effect: 'not_found_first', params: { ms: 5_900 } },
      { effect: 'callback_lost' },
      { effect: 'closed_to_repeats' },
    ],
  },
  'failed later': { effect: 'fail', params: { code: 'RECIPIENT_NOT_FOUND' } },
  'float exhausted': { effect: 'float_exhausted' },
  'settled late': { effect: 'settle_late', params: { ms: 4_000 } },
  'in reconciliation, then paid': { effect: 'in_reconciliation', params: { ms: 3_000 } },
  'in reconciliation, then failed': { effect: 'in_reconciliation', params: { ms: 3_000, ends: 'FAILED' } },
  enqueued: { effect: 'enqueued', params: { ms: 3_000 } },
  'callback lost': { effect: 'callback_lost' },
  'callback late': { effect: 'callback_late', params: { ms: 5_000 } },
  'callback repeated': { effect: 'callback_duplicated', params: { times: 4 } },
  'completed, then failed': { effect: 'completed_then_failed' },
  // The forged callback reports a payment that was not made: a product that believes it keeps the money. One that reports a
  // failure would only have the provider asked.
  'forged signature': {
    effect: 'forged_signature',
    params: { attempts: 2, says: 'COMPLETED' },
    and: [{ effect: 'fail', params: { code: 'RECIPIENT_NOT_FOUND' } }],
  },
  'unsigned callback': {
    effect: 'unsigned',
    params: { attempts: 2, says: 'COMPLETED' },
    and: [{ effect: 'fail', params: { code: 'RECIPIENT_NOT_FOUND' } }],
  },
  // A product that believes it returns the money of a payment that was made.
  'callback of another customer': { effect: 'of_another_customer', params: { says: 'FAILED' } },
  'wrong amount': { effect: 'wrong_amount', params: { amount: '1' } },
  'wrong number': { effect: 'wrong_msisdn' },
  'other way to write the amount': { effect: 'amount_format' },
  'not found at first': { effect: 'not_found_first' },
  'inquiries down': { effect: 'status_down', params: { times: 2 } },
  'unknown status': { effect: 'unknown_status', params: { times: 2, attempts: 2 } },
};

/** Adds a scenario for the next few payouts; returns its id. */
async function addScenario(
  broken: Installation,
  draw: number,
  { kind, fault }: { kind: string; fault: ProviderFault },
): Promise<string> {
  let id = '';
  await onceAvailable(broken, `the simulator to accept "${kind}"`, async () => {
    const response = await fetch(`http://127.0.0.1:${broken.provider.port}/sim/scenarios`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { next: lengthOf(draw, 2, 8) }, ...fault }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    ({ id } = (await response.json()) as { id: string });
  });
  return id;
}

function letFail(kind: string, fault: ProviderFault): Inject {
  return async (broken, draw) => {
    await addScenario(broken, draw, { kind, fault });
    return null;
  };
}

const ACCEPTED_THEN_NOT_FOUND = 'accepted and then not found';
/**
 * Longer than the 46 s in which a product that trusted a denial would have asked, sent the payout again, been refused,
 * asked again, and returned the money.
 */
const DENIED_MS = 58_000;
const DENIAL = JSON.stringify([{ name: 'not_found_first', params: { ms: DENIED_MS } }]);
/** Payouts that arrive later are not denied. */
const WATCHED_MS = 4_000;
/** The product first asks a second after the acceptance. */
const LOOK_EVERY_MS = 200;

/**
 * The provider accepts payouts, loses their callbacks, refuses their repeats, and for nearly a minute of their life
 * says that it does not know them. It denies only payouts whose acceptance our books have: one whose answer was lost
 * rightly counts as never accepted if the provider does not know it for that long.
 */
const denyAccepted: Inject = async (broken, draw) => {
  const fault = { effect: 'callback_lost', and: [{ effect: 'closed_to_repeats' }] };
  const scenario = await addScenario(broken, draw, { kind: ACCEPTED_THEN_NOT_FOUND, fault });
  for (const endMs = Date.now() + WATCHED_MS; Date.now() < endMs; await delay(LOOK_EVERY_MS)) {
    // A server that another fault has stopped is asked again.
    await denyAcknowledged(broken, scenario).catch(orUnavailable(undefined));
  }
  return null;
};

const TAKEN = `
  select id from payouts
  where created_at > now() - interval '1 minute' and effects @> $1::jsonb and not effects @> $2::jsonb`;
const ACKNOWLEDGED = 'select id from money_transfers where is_acknowledged and id = any($1::uuid[])';
const DENY = 'update payouts set effects = $2::jsonb || effects where id = any($1::uuid[])';

async function denyAcknowledged({ provider, transfersDatabaseUrl }: Installation, scenarioId: string): Promise<void> {
  const { directUrl } = provider.postgres;
  const taken = await queryIds(directUrl, TAKEN, [JSON.stringify([{ scenarioId }]), DENIAL]);
  if (taken.length === 0) return;
  const acknowledged = await queryIds(transfersDatabaseUrl, ACKNOWLEDGED, [taken]);
  if (acknowledged.length > 0) await query(directUrl, DENY, [acknowledged, DENIAL]);
}

/** The fault after which transfers end up to a minute later, and which needs books that note what was acknowledged. */
export const DENIED_LATER = `provider: ${ACCEPTED_THEN_NOT_FOUND}`;

/** Each applies to the next few payouts. */
export const PROVIDER_FAULTS: Record<string, Inject> = {
  ...Object.fromEntries(Object.entries(EFFECTS).map(([kind, fault]) => [`provider: ${kind}`, letFail(kind, fault)])),
  [DENIED_LATER]: denyAccepted,
};
