import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { check, type Diagnostics } from 'recheck';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOT } from '#settings.ts';

/** Regular expressions with more than linear time, and why they cannot be exploited. */
const ACCEPTED: Record<string, string> = {
  '/,(?=\\d{0,4}\\D*$)/': 'reads what the user types, in their own browser',
  '/\\B(?=(\\d{3})+$)/g': 'reads an amount of ours, of twenty digits at most, in the browser',
};

/** Files that build regular expressions at run time. None of these may contain outside input. */
const BUILT = [
  'apps/web/src/shared/i18n/sentences.ts',
  'packages/money/src/phones.ts',
  'services/gateway/src/web/web-app.ts',
];

interface Written {
  source: string;
  flags: string;
  path: string;
}

const paths = globSync('{services/*,packages/*,apps/web}/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .sort();

/** Every regular expression literal in the code, and the files that build others. */
function readCode() {
  const written: Written[] = [];
  const building = new Set<string>();
  for (const path of paths) {
    const { program, errors } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'));
    if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
    new Visitor({
      Literal(node) {
        if ('regex' in node) written.push({ source: node.regex.pattern, flags: node.regex.flags, path });
      },
      NewExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') building.add(path);
      },
    }).visit(program);
  }
  return { written, building: [...building] };
}

// Without a separate process or Java, wherever the tests run.
beforeEach(() => void vi.stubEnv('RECHECK_BACKEND', 'pure'));
afterEach(() => vi.unstubAllEnvs());

const judge = (source: string, flags = ''): Promise<Diagnostics> => check(source, flags, { timeout: 10_000 });

test('every regular expression takes at most linear time', async () => {
  const { written } = readCode();
  expect(written.length).toBeGreaterThan(100);
  const slow: Record<string, string> = {};
  for (const { source, flags, path } of written) {
    const judged = await judge(source, flags);
    if (judged.status !== 'safe') slow[`/${source}/${flags}`] = `${path}: ${judged.status}`;
  }
  const known = Object.keys(ACCEPTED);
  expect(Object.entries(slow).filter(([regex]) => !known.includes(regex))).toEqual([]);
  expect(known.filter((regex) => !(regex in slow))).toEqual([]);
}, 60_000);

test('no other file builds regular expressions at run time', () => {
  expect(readCode().building).toEqual(BUILT);
});

test('the check detects a quadratic expression, as once in callbacks, and an exponential one', async () => {
  const member = '([a-z*][a-z0-9_.*-]*)=(\\([^()]*\\)(?:;[a-z*][a-z0-9_.*-]*=(?:"[^"]*"|[^;,\\s"]+))*)';
  expect(await judge(member, 'g')).toMatchObject({ status: 'vulnerable', complexity: { type: 'polynomial' } });
  expect(await judge('^(a+)+$')).toMatchObject({ status: 'vulnerable', complexity: { type: 'exponential' } });
});
