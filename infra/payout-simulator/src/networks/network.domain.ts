import { COUNTRIES, type Country, type WalletCurrency } from '@vuka/money/corridors';
import { COUNTRY_CODES } from '@vuka/money/directions';
import { MOBILE, type MobileFacts } from '@vuka/money/mobile-networks';
import { networkOf } from '@vuka/money/networks';

export interface Network {
  network: string;
  displayName: string;
  /** ISO 3166-1 alpha-3, as pawaPay writes countries. */
  country: string;
  currency: WalletCurrency;
  decimals: 0 | 2;
}

/** The countries by their ISO 3166-1 alpha-3 codes. */
export const COUNTRY_FACTS = new Map<string, (typeof COUNTRIES)[Country] & MobileFacts>(
  COUNTRY_CODES.map((code) => [MOBILE[code].alpha3, { ...COUNTRIES[code], ...MOBILE[code] }]),
);

/** The networks that pawaPay reaches. */
export const NETWORKS: readonly Network[] = [...COUNTRY_FACTS].flatMap(([country, { currency, networks }]) =>
  networks.flatMap(({ name: displayName, pawapay }) =>
    pawapay ? [{ network: pawapay.id, displayName, country, currency, decimals: pawapay.decimals }] : [],
  ),
);

export function findNetwork(id: string | undefined): Network | undefined {
  return NETWORKS.find(({ network: candidate }) => candidate === id);
}

/** Whether a number is a mobile number of a country. */
export function isMobileOf(country: string, msisdn: string): boolean {
  const facts = COUNTRY_FACTS.get(country);
  if (!facts || !msisdn.startsWith(facts.callingCode)) return false;
  return facts.numbers.test(msisdn.slice(facts.callingCode.length));
}

/** The network that a number most likely belongs to. */
export function predictNetwork(msisdn: string): Network | undefined {
  const found = findNetwork(networkOf(msisdn)?.pawapay?.id);
  return found && isMobileOf(found.country, msisdn) ? found : undefined;
}

export type NetworkStatus = 'OPERATIONAL' | 'DELAYED' | 'CLOSED';

/** A network's settings. Amounts are decimal strings. */
export interface NetworkState {
  status: NetworkStatus;
  minAmount: string;
  maxAmount: string;
}
