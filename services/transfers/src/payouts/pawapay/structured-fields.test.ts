import { expect, test } from 'vitest';
import { readDictionary, type Text } from './structured-fields.ts';

const plain = (text: string) => {
  const members = readDictionary(text);
  return members && [...members].map(([key, { value, raw }]) => [key, value.kind, raw]);
};

test.each<[string, ReturnType<typeof plain>]>([
  ['', []],
  ['  ', []],
  ['a=1', [['a', 'number', '1']]],
  [
    'a=-1.50, b=tok/en:1',
    [
      ['a', 'number', '-1.50'],
      ['b', 'token', 'tok/en:1'],
    ],
  ],
  [
    'a=?1,b=?0;x',
    [
      ['a', 'boolean', '?1'],
      ['b', 'boolean', '?0;x'],
    ],
  ],
  [
    'a;x=1, b',
    [
      ['a', 'boolean', ';x=1'],
      ['b', 'boolean', ''],
    ],
  ],
  ['a=@1659578233', [['a', 'date', '@1659578233']]],
  ['a=:aGVsbG8=:', [['a', 'bytes', ':aGVsbG8=:']]],
  ['a="x, (\\"y\\")";n=1', [['a', 'string', '"x, (\\"y\\")";n=1']]],
  [
    'a=( "x"  "y";p );q="1" \t,\t *b.c=()',
    [
      ['a', 'list', '( "x"  "y";p );q="1"'],
      ['*b.c', 'list', '()'],
    ],
  ],
  [
    'a=1, b=2, a=3',
    [
      ['b', 'number', '2'],
      ['a', 'number', '3'],
    ],
  ],
])('%j is parsed, with its values as sent', (text, members) => {
  expect(plain(text)).toEqual(members);
});

test('items and parameters are read without quotes and escapes', () => {
  const list = readDictionary('a=("x\\\\y" tok;p="\\"");alg="ecdsa";created=12;on')?.get('a')?.value;
  if (list?.kind !== 'list') throw new Error('not a list');
  expect(list.items.map(({ text }) => text)).toEqual(['x\\y', 'tok']);
  expect(list.items[1]?.parameters.get('p')?.text).toBe('"');
  expect([...list.parameters].map(([key, { text }]) => [key, text])).toEqual([
    ['alg', 'ecdsa'],
    ['created', '12'],
    ['on', '1'],
  ]);
});

test.each([
  'a=1,',
  ',a=1',
  'a=1 b=2',
  'A=1',
  '1=a',
  'a=',
  'a=(',
  'a=("x"',
  'a=("x""y")',
  'a=(("x"))',
  'a="',
  'a="x\\',
  'a="x\\n"',
  'a="é"',
  'a=:AA',
  'a=:A A:',
  'a=?2',
  'a=-',
  'a=1.',
  'a=@x',
  'a=%"text"',
  'a=1;',
  'a=1;B',
  'a=1;b=',
  ' \ta=1',
])('%j is not a dictionary', (text) => {
  expect(plain(text)).toBeUndefined();
});

/** A text that counts the characters read or copied from it. */
function counted(text: string) {
  let reads = 0;
  const counting: Text = {
    get length() {
      return text.length;
    },
    charCodeAt(index) {
      reads += 1;
      return text.charCodeAt(index);
    },
    slice(start, end = text.length) {
      reads += end - (start ?? 0);
      return text.slice(start, end);
    },
  };
  return { text: counting, reads: () => reads };
}

const ENDLESS = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
const PAIRS = ['=(', ';a', ')(', '"(', '\\"', ',a', 'a=', '()', '; ', ' (', ':A', '?1'];
const PATTERNS = [
  'a=(',
  ';a=',
  '"',
  '\\',
  'sig-pp=(',
  '=(a',
  '("a" ',
  '("a";b="c")',
  'a=1,',
  'a=();b=1, ',
  'a;b;',
  '",',
];
const STARTS = ['', 'a', 'a=', 'a=(', 'a="', 'a=:', 'a=1;', 'a=("x"', 'a=1.', 'sig-pp=('];
const KB = 1_024;

test.each(STARTS)('after %j any 64 KB are read a constant number of times per character', (start) => {
  for (const pattern of [...ENDLESS, ...PAIRS, ...PATTERNS]) {
    const { text, reads } = counted(start + pattern.repeat((64 * KB) / pattern.length));
    readDictionary(text);
    expect(reads(), pattern).toBeLessThan(16 * text.length);
  }
});

test('the cost of 64 KB is at most proportional to that of 8 KB', () => {
  const cost = (pattern: string, length: number) => {
    const { text, reads } = counted(`a=${pattern.repeat(length / pattern.length)}`);
    readDictionary(text);
    return reads();
  };
  for (const pattern of [...PAIRS, ...PATTERNS])
    expect(cost(pattern, 64 * KB), pattern).toBeLessThanOrEqual(9 * cost(pattern, 8 * KB) + 100);
});
