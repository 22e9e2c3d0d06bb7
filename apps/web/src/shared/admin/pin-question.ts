import { atom } from 'nanostores';
import {
  ApiError,
  NetworkError,
  type RawAnswer,
  type RequestOptions,
  retryFailures,
  sendOnce,
} from '#shared/api-client.ts';
import { isPinNeeded } from './failure-text.ts';

interface PinQuestion {
  /** The refusals of the calls that wait, the first one first. */
  refusals: readonly ApiError[];
}

/** The question on screen. However many calls are refused meanwhile, there is one. */
export const PIN_QUESTION = atom<PinQuestion | undefined>(undefined);

let settleAll: ((outcome: { pin: string } | { failure: (refusal: ApiError) => unknown }) => void)[] = [];

function askForPin(refusal: ApiError): Promise<string> {
  PIN_QUESTION.set({ refusals: [...(PIN_QUESTION.get()?.refusals ?? []), refusal] });
  return new Promise((resolve, reject) => {
    settleAll.push((outcome) => ('pin' in outcome ? resolve(outcome.pin) : reject(outcome.failure(refusal))));
  });
}

function settle(outcome: Parameters<(typeof settleAll)[number]>[0]): void {
  const waiting = settleAll;
  settleAll = [];
  PIN_QUESTION.set(undefined);
  for (const settleOne of waiting) settleOne(outcome);
}

/** Repeats a call that was refused for want of a PIN, under its key and with its body, once the PIN was right. */
async function repeatWithPin(failure: unknown, path: string, options: RequestOptions): Promise<RawAnswer> {
  if (!isPinNeeded(failure)) throw failure;
  const pin = await askForPin(failure);
  const withPin = { ...options, body: { ...(options.body as object | undefined), pin } };
  if (failure.code === 'pin_required') return sendOnce(path, withPin);
  return sendOnce(path, options).catch((next: unknown) =>
    // An administrator without a second one is not asked twice for one call.
    next instanceof ApiError && next.code === 'pin_required'
      ? sendOnce(path, withPin)
      : repeatWithPin(next, path, options),
  );
}

/** From now on calls that need a PIN ask for it by `PIN_QUESTION`, until the function that this returns is called. */
export function startAskingForPin(): () => void {
  retryFailures(repeatWithPin);
  return () => {
    retryFailures();
    cancelPin();
  };
}

/** Gives the PIN to the server, and then to the calls that wait. Throws what the server says of it. */
export async function givePin(pin: string): Promise<void> {
  await sendOnce('/api/admin/step-up', { method: 'POST', body: { pin } });
  settle({ pin });
}

/** The calls that wait fail as they did at first, which `showFailure` says nothing about. */
export function cancelPin(): void {
  settle({ failure: (refusal) => refusal });
}

/** The calls that wait fail with what stands against the PIN, such as too many wrong ones. */
export function refusePin(failure: unknown): void {
  settle({ failure: () => failure });
}

/** Whether the same person can put it right in the same dialog. */
export function canTryPinAgain(failure: unknown): boolean {
  if (failure instanceof NetworkError) return true;
  if (!(failure instanceof ApiError)) return false;
  return failure.status >= 500 || ['invalid_pin', 'validation_failed', 'rate_limited'].includes(failure.code ?? '');
}
