import type { QueryClient } from '@tanstack/react-query';
import { amountDigits, dropDecimals, toMinor } from '#shared/format/money.ts';
import { feeOf, type TransferDraft } from './transfer-draft.ts';
import { quoteQuery } from './transfers.api.ts';

/** A single fee band takes a few quotes; an amount at the edge of two bands takes more. */
const MAX_QUOTES = 16;

/**
 * The largest whole amount, as digits, that a balance can pay together with the fee on top of it. The fee may depend on
 * the amount, and never decreases as the amount grows. "0" where there is no such amount.
 */
export async function largestAmount(balance: string, askFee: (digits: string) => Promise<string>): Promise<string> {
  const available = toMinor(balance) ?? 0n;
  let fits = 0n;
  let tooMuch = available / 100n + 1n;
  let tried = tooMuch - 1n;
  for (let quotes = 0; quotes < MAX_QUOTES && tooMuch - fits > 1n; quotes++) {
    const room = (available - (toMinor(await askFee(String(tried))) ?? 0n)) / 100n;
    if (tried === room) return String(tried);
    if (tried < room) fits = tried;
    else tooMuch = tried;
    tried = room > fits && room < tooMuch ? room : (fits + tooMuch) / 2n;
  }
  return String(fits);
}

/**
 * The largest amount that a balance can send, as digits: all of it if no quote is available, or if the fee leaves
 * nothing.
 */
export async function allOf(
  client: QueryClient,
  direction: TransferDraft['direction'],
  balance: string,
): Promise<string> {
  const whole = amountDigits(dropDecimals(balance));
  const askFee = async (amount: string) => feeOf(await client.fetchQuery(quoteQuery({ direction, amount })));
  const largest = await largestAmount(balance, askFee).catch(() => whole);
  return largest === '0' ? whole : largest;
}
