import { reason } from '@vuka/contracts/texts/reason';
import { exceeds } from '#shared/format/money.ts';
import { beginsWithCountry } from '#shared/format/phone.ts';

// Errors are reasons: the component that shows one translates it.
export const AMOUNT_EXCEEDS = reason('insufficient_funds');

/** The fee is charged on top of the amount. */
export function amountError(amount: string, balance: string | undefined, fee?: string): string | undefined {
  if (amount === '') return reason('amount_missing');
  if (BigInt(amount) === 0n) return reason('amount_not_positive');
  return balance !== undefined && exceeds(amount, balance, fee) ? AMOUNT_EXCEEDS : undefined;
}

export function phoneError(phone: string): string | undefined {
  if (phone === '') return reason('phone_missing');
  return /^\d{9}$/.test(phone) && !beginsWithCountry(phone) ? undefined : reason('phone_invalid');
}

/** Whether a number can be saved: the form accepts a leading zero, the server does not. */
export function isSavable(phone: string): boolean {
  return phoneError(phone) === undefined && !phone.startsWith('0');
}

export function pinError(pin: string): string | undefined {
  if (pin === '') return reason('pin_missing');
  return /^\d{4}$/.test(pin) ? undefined : reason('pin_not_exact');
}
