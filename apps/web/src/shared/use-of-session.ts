import { atom } from 'nanostores';

// A session lasts while its user is active. Polls do not count as use: a request counts only if the user did something
// since the last request that counted.

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

// Opening the app is the first use.
let uses = 1;
let toldUses = 0;

/** Counts one action of the user. */
export function noteUse(): void {
  uses += 1;
}

let isAsking = false;

/**
 * Call while the user is asked whether to stay signed in: only the answer then counts. Returns the function that stops
 * it.
 */
export function askForUse(): () => void {
  isAsking = true;
  return () => {
    isAsking = false;
  };
}

function noteInput(): void {
  if (!isAsking) noteUse();
}

/** Counts the user's actions from now on. Returns the function that stops it. */
export function watchUse(): () => void {
  for (const name of INPUTS) window.addEventListener(name, noteInput, { capture: true, passive: true });
  return () => {
    for (const name of INPUTS) window.removeEventListener(name, noteInput, { capture: true });
  };
}

/**
 * Call when a request is sent. Undefined for a background request, else the function to call once the server has
 * answered.
 */
export function takeUse(): (() => void) | undefined {
  if (uses === toldUses) return undefined;
  const taken = uses;
  return () => {
    toldUses = Math.max(toldUses, taken);
  };
}

const ENDS_AT_KEY = 'vuka.session-ends-at';
/** Answers take time to arrive, so smaller differences are ignored. */
const TOLERANCE_MS = 2_000;

/** When the session ends without use, by this device's clock. Undefined until the server has said so. */
export const sessionEndsAt = atom<number | undefined>(undefined);

/** Stores the remaining session time from an answer, for this tab and the others. */
export function learnSessionEnd(secondsLeft: number): void {
  const endsAtMs = Date.now() + secondsLeft * 1_000;
  if (Math.abs(endsAtMs - (sessionEndsAt.get() ?? 0)) < TOLERANCE_MS) return;
  sessionEndsAt.set(endsAtMs);
  localStorage.setItem(ENDS_AT_KEY, String(endsAtMs));
}

/** Follows the values that other tabs store. Returns the function that stops it. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent): void => {
    const endsAtMs = Number(event.newValue);
    if (event.key === ENDS_AT_KEY && endsAtMs > 0) sessionEndsAt.set(endsAtMs);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
