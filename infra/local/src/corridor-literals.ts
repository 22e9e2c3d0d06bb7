import { COUNTRIES, CURRENCIES } from '@vuka/money/corridors';
import { DIRECTIONS } from '@vuka/money/directions';
import { MOBILE } from '@vuka/money/mobile-networks';

const countries = Object.entries(COUNTRIES);
const mobile = Object.values(MOBILE);
const networks = mobile.flatMap((facts) => facts.networks);

/** Names that may appear only in the table. */
const NAMES = [
  ...DIRECTIONS,
  ...Object.entries(CURRENCIES).flatMap(([code, { name }]) => [code, code.toLowerCase(), name]),
  ...countries.flatMap(([code, { name }]) => [code, name]),
  ...mobile.map(({ alpha3 }) => alpha3),
  ...networks.flatMap(({ name, carrier, pawapay }) => [name, carrier, pawapay?.id]),
].filter((name) => name !== undefined);

const codes = countries.map(([, { callingCode }]) => callingCode).join('|');
const names = NAMES.toSorted((a, b) => b.length - a.length).map((name) => name.replace(/[()-]/g, '\\$&'));
const NAME = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`);
/** A code with a plus, or at the start of a string of digits. A bare 255 is usually a length, not Tanzania. */
const CALLING_CODE = new RegExp(`\\+(?:${codes})|['"\`](?:${codes})(?:\\d*['"\`]|\\$)`);

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g;

/**
 * Every line of a source that names a currency, a country, a calling code, a direction or a mobile network of the
 * table, as "12: const PREFIX = '+254';". Comments may give examples.
 */
export function findCorridorLiterals(source: string): string[] {
  const code = source.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, ''));
  return code.split('\n').flatMap((line, index) => {
    return NAME.test(line) || CALLING_CODE.test(line) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
