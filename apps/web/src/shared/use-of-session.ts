import { atom } from 'nanostores';

// A session lives on while somebody uses the app. Polls are no use: a request counts only if the person did something
// since the last one that counted.

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

// Opening the app is the first use.
let uses = 1;
let toldUses = 0;

/** Counts one thing that the person did. */
export function noteUse(): void {
  uses += 1;
}

let isAsking = false;

/** Call while the person is asked whether to stay: only the answer counts then. Returns the way to stop. */
export function askForUse(): () => void {
  isAsking = true;
  return () => {
    isAsking = false;
  };
}

function noteInput(): void {
  if (!isAsking) noteUse();
}

/** Counts what the person does from now on. Returns the way to stop. */
export function watchUse(): () => void {
  for (const name of INPUTS) window.addEventListener(name, noteInput, { capture: true, passive: true });
  return () => {
    for (const name of INPUTS) window.removeEventListener(name, noteInput, { capture: true });
  };
}

/**
 * Call when a request leaves. Undefined where it is a background one, else what to call once the server has answered.
 */
export function takeUse(): (() => void) | undefined {
  if (uses === toldUses) return undefined;
  const taken = uses;
  return () => {
    toldUses = Math.max(toldUses, taken);
  };
}

const ENDS_AT_KEY = 'vuka.session-ends-at';
/** Answers are some time on their way: less of a difference is none. */
const TOLERANCE_MS = 2_000;

/** When the session ends if nobody uses it, by this device's clock. Undefined until the server said so. */
export const sessionEndsAt = atom<number | undefined>(undefined);

/** Takes what an answer says of the session, for this tab and the others. */
export function learnSessionEnd(secondsLeft: number): void {
  const endsAtMs = Date.now() + secondsLeft * 1_000;
  if (Math.abs(endsAtMs - (sessionEndsAt.get() ?? 0)) < TOLERANCE_MS) return;
  sessionEndsAt.set(endsAtMs);
  localStorage.setItem(ENDS_AT_KEY, String(endsAtMs));
}

/** Follows what other tabs learn. Returns the way to stop. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent): void => {
    const endsAtMs = Number(event.newValue);
    if (event.key === ENDS_AT_KEY && endsAtMs > 0) sessionEndsAt.set(endsAtMs);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
