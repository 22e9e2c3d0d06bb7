import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FILES = import.meta.glob<string>(['../../**/*.tsx', '!../../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const THEME = readFileSync(join(import.meta.dirname, '../../styles.css'), 'utf8');
const COLOURS = new Set([...THEME.matchAll(/--color-([\w-]+):/g)].map(([, name]) => name));

const ROOTS =
  'canvas|surface|raised|sunken|line|field|ink|primary|on-primary|ok|warn|bad|chart|under-way|wallet|on-wallet';
const UTILITY = new RegExp(`(?:bg|text|border|divide|ring|outline|fill|stroke|accent)-((?:${ROOTS})[a-z0-9-]*)`, 'g');

test('every colour that a class names is a colour of the theme', () => {
  const used = Object.entries(FILES).flatMap(([file, text]) =>
    [...text.matchAll(UTILITY)].map(([utility, name]) => ({ file, utility, name })),
  );
  expect(used.length).toBeGreaterThan(500);
  expect(used.filter(({ name }) => !COLOURS.has(name))).toEqual([]);
});
