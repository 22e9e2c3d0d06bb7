import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { check, type Diagnostics } from 'recheck';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOT } from '#start-settings.ts';

/** Regular expressions with more than linear time, and why they cannot be exploited. */
const ACCEPTED: Record<string, string> = {
  '/,(?=\\d{0,4}\\D*$)/': 'reads what the user types, in their own browser',
  '/\\B(?=(\\d{3})+$)/g': 'reads an amount of ours, of twenty digits at most, in the browser',
};

/**
 * Files that build regular expressions at run time. None of these may contain outside input; the samples match our own
 * patterns with texts of ours.
 */
const BUILT = [
  'packages/money/src/phones.ts',
  'services/gateway/src/openapi/samples.ts',
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

// The pure backend needs neither a separate process nor Java, so the tests run everywhere.
beforeEach(() => void vi.stubEnv('RECHECK_BACKEND', 'pure'));
afterEach(() => vi.unstubAllEnvs());

/** Without the library's time limits the verdict does not depend on the load. Its limits by count remain. */
const UNTIMED = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
const judge = (source: string, flags = ''): Promise<Diagnostics> => check(source, flags, UNTIMED);

const { written, building } = readCode();
const distinct = new Map(written.map((regex) => [`/${regex.source}/${regex.flags}`, regex]));

test('the code has regular expressions, among them the accepted ones', () => {
  expect(distinct.size).toBeGreaterThan(100);
  expect(Object.keys(ACCEPTED).filter((regex) => !distinct.has(regex))).toEqual([]);
});

// One test per expression, because the total time grows with the code. Only a hang reaches this limit.
vi.setConfig({ testTimeout: 120_000 });
test.each([...distinct])('%s takes at most linear time, or is accepted', async (regex, { source, flags, path }) => {
  const { status } = await judge(source, flags);
  expect(`${path}: ${status}`).toBe(`${path}: ${regex in ACCEPTED ? 'vulnerable' : 'safe'}`);
});

test('no other file builds regular expressions at run time', () => {
  expect(building).toEqual(BUILT);
});

test('the check detects a quadratic expression, as once in callbacks, and an exponential one', async () => {
  const member = '([a-z*][a-z0-9_.*-]*)=(\\([^()]*\\)(?:;[a-z*][a-z0-9_.*-]*=(?:"[^"]*"|[^;,\\s"]+))*)';
  expect(await judge(member, 'g')).toMatchObject({ status: 'vulnerable', complexity: { type: 'polynomial' } });
  expect(await judge('^(a+)+$')).toMatchObject({ status: 'vulnerable', complexity: { type: 'exponential' } });
});
