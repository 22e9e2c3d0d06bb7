import { expect, test } from 'vitest';
import { PAGE } from '#app/routes.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import swahili from '#shared/i18n/sw-admin.json' with { type: 'json' };

type Texts = Record<string, Record<string, unknown>>;

test('every text of the admin area is in Swahili too, and none that no page has', async () => {
  await Promise.all(Object.values(PAGE).map((page) => page.load()));
  const components = Object.entries(i18n.cache.en).filter(([name]) => name.startsWith('admin/'));
  const keys = (texts: Texts) =>
    Object.entries(texts)
      .map(([name, component]) => [name, Object.keys(component)])
      .sort(([a], [b]) => String(a).localeCompare(String(b)));
  expect(keys(swahili)).toEqual(keys(Object.fromEntries(components) as unknown as Texts));
});

test('a translation has the variables of the English text', () => {
  const english = i18n.cache.en as unknown as Texts;
  const variables = (text: unknown) => [...new Set(JSON.stringify(text)?.match(/\{\w+\}/g))].sort();
  for (const [name, texts] of Object.entries(swahili)) {
    for (const [key, text] of Object.entries(texts)) {
      expect([name, key, variables(text)]).toEqual([name, key, variables(english[name]?.[key])]);
    }
  }
});
