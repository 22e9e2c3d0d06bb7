import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz.ts';

const RESULTS = fileURLToPath(new URL('../../../prove-results/', import.meta.url));

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

const result = await runFuzz({
  seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed),
  requests: Number(values.requests),
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
