import { RatesUpdate } from '@vuka/contracts/http/rates';
import { inverseSellRate, sellRate } from '@vuka/money';
import * as z from 'zod/mini';

export interface RateInput {
  buyRate: string;
  markup: string;
}

/**
 * The problem with the two fields, and in which: not a number, or a markup outside 0 to 100. Undefined when both are
 * valid.
 */
export function rateProblem(input: RateInput): { kind: 'input' | 'markup'; field: keyof RateInput } | undefined {
  const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
  if (!isNumber(input.buyRate)) return { kind: 'input', field: 'buyRate' };
  if (!isNumber(input.markup)) return { kind: 'input', field: 'markup' };
  if (Number(input.markup) < 0 || Number(input.markup) > 100) return { kind: 'markup', field: 'markup' };
  const parsed = z.safeParse(RatesUpdate, input);
  if (parsed.success) return undefined;
  return { kind: 'input', field: parsed.error.issues[0]?.path[0] === 'markup' ? 'markup' : 'buyRate' };
}

/** Both directions' rates as the server will set them, or undefined while a field is invalid. */
export function previewRates(input: RateInput): { kesToTzs: number; tzsToKes: number } | undefined {
  if (rateProblem(input)) return undefined;
  const buyRate = input.buyRate.trim();
  const markup = input.markup.trim();
  return { kesToTzs: Number(sellRate(buyRate, markup)), tzsToKes: Number(inverseSellRate(buyRate, markup)) };
}

/** The largest change, in percent, that needs no confirmation. */
export const SMALL_CHANGE_PERCENT = 10;

interface RatePair {
  buyRate: number;
  sellRate: number;
}

/** By how many percent the buy rate or the sell rate changes, whichever changes more. */
export function changePercent(from: RatePair, to: RatePair): number {
  const change = (before: number, after: number): number =>
    before === 0 ? 0 : (Math.abs(after - before) / before) * 100;
  return Math.max(change(from.buyRate, to.buyRate), change(from.sellRate, to.sellRate));
}

/** The change relative to the previous value: "+66.7%". */
export function signedPercent(before: number, after: number): string {
  if (before === 0) return after === 0 ? '0.0%' : '+∞%';
  const percent = ((after - before) / before) * 100;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)}%`;
}

/** (buy - sell) / buy in percent: "2.00%" */
export function profitMargin({ buyRate, sellRate: sell }: RatePair): string {
  return buyRate > 0 ? `${(((buyRate - sell) / buyRate) * 100).toFixed(2)}%` : '0.00%';
}
