import type { QueryClient } from '@tanstack/react-query';
import { amountDigits, dropDecimals, toMinor } from '#shared/format/money.ts';
import { feeOf, type TransferDraft } from './transfer-draft.ts';
import { quoteQuery } from './transfers.api.ts';

/** A fee of one band takes a few quotes, one at the edge of two bands some more. */
const MAX_QUOTES = 16;

/**
 * The largest whole amount, as digits, that a balance pays together with its fee, which is on top of it and may depend on
 * it; a larger amount never has a smaller fee. "0" where there is none.
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

/** All that can be sent of a balance, as digits: all of it where no quote can be had, or no amount is left by the fee. */
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
