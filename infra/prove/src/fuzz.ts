import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readArguments, readPositive } from '@vuka/service-kit/command-line';
import { randomSeed } from './random.ts';
import { runFuzz } from './run-fuzz.ts';

const RESULTS = fileURLToPath(new URL('../../../prove-results/', import.meta.url));

const USAGE = 'Usage: npm run fuzz -- [--requests <n>] [--seed <n>]';
const { values } = readArguments(USAGE, {
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

const result = await runFuzz({
  seed: values.seed === undefined ? randomSeed() : readPositive(USAGE, '--seed', values.seed),
  requests: readPositive(USAGE, '--requests', values.requests),
  say,
});
say(`seed ${result.seed}: ${result.requests} requests to ${result.operations} calls`);
say(
  `answers: ${Object.entries(result.answers)
    .map(([status, times]) => `${status} ${times}`)
    .join(', ')}`,
);
for (const { what, times, example } of result.findings) say(`FINDING ${what}, ${times} times\n  ${example}`);
await mkdir(RESULTS, { recursive: true });
await writeFile(`${RESULTS}fuzz.json`, `${JSON.stringify(result, null, 2)}\n`);
if (result.findings.length > 0) process.exitCode = 1;
