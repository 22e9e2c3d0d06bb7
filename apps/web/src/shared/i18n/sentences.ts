import { i18n } from './i18n.ts';

/**
 * Messages of rules and servers. Contracts, services and thrown errors use English; a component that shows their
 * message passes it through `translate`. `{name}` stands for any value.
 */
export const SENTENCES = i18n('sentences', {
  emailInvalid: 'Invalid email format',
  pinLength: 'PIN must be 4 digits',
  pinNumeric: 'PIN must be numeric',
  pinExact: 'PIN must be exactly 4 numeric digits',
  pinMissing: 'Please enter your 4-digit PIN',
  pinGuessable: 'PIN is too easy to guess. Please choose another.',
  pinWrong: 'Invalid PIN',
  pinWrongOnce: 'Invalid PIN. 1 attempt left.',
  pinWrongLeft: 'Invalid PIN. {count} attempts left.',
  pinLocked: 'Too many wrong PINs. Please try again in {minutes} minutes.',
  nameShort: 'Name must be at least 3 characters',
  nameLong: 'Name must not exceed 100 characters',
  phoneNumeric: 'Phone number must contain only numbers',
  phoneShort: 'Phone number must be at least 10 digits',
  phoneLong: 'Phone number must not exceed 13 digits',
  phoneMissing: 'Phone number is required',
  phoneInvalid: 'Please enter a valid 9-digit phone number without leading zero',
  labelMissing: 'Name is required',
  labelLong: 'Name must not exceed 40 characters',
  tooManyRecipients: 'You can save at most {count} recipients',
  countryShort: 'Country must be at least 2 characters',
  countryLong: 'Country must not exceed 100 characters',
  amountMissing: 'Amount is required',
  amountPositive: 'Amount must be greater than 0',
  amountNumber: 'Amount must be a number with at most 2 decimals',
  amountExceeds: 'Amount exceeds available balance',
  amountTooSmall: 'The amount is too small to send.',
  rateChanged: 'The exchange rate has changed. Please confirm the new amount.',
  rateUnavailable: 'No exchange rate has been set yet.',
  credentials: 'Invalid credentials. Please check your username and PIN.',
  emailTaken: 'An account with this email already exists.',
  blocked: 'Your account is blocked. Please contact support.',
  signIn: 'Please sign in.',
  tooManyRequests: 'Too many requests. Please wait a moment and try again.',
  unavailable: 'The service is temporarily unavailable. Please try again shortly.',
  busy: 'We are very busy at the moment. Please try again in a few seconds.',
  unreadable: 'The request has characters that are not text.',
  internal: 'Something went wrong on our side. Please try again.',
  amountWhole: 'Amount must be a whole number',
  transactionMissing: 'Transaction not found',
  unexpected: 'An unexpected error occurred',
  malformed: 'The server sent an answer that this app does not understand',
  invalidUser: 'Received invalid user data from server',
  unexpectedStatus: 'Unexpected response status: {status}',
});

type Texts = Record<string, string>;

interface Catalogue {
  /** The name under which `i18n` has the texts. */
  name: string;
  messages: { get: () => Texts };
}

interface Pattern {
  regex: RegExp;
  read: () => string;
}

const catalogues: Catalogue[] = [{ name: 'sentences', messages: SENTENCES }];
/** Compiled on the first lookup: most visits need none. */
let patterns: Pattern[] | undefined;

/** Registers sentences that only some pages need. */
export function addSentences(catalogue: Catalogue): void {
  catalogues.push(catalogue);
  patterns = undefined;
}

function patternsOf({ name, messages }: Catalogue): Pattern[] {
  return Object.entries(i18n.cache.en[name] as unknown as Texts).map(([key, english]) => {
    const escaped = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    return {
      regex: new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`),
      read: () => messages.get()[key] ?? english,
    };
  });
}

/** A message of a rule or of the server in the user's language; an unknown one is returned as it is. */
export function translate(sentence: string): string {
  patterns ??= catalogues.flatMap(patternsOf);
  const pattern = patterns.find(({ regex }) => regex.test(sentence));
  if (!pattern) return sentence;
  const values = pattern.regex.exec(sentence)?.groups ?? {};
  return pattern.read().replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
