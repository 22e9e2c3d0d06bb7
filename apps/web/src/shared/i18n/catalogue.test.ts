import type { TranslationJSON } from '@nanostores/i18n';
import { expect, test } from 'vitest';
import { i18n } from './i18n.ts';
import swahili from './sw.json';
import swahiliAdmin from './sw-admin.json';

type Texts = Record<string, Record<string, TranslationJSON>>;

// Every module of the app, so that every component has declared its texts; none is listed by hand.
const modules = import.meta.glob(['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}', '!../../main.tsx']);
await Promise.all(Object.values(modules).map((load) => load()));

const english = i18n.cache.en as unknown as Texts;

/** "login-form.email" -> its text; forms of a plural as "x.count.one". */
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

const parameters = (text: string | undefined): string[] => [...new Set(text?.match(/\{\w+\}/g))].sort();
const declared = flatten(english);

/** Swahili has the plural forms one and other; `count` reads a missing "other" as "many". */
const translated = flatten({ ...swahili, ...swahiliAdmin } as Texts);

test('declares texts at all', () => {
  expect(declared.size).toBeGreaterThan(100);
});

test('every text has its Swahili', () => {
  expect([...declared.keys()].filter((path) => !translated.get(path)?.trim())).toEqual([]);
});

test('no Swahili is left over from a text that is gone', () => {
  expect([...translated.keys()].filter((path) => !declared.has(path))).toEqual([]);
});

test('the Swahili of a text takes the same parameters', () => {
  const differing = [...declared].filter(
    ([path, text]) => parameters(text).join() !== parameters(translated.get(path)).join(),
  );
  expect(differing).toEqual([]);
});

test('the texts of administrators are in a file of their own, which merchants do not load', () => {
  expect(Object.keys(swahili).filter((name) => name.startsWith('admin/'))).toEqual([]);
  expect(Object.keys(swahiliAdmin).filter((name) => !name.startsWith('admin/'))).toEqual([]);
});
