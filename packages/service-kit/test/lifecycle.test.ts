import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const programWith = (parts: string) => `
  import { runService } from '${import.meta.resolve('#lifecycle.ts')}';
  import { createLogger } from '${import.meta.resolve('#logger.ts')}';
  setInterval(() => undefined, 1_000);
  const logger = createLogger({ service: 'bakery', level: 'silent' });
  runService({ logger, parts: ${parts}, onRunning: () => console.log('here') });
`;

test('a process that runs has stored what it compiled, so that its end is not delayed and a kill does not lose it', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'vuka-compiled-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', programWith('[]')], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(10);
});

test('the parts of one step start at once, the next step waits for all of them, and they stop in reverse', async () => {
  const program = `const part = (name, start) => ({ name, start, stop: () => console.log('no ' + name) });
    const oven = Promise.withResolvers();
    ${programWith(`[
      [part('dough', () => oven.promise), part('oven', () => oven.resolve())],
      part('bread', () => console.log('bread')),
    ]`)}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.endsWith('here\n')) child.kill('SIGTERM');
  }
  expect(output).toMatch(/^bread\nhere\nno bread\n(no dough\nno oven|no oven\nno dough)\n$/);
});
