import type { TranslationJSON } from '@nanostores/i18n';
import { ACCOUNT_RULES } from '@vuka/contracts/texts/account-rules';
import { ADMIN_REFUSALS } from '@vuka/contracts/texts/admin-refusals';
import { ADMIN_RULES } from '@vuka/contracts/texts/admin-rules';
import type { Reason } from '@vuka/contracts/texts/catalogue';
import { FIELD_RULES } from '@vuka/contracts/texts/field-rules';
import { LEDGER_INVARIANTS } from '@vuka/contracts/texts/ledger-invariants';
import type { PROGRAM_REFUSALS } from '@vuka/contracts/texts/program-refusals';
import type { PROGRAM_RULES } from '@vuka/contracts/texts/program-rules';
import { REFUSALS } from '@vuka/contracts/texts/refusals';
import { RETRY_RESULTS } from '@vuka/contracts/texts/retry-results';
import { SECURITY_RULES } from '@vuka/contracts/texts/security-rules';
import { STATEMENT_RULES } from '@vuka/contracts/texts/statement-rules';
import { TRANSFER_NOTES } from '@vuka/contracts/texts/transfer-notes';
import { expect, test } from 'vitest';
import { i18n } from './i18n.ts';
import swahili from './sw.json';
import swahiliAdmin from './sw-admin.json';

type Texts = Record<string, Record<string, TranslationJSON>>;

// Imports every module of the app, so that every component declares its texts without a list here.
const modules = import.meta.glob(['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}', '!../../main.tsx']);
await Promise.all(Object.values(modules).map((load) => load()));

const textsOf = (refusals: Record<string, { text: string }>) =>
  Object.fromEntries(Object.entries(refusals).map(([reason, { text }]) => [reason, text]));

/** Texts whose English is in the server's answers: only the other languages need them. */
const answered: Texts = {
  refusals: textsOf(REFUSALS),
  'admin/refusals': textsOf(ADMIN_REFUSALS),
  'transfer-notes': TRANSFER_NOTES,
  'admin/retry-results': RETRY_RESULTS,
  'admin/ledger-invariants': LEDGER_INVARIANTS,
};
const english = { ...(i18n.cache.en as unknown as Texts) };
for (const [component, texts] of Object.entries(answered)) english[component] = { ...english[component], ...texts };

/** "login-form.email" -> its text; plural forms as "x.count.one". */
function flatten(texts: Texts): Map<string, string> {
  const flat = new Map<string, string>();
  const add = (path: string, text: TranslationJSON): void => {
    if (typeof text === 'string') flat.set(path, text);
    else for (const [form, inner] of Object.entries(text)) add(`${path}.${form}`, inner);
  };
  for (const [component, keys] of Object.entries(texts)) {
    for (const [key, text] of Object.entries(keys)) add(`${component}.${key}`, text);
  }
  return flat;
}

const parameters = (text: string | undefined): string[] => [...new Set(text?.match(/\{\w+/g))].sort();
const declared = flatten(english);

/** Swahili has the plural forms one and other; `count` reads a missing "other" as "many". */
const translated = flatten({ ...swahili, ...swahiliAdmin } as Texts);

test('the components declare texts', () => {
  expect(declared.size).toBeGreaterThan(100);
});

test('every reason that a page can show has a text; the others are for programs', () => {
  type Programs = keyof typeof PROGRAM_RULES | keyof typeof PROGRAM_REFUSALS;
  // Does not compile without a reason of the catalogue.
  const shown: Record<Exclude<Reason, Programs>, unknown> = {
    ...FIELD_RULES,
    ...ACCOUNT_RULES,
    ...SECURITY_RULES,
    ...STATEMENT_RULES,
    ...ADMIN_RULES,
    ...REFUSALS,
    ...ADMIN_REFUSALS,
  };
  const known = Object.entries(english).filter(([component]) => component.endsWith('refusals'));
  const reasons = new Set(known.flatMap(([, texts]) => Object.keys(texts)));
  expect(Object.keys(shown).filter((reason) => !reasons.has(reason))).toEqual([]);
});

test('every text has a Swahili translation', () => {
  expect([...declared.keys()].filter((path) => !translated.get(path)?.trim())).toEqual([]);
});

test('every Swahili translation belongs to a declared text', () => {
  expect([...translated.keys()].filter((path) => !declared.has(path))).toEqual([]);
});

test('the Swahili of a text has the same parameters', () => {
  const differing = [...declared].filter(
    ([path, text]) => parameters(text).join() !== parameters(translated.get(path)).join(),
  );
  expect(differing).toEqual([]);
});

test('administrators’ texts are in their own file, which merchants do not load', () => {
  expect(Object.keys(swahili).filter((name) => name.startsWith('admin/'))).toEqual([]);
  expect(Object.keys(swahiliAdmin).filter((name) => !name.startsWith('admin/'))).toEqual([]);
});

test('a status has one word, in the filter of the history and on its badge, in both languages', () => {
  for (const texts of [declared, translated]) {
    for (const status of ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED', 'CANCELLED'])
      expect(texts.get(`filter-fields.${status}`)?.toLowerCase()).toBe(
        texts.get(`status-view.${status.toLowerCase()}`),
      );
  }
});
