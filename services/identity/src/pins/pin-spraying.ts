import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@vuka/service-kit/app-error';

/** Wrong on this many accounts within the window, a PIN is being tried on one after the other. */
const ACCOUNTS = 10;
const WINDOW_MS = 10 * 60_000;
const DELAY_MS = 2_000;
/** Sign-ins that may wait at once; more would fill the memory that they are meant to protect. */
const MAX_DELAYED = 50;

export interface SprayingWatch {
  /** Makes a sign-in wait while its PIN is being tried on many accounts. Throws rate_limited when too many wait. */
  slowDown(pin: string): Promise<void>;
  /** Counts a wrong PIN of an account, known or not. */
  wrong(pin: string, email: string): void;
}

interface Window {
  endsAtMs: number;
  accounts: Set<string>;
}

/**
 * Watches for one PIN that is tried on many accounts, from however many addresses: the lock of each account never sees
 * more than its one wrong attempt. Right and wrong PINs are slowed alike, so that waiting tells nothing. Each process
 * counts for itself, and neither PINs nor emails are kept in clear.
 */
export function createSprayingWatch(options: {
  now: () => Date;
  /** Once in each window of a PIN. It must not be told which PIN it is. */
  onSpraying: (facts: { accounts: number; windowMinutes: number }) => void;
  pause?: (ms: number) => Promise<unknown>;
}): SprayingWatch {
  const { now, onSpraying, pause = delay } = options;
  const key = randomBytes(32);
  const windows = new Map<string, Window>();
  let delayed = 0;

  const blind = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

  function openWindow(pin: string): Window | undefined {
    const window = windows.get(blind(pin));
    return window && window.endsAtMs > now().getTime() ? window : undefined;
  }

  return {
    async slowDown(pin) {
      if ((openWindow(pin)?.accounts.size ?? 0) < ACCOUNTS) return;
      if (delayed >= MAX_DELAYED)
        throw new AppError('rate_limited', 'Too many requests. Please wait a moment and try again.', {
          retryAfterSeconds: Math.ceil(DELAY_MS / 1_000),
        });
      delayed += 1;
      await pause(DELAY_MS).finally(() => {
        delayed -= 1;
      });
    },
    wrong(pin, email) {
      let window = openWindow(pin);
      if (!window) {
        window = { endsAtMs: now().getTime() + WINDOW_MS, accounts: new Set() };
        windows.set(blind(pin), window);
      }
      if (window.accounts.size >= ACCOUNTS) return;
      const before = window.accounts.size;
      window.accounts.add(blind(email.toLowerCase()));
      if (window.accounts.size === ACCOUNTS && before < ACCOUNTS)
        onSpraying({ accounts: ACCOUNTS, windowMinutes: WINDOW_MS / 60_000 });
    },
  };
}
