/**
 * Parses dictionaries of HTTP structured fields (RFC 9651, 3.2) in one pass, in time linear in the length of the text.
 * The raw text of each value is kept, since signatures cover it as sent (RFC 9421, 2.3).
 */

/** The string methods that the parser uses, so that a test can count the characters read. */
export type Text = Pick<string, 'length' | 'charCodeAt' | 'slice'>;

interface BareItem {
  kind: 'string' | 'token' | 'number' | 'bytes' | 'boolean' | 'date';
  /** A string without quotes and escapes, bytes in base64, anything else as written. */
  text: string;
}

export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item extends BareItem {
  parameters: Parameters;
}

interface InnerList {
  kind: 'list';
  items: Item[];
  parameters: Parameters;
}

export interface Member {
  value: Item | InnerList;
  /** The value and its parameters as sent. */
  raw: string;
}

/**
 * The members of a dictionary by key; the last of each key wins. Undefined if the text is not a dictionary, or contains
 * a display string, which no field that we read may contain.
 */
export function readDictionary(text: Text): Map<string, Member> | undefined {
  try {
    return readMembers({ text, at: 0 });
  } catch (error) {
    if (error instanceof NotADictionary) return undefined;
    throw error;
  }
}

class NotADictionary extends Error {
  override name = 'NotADictionary';
}

interface Cursor {
  readonly text: Text;
  at: number;
}

const code = (character: string) => character.charCodeAt(0);
const SPACE = code(' ');
const QUOTE = code('"');
const BACKSLASH = code('\\');
const COMMA = code(',');
const COLON = code(':');
const SEMICOLON = code(';');
const EQUALS = code('=');
const QUESTION = code('?');
const AT = code('@');
const MINUS = code('-');
const POINT = code('.');
const OPEN = code('(');
const CLOSE = code(')');
const ZERO = code('0');
const ONE = code('1');
const FIRST_PRINTABLE = SPACE;
const LAST_PRINTABLE = code('~');

const characters = (set: string): ReadonlySet<number> => new Set([...set].map(code));
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const KEY_START = characters(`${LOWER}*`);
const KEY = characters(`${LOWER}${DIGITS}_-.*`);
const TOKEN_START = characters(`${LOWER}${UPPER}*`);
const TOKEN = characters(`${LOWER}${UPPER}${DIGITS}!#$%&'*+-.^_\`|~:/`);
const BASE64 = characters(`${LOWER}${UPPER}${DIGITS}+/=`);
const DIGIT = characters(DIGITS);
const BLANK = characters(' \t');
const SPACES = characters(' ');

const TRUE: BareItem = { kind: 'boolean', text: '1' };

/** The character at the cursor; NaN at the end. */
const peek = ({ text, at }: Cursor) => text.charCodeAt(at);
const isAtEnd = ({ text, at }: Cursor) => at >= text.length;

function take(cursor: Cursor, expected: number): boolean {
  if (peek(cursor) !== expected) return false;
  cursor.at += 1;
  return true;
}

function expect(cursor: Cursor, expected: number): void {
  if (!take(cursor, expected)) throw new NotADictionary();
}

function skip(cursor: Cursor, set: ReadonlySet<number>): void {
  while (set.has(peek(cursor))) cursor.at += 1;
}

function run(cursor: Cursor, set: ReadonlySet<number>): string {
  const start = cursor.at;
  skip(cursor, set);
  if (cursor.at === start) throw new NotADictionary();
  return cursor.text.slice(start, cursor.at);
}

function readMembers(cursor: Cursor): Map<string, Member> {
  const members = new Map<string, Member>();
  skip(cursor, SPACES);
  while (!isAtEnd(cursor)) {
    const key = readKey(cursor);
    const hasValue = take(cursor, EQUALS);
    const start = cursor.at;
    const value = hasValue ? readValue(cursor) : { ...TRUE, parameters: readParameters(cursor) };
    members.delete(key);
    members.set(key, { value, raw: cursor.text.slice(start, cursor.at) });
    skip(cursor, BLANK);
    if (isAtEnd(cursor)) break;
    expect(cursor, COMMA);
    skip(cursor, BLANK);
    if (isAtEnd(cursor)) throw new NotADictionary();
  }
  return members;
}

function readValue(cursor: Cursor): Item | InnerList {
  return peek(cursor) === OPEN ? readInnerList(cursor) : readItem(cursor);
}

function readInnerList(cursor: Cursor): InnerList {
  expect(cursor, OPEN);
  const items: Item[] = [];
  for (;;) {
    skip(cursor, SPACES);
    if (take(cursor, CLOSE)) return { kind: 'list', items, parameters: readParameters(cursor) };
    items.push(readItem(cursor));
    if (peek(cursor) !== SPACE && peek(cursor) !== CLOSE) throw new NotADictionary();
  }
}

function readItem(cursor: Cursor): Item {
  return { ...readBareItem(cursor), parameters: readParameters(cursor) };
}

function readParameters(cursor: Cursor): Parameters {
  const parameters = new Map<string, BareItem>();
  while (take(cursor, SEMICOLON)) {
    skip(cursor, SPACES);
    const key = readKey(cursor);
    parameters.set(key, take(cursor, EQUALS) ? readBareItem(cursor) : TRUE);
  }
  return parameters;
}

function readKey(cursor: Cursor): string {
  if (!KEY_START.has(peek(cursor))) throw new NotADictionary();
  return run(cursor, KEY);
}

function readBareItem(cursor: Cursor): BareItem {
  const first = peek(cursor);
  if (first === QUOTE) return { kind: 'string', text: readString(cursor) };
  if (first === COLON) return { kind: 'bytes', text: readBytes(cursor) };
  if (first === QUESTION) return { kind: 'boolean', text: readBoolean(cursor) };
  if (first === AT) return { kind: 'date', text: readDate(cursor) };
  if (first === MINUS || DIGIT.has(first)) return { kind: 'number', text: readNumber(cursor) };
  if (TOKEN_START.has(first)) return { kind: 'token', text: run(cursor, TOKEN) };
  throw new NotADictionary();
}

function readString(cursor: Cursor): string {
  expect(cursor, QUOTE);
  const parts: string[] = [];
  let start = cursor.at;
  while (!take(cursor, QUOTE)) {
    const character = peek(cursor);
    // Also true at the end of the text, where `character` is NaN.
    if (!(character >= FIRST_PRINTABLE && character <= LAST_PRINTABLE)) throw new NotADictionary();
    if (character === BACKSLASH) {
      parts.push(cursor.text.slice(start, cursor.at));
      cursor.at += 1;
      start = cursor.at;
      if (peek(cursor) !== QUOTE && peek(cursor) !== BACKSLASH) throw new NotADictionary();
    }
    cursor.at += 1;
  }
  parts.push(cursor.text.slice(start, cursor.at - 1));
  return parts.join('');
}

function readBytes(cursor: Cursor): string {
  expect(cursor, COLON);
  const start = cursor.at;
  skip(cursor, BASE64);
  const encoded = cursor.text.slice(start, cursor.at);
  expect(cursor, COLON);
  return encoded;
}

function readBoolean(cursor: Cursor): string {
  expect(cursor, QUESTION);
  if (take(cursor, ONE)) return '1';
  expect(cursor, ZERO);
  return '0';
}

function readDate(cursor: Cursor): string {
  expect(cursor, AT);
  return readNumber(cursor);
}

/** Digits with an optional decimal point. The caller must check the RFC's length limits. */
function readNumber(cursor: Cursor): string {
  const start = cursor.at;
  take(cursor, MINUS);
  run(cursor, DIGIT);
  if (take(cursor, POINT)) run(cursor, DIGIT);
  return cursor.text.slice(start, cursor.at);
}
