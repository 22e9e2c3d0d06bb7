// The table of currencies, countries and corridors; mobile-networks.ts is its second half, which the web app loads only
// when it names a network. Schemas, screens, seeds, the payout adapter, the simulator and the load generators derive from
// it, and `npm run check` refuses a currency, a country, a calling code or a network anywhere else. docs/adr/0016 says
// what a new corridor needs.

interface CurrencyFacts {
  name: string;
  /** How many decimals of an amount can be entered. Amounts are stored and sent with two in any case. */
  decimals: 0 | 2;
  /** Merchants have a wallet in it. Any other currency is only deposited, by administrators. */
  isWallet: boolean;
  /** Limits on transactions are multiples of this, in whole units: about the same value in each currency. */
  limitUnit: number;
}

export const CURRENCIES = {
  KES: { name: 'Kenyan Shilling', decimals: 2, isWallet: true, limitUnit: 1_000 },
  TZS: { name: 'Tanzanian Shilling', decimals: 2, isWallet: true, limitUnit: 20_000 },
  USD: { name: 'US Dollar', decimals: 2, isWallet: false, limitUnit: 10 },
} as const satisfies Record<string, CurrencyFacts>;

/** Under its ISO 3166-1 alpha-2 code. */
interface CountryFacts {
  name: string;
  callingCode: string;
  /** A number as a form's placeholder shows it: nine digits after the calling code. */
  example: string;
  /** No two countries have the same currency, so a direction determines the recipient's country. */
  currency: WalletCurrency;
}

export const COUNTRIES = {
  KE: {
    name: 'Kenya',
    callingCode: '254',
    example: '712345678',
    currency: 'KES',
  },
  TZ: {
    name: 'Tanzania',
    callingCode: '255',
    example: '712345678',
    currency: 'TZS',
  },
} as const satisfies Record<string, CountryFacts>;

/** The country that the registration form proposes. */
export const REGISTRATION_COUNTRY: Country = 'TZ';

export interface Corridor {
  source: WalletCurrency;
  target: WalletCurrency;
  /** How the one exchange rate prices it. Without it, the corridor has no price, and nothing is sent. */
  rate?: 'buy' | 'inverse';
}

/** The open corridors under their names, in the order in which a form offers them. */
export const CORRIDORS = {
  KES_TO_TZS: { source: 'KES', target: 'TZS', rate: 'buy' },
  TZS_TO_KES: { source: 'TZS', target: 'KES', rate: 'inverse' },
} as const satisfies { [Name in `${WalletCurrency}_TO_${WalletCurrency}`]?: Corridor };

export type Currency = keyof typeof CURRENCIES;
export type WalletCurrency = {
  [Code in Currency]: (typeof CURRENCIES)[Code]['isWallet'] extends true ? Code : never;
}[Currency];
export type Country = keyof typeof COUNTRIES;
export type Direction = keyof typeof CORRIDORS;
