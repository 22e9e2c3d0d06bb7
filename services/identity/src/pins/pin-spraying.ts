import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@vuka/service-kit/app-error';

/** A PIN that is wrong on this many accounts within the window is being sprayed. */
const ACCOUNTS = 10;
const WINDOW_MS = 10 * 60_000;
const DELAY_MS = 2_000;
/** The most sign-ins delayed at once; more would exhaust memory. */
const MAX_DELAYED = 50;

export interface SprayingWatch {
  /** Delays a sign-in whose PIN is being tried on many accounts. Throws rate_limited when too many are delayed. */
  slowDown(pin: string): Promise<void>;
  /** Counts a wrong PIN for an account, known or unknown. */
  wrong(pin: string, email: string): void;
}

interface Window {
  endsAtMs: number;
  accounts: Set<string>;
}

/**
 * Detects one PIN tried on many accounts, from any number of addresses: each account's own lock sees only one wrong
 * attempt. Right and wrong PINs are delayed alike, so that the delay reveals nothing. Each process counts separately,
 * and neither PINs nor emails are kept in clear text.
 */
export function createSprayingWatch(options: {
  /** A clock that never goes back. */
  nowMs?: () => number;
  /** Called once per PIN and window. It must not learn the PIN. */
  onSpraying: (facts: { accounts: number; windowMinutes: number }) => void;
  pause?: (ms: number) => Promise<unknown>;
}): SprayingWatch {
  const { nowMs = () => performance.now(), onSpraying, pause = delay } = options;
  const key = randomBytes(32);
  const windows = new Map<string, Window>();
  let delayed = 0;

  const blind = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

  function openWindow(pin: string): Window | undefined {
    const window = windows.get(blind(pin));
    return window && window.endsAtMs > nowMs() ? window : undefined;
  }

  return {
    async slowDown(pin) {
      if ((openWindow(pin)?.accounts.size ?? 0) < ACCOUNTS) return;
      if (delayed >= MAX_DELAYED)
        throw new AppError('rate_limited', {
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
        window = { endsAtMs: nowMs() + WINDOW_MS, accounts: new Set() };
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
