import type { TranslationJSON } from '@nanostores/i18n';
import { expect, test } from 'vitest';
import { i18n } from './i18n.ts';
import swahili from './sw.json';
import swahiliAdmin from './sw-admin.json';

type Texts = Record<string, Record<string, TranslationJSON>>;

// Imports every module of the app, so that every component declares its texts without a list here.
const modules = import.meta.glob(['../../**/*.{ts,tsx}', '!../../**/*.test.{ts,tsx}', '!../../main.tsx']);
await Promise.all(Object.values(modules).map((load) => load()));

const english = i18n.cache.en as unknown as Texts;

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

const parameters = (text: string | undefined): string[] => [...new Set(text?.match(/\{\w+\}/g))].sort();
const declared = flatten(english);

/** Swahili has the plural forms one and other; `count` reads a missing "other" as "many". */
const translated = flatten({ ...swahili, ...swahiliAdmin } as Texts);

test('the components declare texts', () => {
  expect(declared.size).toBeGreaterThan(100);
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
