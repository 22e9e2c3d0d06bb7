import { CORRIDORS, COUNTRIES, type Corridor, type Country, type Direction, type WalletCurrency } from './corridors.ts';

/** Every direction, in the order of the table. */
export const DIRECTIONS = Object.keys(CORRIDORS) as [Direction, ...Direction[]];

/** Every country, in the order of the table. */
export const COUNTRY_CODES = Object.keys(COUNTRIES) as Country[];

/** The currencies of a direction, and how the exchange rate prices it. */
export function corridorOf(direction: Direction): Corridor {
  return CORRIDORS[direction];
}

/** The direction between two currencies; undefined if that corridor is not open. */
export function directionOf(source: WalletCurrency, target: WalletCurrency): Direction | undefined {
  return DIRECTIONS.find((direction) => direction === `${source}_TO_${target}`);
}

/** The first direction that sends from a currency; else the first of all. */
export function directionFrom(currency: string): Direction {
  return DIRECTIONS.find((direction) => corridorOf(direction).source === currency) ?? DIRECTIONS[0];
}

/** The direction that pays to a country, if possible from the given currency; undefined if none does. */
export function directionTo(country: Country, source: WalletCurrency): Direction | undefined {
  const { currency } = COUNTRIES[country];
  return directionOf(source, currency) ?? DIRECTIONS.find((direction) => corridorOf(direction).target === currency);
}

/** The way back; undefined if that corridor is not open. */
export function reverseOf(direction: Direction): Direction | undefined {
  const { source, target } = corridorOf(direction);
  return directionOf(target, source);
}

/** The country that pays in a currency; each wallet currency has one. */
export function countryOf(currency: WalletCurrency): Country {
  return COUNTRY_CODES.find((country) => COUNTRIES[country].currency === currency) as Country;
}

const rated = DIRECTIONS.find((direction) => corridorOf(direction).rate === 'buy') ?? DIRECTIONS[0];

/** The corridor that the exchange rate is quoted for: what one unit of its source buys of its target. */
export const RATED = { direction: rated, source: corridorOf(rated).source, target: corridorOf(rated).target };
