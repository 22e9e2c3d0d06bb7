import type * as corridors from '../corridors.ts';
import type * as mobile from '../mobile-networks.ts';

// Uganda as a new corridor would add it to the table, for the tests that show that nothing else has to change:
// `vi.mock('@vuka/money/corridors', async (original) => withUganda(await original()))`.

/** The table with Uganda, whose currency has no decimals, and two corridors that have no exchange rate yet. */
export function withUganda(table: typeof corridors) {
  return {
    ...table,
    CURRENCIES: {
      ...table.CURRENCIES,
      UGX: { name: 'Ugandan Shilling', decimals: 0, isWallet: true, limitUnit: 30_000 },
    },
    COUNTRIES: {
      ...table.COUNTRIES,
      UG: { name: 'Uganda', callingCode: '256', example: '772345678', currency: 'UGX' },
    },
    CORRIDORS: {
      ...table.CORRIDORS,
      KES_TO_UGX: { source: 'KES', target: 'UGX' },
      UGX_TO_KES: { source: 'UGX', target: 'KES' },
    },
  };
}

/** The mobile networks with two of Uganda. */
export function withUgandanNetworks(table: typeof mobile) {
  return {
    ...table,
    MOBILE: {
      ...table.MOBILE,
      UG: {
        alpha3: 'UGA',
        numbers: /^7\d{8}$/,
        networks: [
          { name: 'MTN MoMo', carrier: 'MTN', pawapay: { id: 'MTN_MOMO_UGA', decimals: 0 }, prefixes: '76 77 78' },
          {
            name: 'Airtel Money',
            carrier: 'Airtel',
            pawapay: { id: 'AIRTEL_OAPI_UGA', decimals: 0 },
            prefixes: '70 75',
          },
        ],
      },
    },
  };
}
