import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MUTATIONS = fileURLToPath(new URL('../mutations/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const patches = readdirSync(MUTATIONS);

test.each(patches)('%s still applies to the code', (patch) => {
  execFileSync('git', ['apply', '--check', `${MUTATIONS}${patch}`], { cwd: ROOT, stdio: 'pipe' });
});

test('every rule that the proof must check has its mutation', () => {
  expect(patches).toEqual(
    expect.arrayContaining([
      'ack-before-commit.patch',
      'capture-another-amount.patch',
      'new-id-on-retry.patch',
      'no-inbox.patch',
      'refused-repeat-is-proof.patch',
      'release-on-timeout.patch',
      'skip-hold.patch',
    ]),
  );
});
