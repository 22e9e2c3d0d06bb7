import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '@vuka/service-kit/command-line';
import { setup, teardown } from '@vuka/test-kit/global-setup';
import { askForServer } from '@vuka/test-kit/test-servers';
import { hasEngine } from './containers.ts';
import { buildServices } from './service-build.ts';
import { ROOT } from './start-settings.ts';
import { type Count, countVitest } from './test-report.ts';
import { buildWebApp } from './web-build.ts';

const KINDS = ['check', 'unit', 'web', 'integration', 'product', 'browser', 'compose'] as const;
type Kind = (typeof KINDS)[number];

const USAGE = `Usage: npm test [-- ${KINDS.join('|')} ...]
       npm test -- <kind> <arguments of its runner>`;
const NEED_SERVERS = ['integration', 'product', 'browser'];
/** These run the whole product. */
const NEED_BUILDS = ['product', 'browser'];
const STARTED = Date.now();

interface Run {
  /** The directory for reports. */
  dir: string;
  /** Arguments for the runner of the kind, such as a path. */
  extra: string[];
}

/** Runs a program of the repository's modules under the pinned Node; returns its exit code. */
function runTool(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...toolEnv(), ...env } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** With the tools and the pinned Node first on the path; without settings of a running product. */
function toolEnv(): NodeJS.ProcessEnv {
  const own = ['PORT', 'HOST', 'DATABASE_URL', 'AMQP_URL', 'BUS_DATABASE_URL', 'NODE_ENV', 'NODE_COMPILE_CACHE'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.includes(name)));
  const path = [join(ROOT, 'node_modules/.bin'), env.PATH].join(process.platform === 'win32' ? ';' : ':');
  return { ...env, PATH: path, TURBO_TELEMETRY_DISABLED: '1' };
}

/** A program of `node_modules/.bin`, as a script for Node. */
function binOf(name: string): string {
  const link = join(ROOT, 'node_modules/.bin', name);
  if (!existsSync(link)) throw new Error(`${name} is not installed`);
  return realpathSync(link);
}

async function check(): Promise<Count> {
  const steps: [string, string[]][] = [
    ['formatting and lint', [binOf('biome'), 'ci', '.']],
    ['imports between folders', [join(ROOT, 'infra/local/src/check-folders.ts')]],
    ['currencies outside their table', [join(ROOT, 'infra/local/src/check-corridors.ts')]],
    ['boundaries between packages', [binOf('turbo'), 'boundaries']],
    ['types', [binOf('turbo'), 'run', 'typecheck', '--output-logs=errors-only']],
    ['unused files, exports and dependencies', [binOf('knip')]],
  ];
  const count = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
  for (const [name, args] of steps) {
    const passed = (await runTool(args)) === 0;
    count[passed ? 'passed' : 'failed'] += 1;
    if (!passed) count.failures.push(name);
    console.log(`${passed ? 'passed' : 'FAILED'}: ${name}`);
  }
  return count;
}

function vitest(project: string) {
  return async ({ dir, extra }: Run): Promise<Count> => {
    const file = join(dir, `${project}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const env = NEED_SERVERS.includes(project) ? await testServers() : {};
    // Built once here, because otherwise several test files would build it concurrently.
    if (NEED_BUILDS.includes(project)) await Promise.all([buildWebApp(console.log), buildServices(console.log)]);
    const code = await runTool([binOf('vitest'), 'run', '--project', project, ...reporters, ...extra], env);
    return countVitest(file, code);
  };
}

let serversStarted = false;

/** One Postgres and one broker for all kinds that need them. */
async function testServers(): Promise<Record<string, string>> {
  if (!serversStarted) await setup();
  serversStarted = true;
  const [postgres, rabbitmq] = await Promise.all([askForServer('postgres'), askForServer('rabbitmq')]);
  return {
    TEST_DATABASE_URL: postgres.url,
    TEST_AMQP_URL: rabbitmq.amqpUrl,
    TEST_RABBITMQ_MANAGEMENT_URL: rabbitmq.managementUrl,
  };
}

const RUNNERS: Record<Kind, (run: Run) => Promise<Count>> = {
  check,
  unit: vitest('unit'),
  web: vitest('web'),
  integration: vitest('integration'),
  product: vitest('product'),
  browser: vitest('browser'),
  compose: vitest('compose'),
};

function splitArguments(args: string[]): { kinds: readonly Kind[]; extra: string[] } {
  const isKind = (arg: string): arg is Kind => (KINDS as readonly string[]).includes(arg);
  const kinds = args.filter(isKind);
  const extra = args.filter((arg) => !isKind(arg) && arg !== '--');
  // The runner of a single kind has options of its own.
  if (kinds.length !== 1) readArguments(USAGE, { args: extra, options: {} });
  return { kinds, extra };
}

async function runKind(kind: Kind, run: Run): Promise<Count> {
  console.log(`\n=== ${kind}`);
  try {
    return await RUNNERS[kind](run);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: 1, skipped: 0, failures: [message] };
  }
}

async function main(): Promise<number> {
  const { kinds: asked, extra } = splitArguments(process.argv.slice(2));
  // Containers need an engine, which not every machine has.
  const possible = (await hasEngine()) ? KINDS : KINDS.filter((kind) => kind !== 'compose');
  const kinds = asked.length > 0 ? asked : possible;
  const dir = await mkdtemp(join(tmpdir(), 'vuka-tests-'));
  const counts: [Kind, Count][] = [];
  try {
    for (const kind of kinds) counts.push([kind, await runKind(kind, { dir, extra })]);
  } finally {
    if (serversStarted) await teardown();
    await rm(dir, { recursive: true, force: true });
  }
  // Repeated at the end, below thousands of lines of output.
  for (const [kind, { failures = [] }] of counts) {
    for (const failure of failures) console.log(`\nFAILED in ${kind}: ${failure}`);
  }
  console.log(`\nAfter ${Math.round((Date.now() - STARTED) / 1_000)} s:`);
  for (const [kind, { passed, failed, skipped }] of counts) {
    const rest = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(`  ${kind.padEnd(12)} ${passed} passed, ${failed} failed${rest}`);
  }
  const sum = (of: 'passed' | 'failed') => counts.reduce((total, [, count]) => total + count[of], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
