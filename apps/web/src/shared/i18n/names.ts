import { COUNTRIES, type Country, CURRENCIES, type Currency } from '@vuka/money/corridors';
import { i18n } from './i18n.ts';

/** The names of the table's currencies and countries, under their codes. */
export const NAMES = i18n(
  'names',
  Object.fromEntries(Object.entries({ ...CURRENCIES, ...COUNTRIES }).map(([code, { name }]) => [code, name])) as Record<
    Currency | Country,
    string
  >,
);
