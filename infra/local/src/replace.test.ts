import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '#start-settings.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vuka-replace-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Stands for compose: the broker's files are in `dir`, and `topology` writes the release's definitions. */
const COMPOSE = `
dir=\${0%/*}
case $1 in
  exec)
    shift 3
    set -- "\${@//\\/tmp\\/vuka/$dir/vuka}"
    "\${@//\\/etc\\/vuka/$dir}" ;;
  run)
    echo 'of the release' > "$dir/definitions.json"
    exit "$(cat "$dir/ends-with")" ;;
  restart) echo restarted >> "$dir/log" ;;
esac
`;

test('a broker whose restart was missed, because an upgrade was interrupted, restarts in the next one', async () => {
  await writeFile(join(dir, 'compose'), COMPOSE);
  await writeFile(join(dir, 'definitions.json'), 'of the release before\n');
  await writeFile(join(dir, 'log'), '');
  const env = { ...process.env, COMPOSE: `bash ${join(dir, 'compose')}` };
  const replace = () => promisify(execFile)('bash', [join(ROOT, 'infra/replace.sh'), 'topology'], { env });
  const log = () => readFile(join(dir, 'log'), 'utf8');

  await writeFile(join(dir, 'ends-with'), '130');
  await expect(replace()).rejects.toMatchObject({ code: 130 });
  expect(await log()).toBe('');
  await writeFile(join(dir, 'ends-with'), '0');
  await replace();
  expect(await log()).toBe('restarted\n');
  await replace();
  expect(await log()).toBe('restarted\n');
});
