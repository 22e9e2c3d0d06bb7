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
  /** The refusals of the waiting calls, in order. */
  refusals: readonly ApiError[];
}

/** The question on screen. There is one, however many calls are refused meanwhile. */
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

/** Repeats a call that was refused for lack of a PIN, with the same key and body, once the PIN was right. */
async function repeatWithPin(failure: unknown, path: string, options: RequestOptions): Promise<RawAnswer> {
  if (!isPinNeeded(failure)) throw failure;
  const pin = await askForPin(failure);
  const withPin = { ...options, body: { ...(options.body as object | undefined), pin } };
  if (failure.code === 'pin_required') return sendOnce(path, withPin);
  return sendOnce(path, options).catch((next: unknown) =>
    // Without a second administrator one call can be refused twice, but its PIN is asked for once.
    next instanceof ApiError && next.code === 'pin_required'
      ? sendOnce(path, withPin)
      : repeatWithPin(next, path, options),
  );
}

/** Until the returned function is called, calls that need a PIN ask for it through `PIN_QUESTION`. */
export function startAskingForPin(): () => void {
  retryFailures(repeatWithPin);
  return () => {
    retryFailures();
    cancelPin();
  };
}

/** Sends the PIN to the server, and then repeats the waiting calls. Throws the server's refusal. */
export async function givePin(pin: string): Promise<void> {
  await sendOnce('/api/admin/step-up', { method: 'POST', body: { pin } });
  settle({ pin });
}

/** Fails the waiting calls with their original error, for which `showFailure` shows nothing. */
export function cancelPin(): void {
  settle({ failure: (refusal) => refusal });
}

/** Fails the waiting calls with the reason why the PIN was refused, such as too many wrong ones. */
export function refusePin(failure: unknown): void {
  settle({ failure: () => failure });
}

/** Whether the same person can correct the PIN in the same dialog. */
export function canTryPinAgain(failure: unknown): boolean {
  if (failure instanceof NetworkError) return true;
  if (!(failure instanceof ApiError)) return false;
  return failure.status >= 500 || ['invalid_pin', 'validation_failed', 'rate_limited'].includes(failure.code ?? '');
}
