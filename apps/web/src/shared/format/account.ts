import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { formatPhone } from './phone.ts';

/**
 * "M-PESA, +254 712 345 678", or "Equity Bank, •••• 6789": nobody has to read a whole account number over a shoulder.
 */
export function accountDetail({ mobileMoney, bank }: Pick<LinkedAccount, 'mobileMoney' | 'bank'>): string {
  if (mobileMoney) return `${mobileMoney.carrier}, ${formatPhone(mobileMoney.phoneNumber)}`;
  return bank ? `${bank.bankName}, •••• ${bank.accountNumber.slice(-4)}` : '';
}
