import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';

// The contracts speak English; their sentences are looked up here to be shown in the reader's language.
const SENTENCES = {
  amountRequired: 'Amount is required',
  amountPositive: 'Amount must be greater than 0',
  amountWhole: 'Amount must be a whole number',
  amountNumber: 'Amount must be a number with at most 2 decimals',
  reasonRequired: 'Reason is required',
  reasonLong: 'Reason must be less than 500 characters',
  pinShort: 'PIN must be at least 4 digits',
  pinLong: 'PIN must be at most 6 digits',
  pinLength: 'PIN must be 4 digits',
  pinNumeric: 'PIN must be numeric',
  pinMismatch: 'PINs do not match',
  merchantId: 'Invalid merchant ID format',
  rateNumbers: 'Please enter valid numbers for both fields',
  markupRange: 'Markup percentage must be between 0 and 100',
  systemName: 'System name is required',
  systemNameLong: 'System name must be at most 60 characters',
  supportEmail: 'Invalid email address',
  attemptsRange: 'Max PIN attempts must be between 1 and 10',
  logoutRange: 'Auto logout must be between 5 and 120 minutes',
  limitWhole: 'Approval limit must be a whole number',
  feeMin: 'Minimum amount must be a number with at most 2 decimals',
  feeMax: 'Maximum amount must be empty, or a number with at most 2 decimals',
  feeOrder: 'Maximum amount must be greater than the minimum amount',
  feeFixed: 'Fixed fee must be a number with at most 2 decimals',
  feePercentage: 'Percentage fee must be between 0 and 100, with at most 4 decimals',
  reasonShort: 'Reason must be at least 3 characters',
  reasonTooLong: 'Reason must be less than 200 characters',
  referenceShort: 'Reference must be at least 3 characters',
  referenceLong: 'Reference must not exceed 50 characters',
} as const;

const MESSAGES = i18n('admin/form-errors', SENTENCES);
const KEY_OF = new Map(Object.entries(SENTENCES).map(([key, sentence]) => [sentence as string, key]));

/** Puts a contract's sentence into the language on screen; one that it does not know stays as it is. */
export function useErrorText(): (sentence: string | undefined) => string | undefined {
  const t: Record<string, string> = useStore(MESSAGES);
  return (sentence) => (sentence === undefined ? undefined : (t[KEY_OF.get(sentence) ?? ''] ?? sentence));
}
