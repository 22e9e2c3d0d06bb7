import { exceeds } from '#shared/format/money.ts';
import { beginsWithCountry } from '#shared/format/phone.ts';

// In English, like the contracts' sentences: the component that shows one translates it.
export const AMOUNT_EXCEEDS = 'Amount exceeds available balance';

const SENTENCE = {
  amountRequired: 'Amount is required',
  amountPositive: 'Amount must be greater than 0',
  phoneRequired: 'Phone number is required',
  phoneInvalid: 'Please enter a valid 9-digit phone number without leading zero',
  pinRequired: 'Please enter your 4-digit PIN',
  pinInvalid: 'PIN must be exactly 4 numeric digits',
} as const;

/** The fee is charged on top of the amount. */
export function amountError(amount: string, balance: string | undefined, fee?: string): string | undefined {
  if (amount === '') return SENTENCE.amountRequired;
  if (BigInt(amount) === 0n) return SENTENCE.amountPositive;
  return balance !== undefined && exceeds(amount, balance, fee) ? AMOUNT_EXCEEDS : undefined;
}

export function phoneError(phone: string): string | undefined {
  if (phone === '') return SENTENCE.phoneRequired;
  return /^\d{9}$/.test(phone) && !beginsWithCountry(phone) ? undefined : SENTENCE.phoneInvalid;
}

/** Whether a number can be saved: the form accepts a leading zero, the server does not. */
export function isSavable(phone: string): boolean {
  return phoneError(phone) === undefined && !phone.startsWith('0');
}

export function pinError(pin: string): string | undefined {
  if (pin === '') return SENTENCE.pinRequired;
  return /^\d{4}$/.test(pin) ? undefined : SENTENCE.pinInvalid;
}
