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

/** What the person gave: the server has checked it. */
type Given = { pin: string } | { isFactor: true };

let settleAll: ((outcome: Given | { failure: (refusal: ApiError) => unknown }) => void)[] = [];

function ask(refusal: ApiError): Promise<Given> {
  PIN_QUESTION.set({ refusals: [...(PIN_QUESTION.get()?.refusals ?? []), refusal] });
  return new Promise((resolve, reject) => {
    settleAll.push((outcome) => ('failure' in outcome ? reject(outcome.failure(refusal)) : resolve(outcome)));
  });
}

function settle(outcome: Parameters<(typeof settleAll)[number]>[0]): void {
  const waiting = settleAll;
  settleAll = [];
  PIN_QUESTION.set(undefined);
  for (const settleOne of waiting) settleOne(outcome);
}

/**
 * Repeats a call that was refused for lack of a PIN or second factor, with the same key and body, once it was given. A
 * call that needs both is refused twice.
 */
async function repeatConfirmed(failure: unknown, path: string, options: RequestOptions): Promise<RawAnswer> {
  if (!isPinNeeded(failure)) throw failure;
  const given = await ask(failure);
  const again = (): Promise<RawAnswer> =>
    sendOnce(path, options).catch((next: unknown) => repeatConfirmed(next, path, options));
  if (!('pin' in given)) return again();
  const withPin = { ...options, body: { ...(options.body as object | undefined), pin: given.pin } };
  const repeatWithPin = (): Promise<RawAnswer> =>
    sendOnce(path, withPin).catch((next: unknown) => repeatConfirmed(next, path, withPin));
  if (failure.code === 'pin_required') return repeatWithPin();
  return sendOnce(path, options).catch((next: unknown) =>
    // Without a second administrator one call can be refused twice, but its PIN is asked for once.
    next instanceof ApiError && next.code === 'pin_required' ? repeatWithPin() : repeatConfirmed(next, path, options),
  );
}

/** Until the returned function is called, calls that need a PIN or a second factor ask for it through `PIN_QUESTION`. */
export function startAskingForPin(): () => void {
  retryFailures(repeatConfirmed);
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

/** The server has accepted the second factor: repeats the waiting calls. */
export function factorGiven(): void {
  settle({ isFactor: true });
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
