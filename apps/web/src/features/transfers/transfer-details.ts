import { exceeds } from '#shared/format/money.ts';
import type { TransferDetails } from './transfer-draft.ts';

const TEXT = {
  amountRequired: 'Amount is required',
  amountPositive: 'Amount must be greater than 0',
  amountExceeds: 'Amount exceeds available balance',
  phoneRequired: 'Phone number is required',
  phoneInvalid: 'Please enter a valid 9-digit phone number without leading zero',
  pinRequired: 'Please enter your 4-digit PIN',
  pinInvalid: 'PIN must be exactly 4 numeric digits',
} as const;

export function amountError(amount: string, balance: string | undefined): string | undefined {
  if (amount === '') return TEXT.amountRequired;
  if (BigInt(amount) === 0n) return TEXT.amountPositive;
  return balance !== undefined && exceeds(amount, balance) ? TEXT.amountExceeds : undefined;
}

export function phoneError(phone: string): string | undefined {
  if (phone === '') return TEXT.phoneRequired;
  return /^[1-9]\d{8}$/.test(phone) ? undefined : TEXT.phoneInvalid;
}

export function pinError(pin: string): string | undefined {
  if (pin === '') return TEXT.pinRequired;
  return /^\d{4}$/.test(pin) ? undefined : TEXT.pinInvalid;
}

export function currenciesOf(direction: TransferDetails['direction']) {
  return direction === 'KES_TO_TZS'
    ? ({ source: 'KES', target: 'TZS' } as const)
    : ({ source: 'TZS', target: 'KES' } as const);
}

export function reverse(direction: TransferDetails['direction']): TransferDetails['direction'] {
  return direction === 'KES_TO_TZS' ? 'TZS_TO_KES' : 'KES_TO_TZS';
}
