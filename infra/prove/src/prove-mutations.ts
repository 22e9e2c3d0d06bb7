import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endAsMisused, readArguments } from '@vuka/service-kit/command-line';
import { type Mutation, readMutations } from './mutations.ts';
import type { ProofResult } from './run-proof.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROVE = fileURLToPath(new URL('./prove.ts', import.meta.url));
const RESULT = `${ROOT}prove-results/prove.json`;

/** What each mutation runs with, unless it names another value. */
const DEFAULTS = ['--minutes', '0.5', '--seed', '7'];
const SHOWN = 160;

const say = (line: string) => process.stdout.write(`${line}\n`);
const git = (...args: string[]) => execute('git', args, { cwd: ROOT });

interface Caught {
  /** The finding that names what was broken. */
  finding: string | undefined;
  /** The first finding of any kind. */
  first: string | undefined;
  findings: number;
}

/** Undefined if there is none: a broken rule may also end the proof itself, which names nothing. */
async function readResult(): Promise<ProofResult | undefined> {
  const text = await readFile(RESULT, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as ProofResult);
}

/** Runs the proof with the arguments. Returns all its findings; undefined if it ended without a result. */
async function findingsWith(args: string[]): Promise<string[] | undefined> {
  await rm(RESULT, { force: true });
  const child = spawn(process.execPath, [PROVE, ...DEFAULTS, ...args], { cwd: ROOT, stdio: 'ignore' });
  await once(child, 'exit');
  const result = await readResult();
  return result && [...result.lost, ...result.doubled, ...result.violations];
}

/** Applies the mutation, lets the proof run, and takes the mutation back. Returns the finding that names it, if any. */
async function catchIt({ path, args, reports }: Mutation): Promise<Caught> {
  await git('apply', path);
  const all = await findingsWith(args).finally(() => git('apply', '-R', path));
  if (!all) return { finding: undefined, first: 'the proof ended without a result', findings: 0 };
  return { finding: all.find((finding) => reports.test(finding)), first: all[0], findings: all.length };
}

/** A proof that also finds something in the unbroken code shows nothing about a mutation that runs with the same arguments. */
async function reportUnbroken(args: string[]): Promise<void> {
  const findings = (await findingsWith(args)) ?? ['the proof ended without a result'];
  const first = findings[0]?.slice(0, SHOWN);
  say(`| none, \`${args.join(' ')}\` | ${findings.length} | ${first ? `**not clean**: ${first}` : ''} |`);
  if (first) process.exitCode = 1;
}

const USAGE = 'Usage: npm run prove:mutations -- [<name of a patch in infra/prove/mutations> ...]';
const { positionals: names } = readArguments(USAGE, { allowPositionals: true });
const known = readMutations();
const unknown = names.find((name) => !known.some((mutation) => mutation.name === name));
if (unknown !== undefined) endAsMisused(`There is no mutation '${unknown}'.\n${USAGE}`);
const mutations = known.filter(({ name }) => names.length === 0 || names.includes(name));
await git('diff', '--quiet', 'HEAD', '--', 'services', 'packages', 'infra/payout-simulator').catch(() => {
  throw new Error(
    'services, packages or the simulator have uncommitted changes: commit them first, since mutations change these files',
  );
});
// Ctrl-C also ends the proof, and then the mutation is taken back. No other mutation begins.
let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
});
say('| mutation | findings | caught by |\n|---|---|---|');
const tried = new Set<string>();
for (const mutation of mutations) {
  if (!tried.has(mutation.args.join(' '))) {
    tried.add(mutation.args.join(' '));
    await reportUnbroken(mutation.args);
  }
  if (isInterrupted) break;
  const { finding, first = 'nothing', findings } = await catchIt(mutation);
  const shown = (finding ?? first).slice(0, SHOWN);
  say(`| ${mutation.name} | ${findings} | ${finding ? shown : `**not caught**: ${shown}`} |`);
  if (!finding) process.exitCode = 1;
  if (isInterrupted) break;
}
