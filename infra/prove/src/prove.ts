import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ProofResult, runProof } from './run-proof.ts';

const RESULTS = fileURLToPath(new URL('../../../prove-results/', import.meta.url));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    merchants: { type: 'string', default: '32' },
    /** Mean pause of a merchant between two orders, ms. */
    pause: { type: 'string', default: '250' },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(result: ProofResult): void {
  const { lost, doubled, violations, recoveriesMs, faults } = result;
  const injected = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const rows: [string, unknown][] = [
    ['seed', result.seed],
    ['requests', result.requests],
    ['orders acknowledged', result.acknowledged],
    ['orders without a clear answer until asked again / resolved', `${result.unknown} / ${result.resolved}`],
    ['transfers in the books: settled / failed', `${result.settled} / ${result.failed}`],
    ['lost', lost.length],
    ['doubled', doubled.length],
    ['violations', violations.length],
    ['faults, of kinds', `${injected}, ${Object.keys(faults).length}`],
    ['time to recover, median / worst, ms', `${percentile(recoveriesMs, 0.5)} / ${recoveriesMs.at(-1) ?? 0}`],
    ['all ended after the last fault, ms', result.settledAfterMs ?? '**not within 60 s**'],
  ];
  say('\n| | |\n|---|---|');
  for (const [name, value] of rows) say(`| ${name} | ${value} |`);
  say('\n| fault | times |\n|---|---|');
  for (const [kind, times] of Object.entries(faults).sort()) say(`| ${kind} | ${times} |`);
  say('\n| answer | times |\n|---|---|');
  for (const [answer, times] of Object.entries(result.answers).sort()) say(`| ${answer} | ${times} |`);
  for (const line of [...lost, ...doubled, ...violations].slice(0, 50)) say(`VIOLATION ${line}`);
}

const result = await runProof({
  seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed),
  lengthMs: Number(values.minutes) * 60_000,
  merchants: Number(values.merchants),
  pauseMs: Number(values.pause),
  say,
});
report(result);
await mkdir(RESULTS, { recursive: true });
await writeFile(`${RESULTS}prove.json`, `${JSON.stringify(result, null, 2)}\n`);
const isProved = [result.lost, result.doubled, result.violations].every((list) => list.length === 0);
if (!isProved || result.settledAfterMs === null) process.exitCode = 1;
