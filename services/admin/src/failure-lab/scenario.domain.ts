import type { SwitchOnFailure } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';

interface SimulatorEffect {
  effect: string;
  params?: Record<string, string | number | boolean>;
}

interface Recipe extends SimulatorEffect {
  and?: SimulatorEffect[];
  /** Extra options for a failure without an end, which then also affects repeats of a request. */
  withoutEnd?: Record<string, boolean>;
  /** Extra options for a failure of a number of payouts, which then lets a repeat of a request through. */
  withEnd?: Record<string, boolean>;
}

const UNTIL_SWITCHED_OFF = { withoutEnd: { always: true } };
const callbackLost: SimulatorEffect = { effect: 'callback_lost' };

/** The simulator's options for each scenario; scenarios that are not listed use the effect of the same name. */
const RECIPES: Partial<Record<FailureScenarioId, Recipe>> = {
  silence_after_payment: { effect: 'timeout_paid', and: [callbackLost] },
  timeout_lost: { effect: 'timeout_lost', ...UNTIL_SWITCHED_OFF },
  http_500_lost: { effect: 'http_500_lost', ...UNTIL_SWITCHED_OFF },
  reset_before: { effect: 'reset_before', ...UNTIL_SWITCHED_OFF },
  html_503: { effect: 'html_503', ...UNTIL_SWITCHED_OFF },
  http_429: { effect: 'http_429', ...UNTIL_SWITCHED_OFF },
  not_allowed: {
    effect: 'http_error',
    params: { status: 403, code: 'PAYOUTS_NOT_ALLOWED' },
    ...UNTIL_SWITCHED_OFF,
  },
  latency: { effect: 'latency', params: { ms: 5_000 } },
  reject: { effect: 'reject', params: { code: 'INVALID_PHONE_NUMBER' } },
  recipient_not_found: { effect: 'fail', params: { code: 'RECIPIENT_NOT_FOUND' } },
  recipient_full: { effect: 'fail', params: { code: 'WALLET_LIMIT_REACHED' } },
  float_at_accept: { effect: 'float_exhausted', params: { at: 'accept' }, withEnd: { once: true } },
  float_at_payment: { effect: 'float_exhausted' },
  settle_late: { effect: 'settle_late', params: { ms: 60_000 } },
  reconciliation_paid: { effect: 'in_reconciliation', params: { ms: 30_000 } },
  reconciliation_failed: { effect: 'in_reconciliation', params: { ms: 30_000, ends: 'FAILED' } },
  enqueued: { effect: 'enqueued', params: { ms: 30_000 } },
  callback_late: { effect: 'callback_late', params: { ms: 60_000 } },
  callback_duplicated: { effect: 'callback_duplicated', params: { times: 5 } },
  wrong_amount: { effect: 'wrong_amount', params: { amount: '1' } },
  not_found_first: { effect: 'not_found_first', params: { times: 2 }, and: [callbackLost] },
  status_down: { effect: 'status_down', params: { times: 3 }, and: [callbackLost] },
  unknown_status: { effect: 'unknown_status', params: { times: 2 } },
};

/** The order to the simulator that switches a scenario on; it replaces an earlier one of the same name. */
export function toSimulatorOrder(scenario: FailureScenarioId, { payouts, currency, phone }: SwitchOnFailure) {
  const { effect, params, and = [], withEnd, withoutEnd }: Recipe = RECIPES[scenario] ?? { effect: scenario };
  return {
    name: scenario,
    match: {
      ...(payouts === null ? { every: true } : { next: payouts }),
      ...(currency ? { currency } : {}),
      ...(phone ? { msisdn: phone.slice(1) } : {}),
    },
    effect,
    params: { ...params, ...(payouts === null ? withoutEnd : withEnd) },
    and,
  };
}
