import { amountDigits, dropDecimals, toMinor } from '#shared/format/money.ts';

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
 * As `largestAmount`, for a form: all of the balance's whole units if the fee cannot be asked for, or leaves nothing. The
 * form then says what is wrong with the amount.
 */
export async function amountOfAll(balance: string, askFee: (digits: string) => Promise<string>): Promise<string> {
  const whole = amountDigits(dropDecimals(balance));
  const largest = await largestAmount(balance, askFee).catch(() => whole);
  return largest === '0' ? whole : largest;
}
