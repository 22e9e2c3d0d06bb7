import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMutations } from './mutations.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const mutations = readMutations();

test.each(mutations)('$name still applies to the code', ({ path }) => {
  execFileSync('git', ['apply', '--check', path], { cwd: ROOT, stdio: 'pipe' });
});

test('every rule that the proof must check has its mutation', () => {
  expect(mutations.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'ack-before-commit',
      'capture-another-amount',
      'new-id-on-retry',
      'no-inbox',
      'refused-repeat-is-proof',
      'release-on-timeout',
      'skip-hold',
    ]),
  );
});

test('a mutation says how the proof is run, and words in quotes stay one argument', () => {
  const { args, breaks } = mutations.find(({ name }) => name === 'skip-hold') ?? {};
  expect(breaks).toBe('A payout is made without its money being reserved first.');
  expect(args).toEqual(['--minutes', '0.25', '--merchants', '24', '--only', 'messages again']);
});
