export interface Network {
  network: string;
  displayName: string;
  country: 'KEN' | 'TZA';
  currency: 'KES' | 'TZS';
  decimals: 0 | 2;
  prefixes: readonly string[];
}

export const NETWORKS: readonly Network[] = [
  network('MPESA_KEN', 'M-Pesa', 'KEN', 2, '70 71 72 74 75 76 79 11'),
  network('VODACOM_TZA', 'Vodacom', 'TZA', 0, '72 74 75 76 79'),
  network('TIGO_TZA', 'Yas', 'TZA', 0, '65 67 70 71 77'),
  network('AIRTEL_TZA', 'Airtel', 'TZA', 2, '66 68 69 78'),
  network('HALOTEL_TZA', 'Halotel', 'TZA', 0, '61 62 63'),
];

export const COUNTRIES = {
  KEN: { displayName: 'Kenya', prefix: '254', currency: 'KES', mobile: /^254(1\d|7\d)\d{7}$/ },
  TZA: { displayName: 'Tanzania', prefix: '255', currency: 'TZS', mobile: /^255[67]\d{8}$/ },
} as const;

function network(
  id: string,
  displayName: string,
  country: Network['country'],
  ...rest: [decimals: Network['decimals'], prefixes: string]
): Network {
  const [decimals, prefixes] = rest;
  const currency = country === 'KEN' ? 'KES' : 'TZS';
  return { network: id, displayName, country, currency, decimals, prefixes: prefixes.split(' ') };
}

export function findNetwork(id: string): Network | undefined {
  return NETWORKS.find(({ network: candidate }) => candidate === id);
}

/** The network that a number most likely belongs to. */
export function predictNetwork(msisdn: string): Network | undefined {
  return NETWORKS.find(
    ({ country, prefixes }) =>
      COUNTRIES[country].mobile.test(msisdn) &&
      prefixes.some((prefix) => msisdn.startsWith(COUNTRIES[country].prefix + prefix)),
  );
}

export type NetworkStatus = 'OPERATIONAL' | 'DELAYED' | 'CLOSED';

/** A network's settings. Amounts are decimal strings. */
export interface NetworkState {
  status: NetworkStatus;
  minAmount: string;
  maxAmount: string;
}
