import type { Country } from './corridors.ts';

// The second half of the table in corridors.ts: each country's mobile networks.

export interface Network {
  /** The name that the sender reads. */
  name: string;
  /** The name that the owner of a linked account chooses. Without it, accounts of this network cannot be linked. */
  carrier?: string;
  /** pawaPay's id, and the decimals of its amounts. Without it, pawaPay does not reach this network. */
  pawapay?: { id: string; decimals: 0 | 2 };
  /** The first digits of the numbers that were assigned to it, after the calling code. */
  prefixes: string;
}

export interface MobileFacts {
  /** The country's ISO 3166-1 alpha-3 code, as pawaPay writes it. */
  alpha3: string;
  /** A mobile number without the calling code: nine digits. */
  numbers: RegExp;
  /** For a number of a network that pawaPay does not reach, it is given the first one that it reaches. */
  networks: readonly Network[];
}

export const MOBILE: Record<Country, MobileFacts> = {
  KE: {
    alpha3: 'KEN',
    numbers: /^[17]\d{8}$/,
    networks: [
      {
        name: 'M-Pesa (Safaricom)',
        carrier: 'M-PESA',
        // The only Kenyan network that pawaPay reaches. It refuses other networks' numbers, and the money is returned.
        pawapay: { id: 'MPESA_KEN', decimals: 2 },
        prefixes: '70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79 110 111 112 113 114 115 116 117',
      },
      {
        name: 'Airtel Money',
        carrier: 'Airtel Money',
        prefixes: '73 750 751 752 753 754 755 756 762 78 100 101 102 103 104 105 106 107 108 109',
      },
      { name: 'T-Kash (Telkom)', prefixes: '77' },
    ],
  },
  TZ: {
    alpha3: 'TZA',
    numbers: /^[67]\d{8}$/,
    networks: [
      {
        name: 'M-Pesa (Vodacom)',
        carrier: 'M-Pesa',
        pawapay: { id: 'VODACOM_TZA', decimals: 0 },
        prefixes: '74 75 76 79',
      },
      {
        name: 'Mixx by Yas',
        carrier: 'Mixx by Yas',
        pawapay: { id: 'TIGO_TZA', decimals: 0 },
        prefixes: '65 67 70 71 77',
      },
      {
        name: 'Airtel Money',
        carrier: 'Airtel Money',
        pawapay: { id: 'AIRTEL_TZA', decimals: 2 },
        prefixes: '66 68 69 78',
      },
      {
        name: 'HaloPesa',
        carrier: 'HaloPesa',
        pawapay: { id: 'HALOTEL_TZA', decimals: 0 },
        prefixes: '61 62 63',
      },
      { name: 'T-Pesa (TTCL)', prefixes: '73' },
    ],
  },
};
