import type { Struck } from './bundle.ts';

/** A stretch of time by the proof's clock, ms. */
export interface Window {
  fromMs: number;
  toMs: number;
}

/** When faults of these kinds were in force, each extended by `graceMs`; overlapping windows are merged. Sorted. */
export function windowsOf(struck: readonly Struck[], isMeant: (kind: string) => boolean, graceMs: number): Window[] {
  const meant = struck
    .filter(({ kind }) => isMeant(kind))
    .map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) + graceMs }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const merged: Window[] = [];
  for (const window of meant) {
    const last = merged.at(-1);
    if (last && window.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, window.toMs);
    else merged.push(window);
  }
  return merged;
}

/** The first of the windows that overlaps the given one. */
export function meeting(windows: readonly Window[], { fromMs, toMs }: Window): Window | undefined {
  return windows.find((window) => window.fromMs <= toMs && window.toMs >= fromMs);
}

/**
 * Faults of the provider, of its processes and connections, and of the log of calls: none of these is asked for a price,
 * nor for a session or money by the services that price an order. Nor does a repeated message keep them apart.
 */
const BESIDE_OUR_SERVICES =
  /^(provider|messages)|payout-simulator|of the provider\b|^network (to the provider|of callbacks):|integration-log/;
/** Anything else can keep two of our services apart. */
export const separatesServices = (kind: string): boolean => !BESIDE_OUR_SERVICES.test(kind);

/** Of the services, only `transfers` uses prices, which it reads from `rates`; it does not need the broker for that. */
const BESIDE_PRICES = /\b(broker|gateway|identity|wallet|admin)\b/;
/** Can keep `transfers` from reading the prices in force. */
export const separatesPrices = (kind: string): boolean =>
  separatesServices(kind) && (!BESIDE_PRICES.test(kind) || /\b(transfers|rates|postgres)\b/.test(kind));
export const repeatsRequests = (kind: string): boolean =>
  separatesServices(kind) && /requests (again|twice)/.test(kind);
/** The largest step of a clock. Sessions may be idle for longer than this; otherwise a step would rightly end them. */
export const LONGEST_CLOCK_STEP_MS = 20 * 60_000;
export const setsClocks = (kind: string): boolean => /\bclocks?\b/.test(kind);
