import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** Stands for compose and the engine: `dir/containers` has a file for each container, with its state and its release. */
const CONTAINERS = `
dir=\${0%/*}/containers
all() { ls "$dir"; }
running() { grep --files-with-matches '^running' -r "$dir" | sed 's|.*/||'; }
set_state() { sed --in-place "s/^[a-z]*/$1/" "$dir/$2"; }
case "$*" in
  "ps --quiet "*) running ;;
  "ps --all --quiet "*) all ;;
  "rm --force "*) grep --files-without-match '^running' -r "$dir" | xargs --no-run-if-empty rm ;;
  up*)
    for one in $(all); do set_state running "$one"; done
    while [ "$(all | wc -l)" -lt "\${7#*=}" ]; do echo running new > "$(mktemp "$dir/XXXXXX")"; done ;;
  stop*) shift 3; for one; do set_state exited "$one"; done ;;
  "rm "*) shift; for one; do rm "$dir/$one"; done ;;
esac
`;

test('a service whose replacement was interrupted does not return to the release before', async () => {
  for (const program of ['compose', 'docker']) {
    await writeFile(join(dir, program), `#!/usr/bin/env bash\nset -euo pipefail${CONTAINERS}`, { mode: 0o755 });
  }
  await mkdir(join(dir, 'containers'));
  await writeFile(join(dir, 'containers/a'), 'exited old\n');
  await writeFile(join(dir, 'containers/b'), 'running new\n');
  const env = { ...process.env, COMPOSE: join(dir, 'compose'), PATH: `${dir}:${process.env.PATH}` };
  await promisify(execFile)('bash', [join(ROOT, 'infra/replace.sh'), 'wallet'], { env });
  const left = await readdir(join(dir, 'containers'));
  expect(await Promise.all(left.map((name) => readFile(join(dir, 'containers', name), 'utf8')))).toEqual([
    'running new\n',
  ]);
});
