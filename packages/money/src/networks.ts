import { COUNTRIES, type Country } from './corridors.ts';
import { COUNTRY_CODES } from './directions.ts';
import { MOBILE, type Network } from './mobile-networks.ts';

const BY_PREFIX = new Map<string, Network>(
  COUNTRY_CODES.flatMap((country) =>
    MOBILE[country].networks.flatMap((network) =>
      network.prefixes.split(' ').map((prefix) => [COUNTRIES[country].callingCode + prefix, network] as const),
    ),
  ),
);
const LENGTHS = [...new Set([...BY_PREFIX.keys()].map(({ length }) => length))];

/**
 * The network that a number was first assigned to; the number begins with a calling code, with or without a plus.
 * People keep their number when they change network, so this is only a guess.
 */
export function networkOf(phone: string): Network | undefined {
  const digits = phone.replace('+', '');
  for (const length of LENGTHS) {
    const network = BY_PREFIX.get(digits.slice(0, length));
    if (network) return network;
  }
  return undefined;
}

/** The networks of a country at which an account can be linked. */
export function carriersOf(country: Country): string[] {
  return MOBILE[country].networks.flatMap(({ carrier }) => carrier ?? []);
}
