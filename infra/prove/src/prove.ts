import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readArguments, readPositive } from '@vuka/service-kit/command-line';
import { proveLostCommits } from './lost-commits.ts';
import { randomSeed } from './random.ts';
import type { Recovery } from './recoveries.ts';
import { isProved, type ProofResult, runProof } from './run-proof.ts';

const RESULTS = fileURLToPath(new URL('../../../prove-results/', import.meta.url));

const USAGE = `Usage: npm run prove -- [--minutes <n>] [--seed <n>] [--merchants <n>] [--pause <ms>] [--replicas <n>] [--often <n>]
                          [--only <words>] [--embedded | --cluster] [--upgrade-from <commit>]
       npm run prove -- --cluster --async`;
const { values } = readArguments(USAGE, {
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    merchants: { type: 'string', default: '64' },
    /** Mean pause of a merchant between two orders, ms. */
    pause: { type: 'string', default: '100' },
    /** Processes of each service. */
    replicas: { type: 'string', default: '1' },
    /** Postgres has a synchronous standby, and RabbitMQ three nodes. */
    cluster: { type: 'boolean', default: false },
    /** With `--cluster`: a separate run in which an asynchronous standby that lacks the last commits is promoted. */
    async: { type: 'boolean', default: false },
    /** A commit. The services are upgraded from it to this checkout, rolled back and upgraded again. */
    'upgrade-from': { type: 'string' },
    /** How many times as often as usual faults come. */
    often: { type: 'string', default: '1' },
    /** On the embedded bus, as `npm start` runs without an AMQP_URL. */
    embedded: { type: 'boolean', default: false },
    /** Words that select faults, separated by commas. */
    only: { type: 'string', default: '' },
  },
});

/** The most characters of a line of evidence that are printed. */
const LINE_SHOWN = 600;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Median and worst of sorted values. */
function spread(sorted: readonly Recovery[]): string {
  return `${sorted[Math.floor(sorted.length / 2)]?.ms ?? 0} / ${sorted.at(-1)?.ms ?? 0}`;
}

const isKillOfProcess = ({ kind }: Recovery): boolean => kind.startsWith('kill ') && !/postgres|broker/.test(kind);

function report(result: ProofResult): void {
  const { lost, doubled, violations, recoveries, faults } = result;
  const injected = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const rows: [string, unknown][] = [
    ['seed', result.seed],
    ['requests; reads', `${result.requests}; ${result.reads}`],
    ...Object.entries(result.exercised),
    ['orders acknowledged', result.acknowledged],
    ['orders without a clear answer until repeated / resolved', `${result.unknown} / ${result.resolved}`],
    ['transfers in the books: settled / failed', `${result.settled} / ${result.failed}`],
    ['lost', lost.length],
    ['doubled', doubled.length],
    ['violations', violations.length],
    ['faults, of kinds', `${injected}, ${Object.keys(faults).length}`],
    ['time to recover from a kill of a process, median / worst, ms', spread(recoveries.filter(isKillOfProcess))],
    [
      'the same, while the servers were sound, ms',
      spread(recoveries.filter((recovery) => isKillOfProcess(recovery) && recovery.isAlone)),
    ],
    ['time to recover from anything, median / worst, ms', spread(recoveries)],
    ['all ended after the last fault, ms', result.settledAfterMs ?? '**not within 240 s**'],
  ];
  say('\n| | |\n|---|---|');
  for (const [name, value] of rows) say(`| ${name} | ${value} |`);
  say('\n| fault | times | recovered after, ms |\n|---|---|---|');
  for (const [kind, times] of Object.entries(faults).sort()) {
    const after = recoveries.filter((recovery) => recovery.kind === kind).map(({ ms }) => ms);
    say(`| ${kind} | ${times} | ${after.join(', ')} |`);
  }
  say('\n| answer | times |\n|---|---|');
  for (const [answer, times] of Object.entries(result.answers).sort()) say(`| ${answer} | ${times} |`);
  for (const line of [...lost, ...doubled, ...violations].slice(0, 50)) say(`VIOLATION ${line}`);
  if (result.story.length > 0) say('\nThe shortest story of what broke:');
  for (const line of result.story) say(line.slice(0, LINE_SHOWN));
}

async function keep(result: object): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  await writeFile(`${RESULTS}prove.json`, `${JSON.stringify(result, null, 2)}\n`);
}

async function proveAsynchronous(): Promise<boolean> {
  const result = await proveLostCommits(say);
  const { lost, doubled, violations } = result;
  say('\n| | |\n|---|---|');
  for (const [name, value] of Object.entries(result))
    say(`| ${name} | ${Array.isArray(value) ? value.length : value} |`);
  for (const line of [...lost, ...doubled, ...violations]) say(`VIOLATION ${line}`);
  await keep(result);
  return [lost, doubled, violations].every(({ length }) => length === 0);
}

async function proveUnderFaults(): Promise<boolean> {
  const number = (name: 'minutes' | 'merchants' | 'pause' | 'replicas' | 'often') =>
    readPositive(USAGE, `--${name}`, values[name]);
  const seed = values.seed === undefined ? randomSeed() : readPositive(USAGE, '--seed', values.seed);
  const result = await runProof({
    seed,
    bundleDir: `${RESULTS}failed-${seed}/`,
    lengthMs: number('minutes') * 60_000,
    merchants: number('merchants'),
    pauseMs: number('pause'),
    isEmbedded: values.embedded,
    replicas: number('replicas'),
    isCluster: values.cluster,
    upgradeFrom: values['upgrade-from'],
    often: number('often'),
    only: values.only.split(',').filter((word) => word !== ''),
    say,
  });
  report(result);
  await keep(result);
  return isProved(result);
}

const holds = values.async ? await proveAsynchronous() : await proveUnderFaults();
if (!holds) process.exitCode = 1;
