import { expect, test } from 'vitest';
import { reason } from '../texts/reason.ts';
import { NewLinkedAccount } from './linked-accounts.ts';
import { RegisterForm } from './users.ts';

const PERSON = { name: 'Zawadi Mwangi', email: 'zawadi@vuka.test', phoneNumber: '0712345678', pin: '9371' };
const BANK = {
  accountType: 'bank',
  accountName: 'Zawadi Mwangi',
  currency: 'KES',
  bankName: 'Equity Bank',
  accountNumber: '0123456789',
  pin: '9371',
};

/** Every name that a person writes and another one reads. */
const WRITTEN = {
  'a name': (text: string) => RegisterForm.safeParse({ ...PERSON, name: text }),
  'a country': (text: string) => RegisterForm.safeParse({ ...PERSON, country: text }),
  "an account's name": (text: string) => NewLinkedAccount.safeParse({ ...BANK, accountName: text }),
  "a bank's name": (text: string) => NewLinkedAccount.safeParse({ ...BANK, bankName: text }),
};

test.each(Object.entries(WRITTEN))('%s has only characters that its reader sees', (_what, parse) => {
  for (const text of ["Ng'endo Wanjikũ", 'Société Générale', 'محمد علي', 'O’Brien-Ali (Jr.)', '李小龍']) {
    expect(parse(text).success, text).toBe(true);
  }
  const hidden = [
    'two\nlines',
    'bell\u0007',
    'gnawM\u202eidawaZ',
    '\u200b\u200b\u200b',
    'soft\u00adhyphen',
    'ㅤㅤㅤ',
    '⠀⠀⠀',
    'Zawadi\ufe0f Mwangi',
    'Za\u034fwadi',
    '\u{e0100}Zawadi',
  ];
  for (const text of hidden) {
    const { error } = parse(text);
    expect(
      error?.issues.map(({ message }) => message),
      JSON.stringify(text),
    ).toContain(reason('characters_hidden'));
  }
});

test('lengths are counted in characters, as the database counts them: an emoji is one', () => {
  const messagesOf = (
    parse: (text: string) => { error?: { issues: { message: string }[] } | undefined },
    text: string,
  ) => parse(text).error?.issues.map(({ message }) => message);
  for (const [what, field] of [
    ["an account's name", 'account_name'],
    ["a bank's name", 'bank_name'],
  ] as const) {
    expect(messagesOf(WRITTEN[what], '😀a')).toEqual([reason(`${field}_too_short`, { min: 3 })]);
    expect(messagesOf(WRITTEN[what], '😀ab')).toBeUndefined();
    expect(messagesOf(WRITTEN[what], '😀'.repeat(60))).toBeUndefined();
    expect(messagesOf(WRITTEN[what], '😀'.repeat(61))).toEqual([reason(`${field}_too_long`, { max: 60 })]);
  }
  expect(messagesOf(WRITTEN['a name'], '😀a')).toEqual([reason('name_too_short', { min: 3 })]);
  expect(messagesOf(WRITTEN['a name'], '😀'.repeat(100))).toBeUndefined();
});
