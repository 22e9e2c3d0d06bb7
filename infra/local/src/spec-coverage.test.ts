import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const TABLE_ROW = /^\|.*\| `(?<file>[^`]+)` \|(?<name>.*)\|$/gm;

test('every test named in the coverage of the specification exists', () => {
  const rows = [...read('docs/spec-coverage.md').matchAll(TABLE_ROW)].map(({ groups }) => groups ?? {});
  expect(rows.length).toBeGreaterThan(100);
  const missing = rows.filter(({ file = '', name = '' }) => {
    const source = read(file).replaceAll("\\'", "'");
    return !source.includes(name.trim());
  });
  expect(missing).toEqual([]);
});
