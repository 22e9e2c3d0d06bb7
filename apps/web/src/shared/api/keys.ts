// Apart from the queries themselves, whose schemas the sign-in page need not load.

export const BALANCES_KEY = ['/api/balances'] as const;
export const RATES_KEY = ['/api/rates'] as const;
export const TRANSACTIONS_KEY = ['/api/transactions'] as const;
