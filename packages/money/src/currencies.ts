import { CURRENCIES, type Currency, type WalletCurrency } from './corridors.ts';

type Codes<Code> = readonly [Code, ...Code[]];

/** Every currency, in the order of the table. */
export const CURRENCY_CODES = Object.keys(CURRENCIES) as unknown as Codes<Currency>;

/** Those in which merchants have wallets. The first one is the default where a user has none. */
export const WALLET_CURRENCIES = CURRENCY_CODES.filter(isWalletCurrency) as unknown as Codes<WalletCurrency>;

/** The currencies that administrators deposit, and in which merchants have no wallet. */
export const DEPOSIT_ONLY_CURRENCIES = CURRENCY_CODES.filter((code) => !isWalletCurrency(code)) as Exclude<
  Currency,
  WalletCurrency
>[];

export function isWalletCurrency(currency: string): currency is WalletCurrency {
  return CURRENCIES[currency as Currency]?.isWallet === true;
}

/** An object with a value for each of some currencies: `byCurrency(WALLET_CURRENCIES, () => '0.00')`. */
export function byCurrency<Code extends Currency, Value>(
  codes: readonly Code[],
  valueFor: (currency: Code) => Value,
): Record<Code, Value> {
  return Object.fromEntries(codes.map((code) => [code, valueFor(code)])) as Record<Code, Value>;
}

/** Whether a decimal string has no decimals other than zero, or is of a currency that has decimals. */
export function fitsCurrency(amount: string, currency: Currency): boolean {
  return CURRENCIES[currency].decimals > 0 || !/\.\d*[1-9]/.test(amount);
}

/** The smallest amount of a currency, in minor units: 1 for a currency with two decimals, 100 for one without. */
export function smallestAmount(currency: Currency): bigint {
  return CURRENCIES[currency].decimals > 0 ? 1n : 100n;
}
