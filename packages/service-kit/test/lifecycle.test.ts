import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = `
  import { runService } from '${import.meta.resolve('#lifecycle.ts')}';
  import { createLogger } from '${import.meta.resolve('#logger.ts')}';
  setInterval(() => undefined, 1_000);
  runService({ logger: createLogger({ service: 'bakery', level: 'info' }), parts: [], onRunning: () => console.log('here') });
`;

test('a process that runs has stored what it compiled, so that its end is not delayed and a kill does not lose it', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'vuka-compiled-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(10);
});
