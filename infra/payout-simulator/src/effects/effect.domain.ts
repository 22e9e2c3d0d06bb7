/** Every effect, by the stage that it affects. The parameters are in the README. */
export const EFFECTS = {
  /** The request is answered late. */
  latency: 'exchange',
  /** The request is accepted, but its answer is wrong or missing. */
  timeout_paid: 'exchange',
  http_500_paid: 'exchange',
  reset_after: 'exchange',
  truncated_json: 'exchange',
  callback_before_response: 'exchange',
  /** The request is not accepted. */
  timeout_lost: 'exchange',
  http_500_lost: 'exchange',
  reset_before: 'exchange',
  html_503: 'exchange',
  http_429: 'exchange',
  http_error: 'exchange',
  /** The request is finally rejected. */
  closed: 'payout',
  reject: 'payout',
  /** The first request is accepted, and its repeats are rejected. */
  closed_to_repeats: 'repeat',
  /** The course of the payout. */
  float_exhausted: 'payout',
  fail: 'payout',
  unknown_code: 'payout',
  in_reconciliation: 'payout',
  enqueued: 'payout',
  settle_late: 'payout',
  stays_open: 'payout',
  /** The reports about the payout. */
  callback_lost: 'payout',
  callback_duplicated: 'payout',
  callback_late: 'payout',
  completed_then_failed: 'payout',
  forged_signature: 'payout',
  unknown_key: 'payout',
  bad_digest: 'payout',
  expired_signature: 'payout',
  wrong_host: 'payout',
  unsigned: 'payout',
  of_another_customer: 'payout',
  raw_signature: 'payout',
  wrong_amount: 'payout',
  wrong_currency: 'payout',
  wrong_msisdn: 'payout',
  wrong_id: 'payout',
  amount_format: 'payout',
  not_found_first: 'payout',
  status_down: 'payout',
  unknown_status: 'payout',
} as const;

export type EffectName = keyof typeof EFFECTS;
type EffectParams = Record<string, string | number | boolean>;

export interface Effect {
  name: EffectName;
  params: EffectParams;
}

export function findEffect(effects: readonly Effect[], name: EffectName): Effect | undefined {
  return effects.find((effect) => effect.name === name);
}

/** A numeric parameter. */
export function numberOf(effect: Effect | undefined, param: string, fallback: number): number {
  const value = effect?.params[param];
  return typeof value === 'number' ? value : fallback;
}

/** A text parameter. */
export function textOf(effect: Effect | undefined, param: string, fallback: string): string {
  const value = effect?.params[param];
  return typeof value === 'string' ? value : fallback;
}
