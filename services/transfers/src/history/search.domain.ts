import { CURRENCY_CODES } from '@vuka/money/currencies';
import { toUuid } from '@vuka/service-kit/ids';

/** The possible meanings of a search; a transfer matches any of them. */
export interface Search {
  /** The lowest and highest id that begin with the text. */
  ids?: { first: string; last: string };
  /** Digits contained in the recipient's number. */
  phoneDigits?: string;
  /** Minor units, inclusive. */
  amounts?: { leastMinor: bigint; mostMinor: bigint };
}

const CODES = new Set<string>(CURRENCY_CODES.map((code) => code.toLowerCase()));
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,2}))?$/;
const ID_START = /^[0-9a-f-]{8,36}$/;
const PHONE = /^\+?\d{4,15}$/;

/**
 * Reads a search as an id prefix, part of a phone number, an amount, or several of these; undefined if none fits. An
 * amount without decimals matches the whole units that lists show.
 */
export function readSearch(typed: string): Search | undefined {
  const words = typed.toLowerCase().split(/\s+/);
  const text = words.filter((word) => !CODES.has(word)).join('');
  const search = { ...readIds(text), ...readPhone(text), ...readAmount(text) };
  return Object.keys(search).length > 0 ? search : undefined;
}

function readIds(text: string): Pick<Search, 'ids'> {
  const hex = text.replaceAll('-', '');
  if (!ID_START.test(text) || hex.length < 8 || hex.length > 32) return {};
  return { ids: { first: toUuid(hex.padEnd(32, '0')), last: toUuid(hex.padEnd(32, 'f')) } };
}

/** A number in its local form begins with a zero that the stored number does not have. */
function readPhone(text: string): Pick<Search, 'phoneDigits'> {
  const digits = text.replace(/[()-]/g, '');
  return PHONE.test(digits) ? { phoneDigits: digits.replace(/^(\+|0+)/, '') } : {};
}

function readAmount(text: string): Pick<Search, 'amounts'> {
  const [, units, cents] = AMOUNT.exec(text.replace(/,(?=\d{3}(?!\d))/g, '')) ?? [];
  if (units === undefined) return {};
  const minor = BigInt(units) * 100n + BigInt((cents ?? '').padEnd(2, '0'));
  if (cents !== undefined) return { amounts: { leastMinor: minor, mostMinor: minor } };
  return { amounts: { leastMinor: minor - 50n, mostMinor: minor + 49n } };
}
