import { type Effect, findEffect, numberOf, textOf } from './effect.domain.ts';

/** One change of a payout's status, this long after the previous one. */
export interface Step {
  status: string;
  afterMs: number;
  failureCode?: string;
  /** For a final status: the delay of its callback; undefined for no callback. */
  callbackInMs?: number;
}

/** How long a callback is reserved for the process that is sending it, ms. */
export const CALLBACK_LEASE_MS = 30_000;
const LATE_MS = 16 * 60_000;

const SANDBOX_NUMBER = /^(?:254703456|255763456|255683456|255713456|255623456)(\d{3})$/;
const FAILING_SUFFIXES: Readonly<Record<string, string>> = {
  '089': 'RECIPIENT_NOT_FOUND',
  '099': 'WALLET_LIMIT_REACHED',
  '109': 'RECIPIENT_LIMIT_REACHED',
  '119': 'UNSPECIFIED_FAILURE',
};
const SILENT_SUFFIX = '129';
const MINUTE_MS = 60_000;

export interface PlanInput {
  msisdn: string;
  effects: readonly Effect[];
  delayMs: number;
  isDelayed: boolean;
}

/** The steps of an accepted payout. The sandbox's numbers have their documented outcomes, all others are paid. */
export function planOf({ msisdn, effects, delayMs, isDelayed }: PlanInput): Step[] {
  const suffix = SANDBOX_NUMBER.exec(msisdn)?.[1] ?? '';
  if (suffix === SILENT_SUFFIX || findEffect(effects, 'stays_open'))
    return [{ status: 'PROCESSING', afterMs: delayMs }];
  const end = { ...finalStep(effects, FAILING_SUFFIXES[suffix]), ...firstCallback(effects) };
  const reconciliation = findEffect(effects, 'in_reconciliation');
  if (reconciliation) {
    return [
      { status: 'IN_RECONCILIATION', afterMs: delayMs },
      { ...end, afterMs: numberOf(reconciliation, 'ms', MINUTE_MS) },
    ];
  }
  const enqueued = findEffect(effects, 'enqueued');
  if (enqueued || isDelayed) {
    return [
      { status: 'ENQUEUED', afterMs: 0 },
      { ...end, afterMs: numberOf(enqueued, 'ms', MINUTE_MS) },
    ];
  }
  if (findEffect(effects, 'callback_before_response')) return [{ ...end, afterMs: 0 }];
  return [{ ...end, afterMs: numberOf(findEffect(effects, 'settle_late'), 'ms', delayMs) }];
}

function finalStep(effects: readonly Effect[], sandboxFailure: string | undefined): Omit<Step, 'afterMs'> {
  const fails = findEffect(effects, 'fail');
  if (fails) return failed(textOf(fails, 'code', 'UNSPECIFIED_FAILURE'));
  if (findEffect(effects, 'unknown_code')) return failed('LUNAR_ECLIPSE');
  // With `at: accept` the payout is rejected at acceptance and never gets a plan.
  if (findEffect(effects, 'float_exhausted')) return failed('PAWAPAY_WALLET_OUT_OF_FUNDS');
  if (textOf(findEffect(effects, 'in_reconciliation'), 'ends', 'COMPLETED') === 'FAILED') {
    return failed('UNSPECIFIED_FAILURE');
  }
  return sandboxFailure ? failed(sandboxFailure) : { status: 'COMPLETED' };
}

function firstCallback(effects: readonly Effect[]): Pick<Step, 'callbackInMs'> {
  if (findEffect(effects, 'callback_lost')) return {};
  const late = findEffect(effects, 'callback_late');
  // A callback that is not late is leased to the sender, which sends it right after the commit.
  return { callbackInMs: late ? numberOf(late, 'ms', LATE_MS) : CALLBACK_LEASE_MS };
}

function failed(failureCode: string): Omit<Step, 'afterMs'> {
  return { status: 'FAILED', failureCode };
}

export function isFinal(status: string): boolean {
  return status === 'COMPLETED' || status === 'FAILED';
}
