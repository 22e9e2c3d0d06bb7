import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { formatPhone } from './phone.ts';

/** "M-PESA, +254 712 345 678", or "Equity Bank, •••• 6789": a bank account number is masked against onlookers. */
export function accountDetail({ mobileMoney, bank }: Pick<LinkedAccount, 'mobileMoney' | 'bank'>): string {
  if (mobileMoney) return `${mobileMoney.carrier}, ${formatPhone(mobileMoney.phoneNumber)}`;
  return bank ? `${bank.bankName}, ${maskAccount(bank.accountNumber)}` : '';
}

/** The end of a bank account's number. */
export const maskAccount = (number: string): string => `•••• ${number.slice(-4)}`;
