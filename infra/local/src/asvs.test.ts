import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './start-settings.ts';

/** The sections of ASVS 5.0.0 with the level of each requirement, in order. Level 3 comes last and is omitted. */
const SECTIONS = `
  1.1 22, 1.2 111112222, 1.3 11222222222, 1.4 222, 1.5 12
  2.1 122, 2.2 112, 2.3 1222, 2.4 2
  3.2 11, 3.3 1222, 3.4 112222, 3.5 11122, 3.7 22
  4.1 122, 4.2 2, 4.3 22, 4.4 1222
  5.1 2, 5.2 112, 5.3 11, 5.4 222
  6.1 122, 6.2 111111112222, 6.3 1122, 6.4 1122, 6.5 22222, 6.6 222, 6.8 2222
  7.1 222, 7.2 1111, 7.3 22, 7.4 11222, 7.5 22, 7.6 22
  8.1 12, 8.2 112, 8.3 1, 8.4 2
  9.1 111, 9.2 1222
  10.1 22, 10.2 22, 10.3 2222, 10.4 11111222222, 10.5 22222, 10.6 22, 10.7 222
  11.1 22, 11.2 222, 11.3 112, 11.4 1222, 11.5 2, 11.6 2
  12.1 122, 12.2 11, 12.3 2222
  13.1 2, 13.2 22222, 13.3 22, 13.4 12222
  14.1 22, 14.2 1222, 14.3 122
  15.1 122, 15.2 122, 15.3 1222222
  16.1 2, 16.2 22222, 16.3 2222, 16.4 222, 16.5 222
  17.1 2, 17.2 2222, 17.3 22`;
const STATES = ['met', 'partly', 'not met', 'does not apply'];

const requirements = [...SECTIONS.matchAll(/(\d+\.\d+) ([12]+)/g)].flatMap(([, section, levels = '']) =>
  [...levels].map((level, index) => ({ id: `V${section}.${index + 1}`, level })),
);
const levelOf = new Map(requirements.map(({ id, level }) => [id, level]));

const page = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const ROW = /^\| (?<id>V\d+\.\d+\.\d+) (?<name>[^|]+) \| (?<state>[^|]+) \| (?<how>[^|]+) \|$/gm;
const rows = [...page.matchAll(ROW)].map(({ groups: { id = '', state = '', how = '' } = {} }) => ({ id, state, how }));

/** Code spans that name a file of the repository; routes begin with a slash, settings have no dot. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => /^[\w.-][\w./-]*$/.test(span) && span.includes('.'));

const idsOf = (state: string) => rows.filter((row) => row.state === state).map(({ id }) => id);

test('every requirement of levels 1 and 2 has one row, in order', () => {
  expect(requirements).toHaveLength(253);
  expect(rows.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
});

test('every row has one of four states; what is met names the file that shows it', () => {
  expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([]);
  expect(rows.filter(({ state, how }) => state === 'met' && pathsIn(how).length === 0)).toEqual([]);
});

test('every file that a row names exists', () => {
  const named = rows.flatMap(({ id, how }) => pathsIn(how).map((path) => ({ id, path })));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the summary counts the rows, and lists each requirement that is open', () => {
  for (const state of STATES) {
    const ids = idsOf(state);
    const [first, second] = ['1', '2'].map((level) => ids.filter((id) => levelOf.get(id) === level).length);
    expect(page).toContain(`\n| ${state} | ${first} | ${second} | ${ids.length} |\n`);
  }
  const lines = [...page.matchAll(/^\| ((?:V[\d.]+(?:, )?)*) ?\| ((?:V[\d.]+(?:, )?)*) ?\| .+ \|$/gm)];
  const listed = (column: 1 | 2) => lines.flatMap((line) => line[column]?.match(/V[\d.]+\d/g) ?? []).sort();
  expect(listed(1)).toEqual(idsOf('not met').sort());
  expect(listed(2)).toEqual(idsOf('partly').sort());
});
