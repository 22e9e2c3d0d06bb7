import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Servers } from './servers.ts';
import { closedLoop, warmUp } from './transfers-bench.ts';
import { withProduct } from './with-product.ts';

/** A file of `node --cpu-prof`, which Chrome's developer tools and speedscope draw as a flame graph. */
interface CpuProfile {
  /** By the monotonic clock, like `process.hrtime`, µs; so are the deltas. */
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The busiest functions of one process. */
export interface ProfiledProcess {
  /** The script that it runs, from the repository's root. */
  script: string;
  busyMs: number;
  top: { where: string; ms: number }[];
}

export interface ProfileOptions {
  /** Where the profiles are written; emptied first. */
  dir: string;
  seconds: number;
  merchants: number;
}

const TOP = 25;
/** The samples of a process that waits or that V8 cannot attribute. */
const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** By the monotonic clock, µs. */
interface Span {
  from: number;
  to: number;
}

/**
 * Runs 256 clients against the product while each of its processes writes a profile; returns the busiest functions of
 * that time by their own samples. The files also hold the start and the registrations.
 */
export async function profileProduct(servers: Servers, options: ProfileOptions): Promise<ProfiledProcess[]> {
  await rm(options.dir, { recursive: true, force: true });
  await mkdir(options.dir, { recursive: true });
  const env = { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${options.dir}` };
  const span = await withProduct(
    servers,
    async (product) => {
      const senders = await product.makeSenders(options.merchants);
      await warmUp(product, senders, options.seconds * 2);
      const from = nowMicros();
      await closedLoop(product, senders, { name: 'profiled', clients: 256, seconds: options.seconds });
      return { from, to: nowMicros() };
    },
    { env },
  );
  const files = (await readdir(options.dir)).filter((name) => name.endsWith('.cpuprofile'));
  const profiles = await Promise.all(
    files.map(async (name) => summarise(await readProfile(join(options.dir, name)), span)),
  );
  return profiles.filter(({ busyMs }) => busyMs > 0).sort((a, b) => b.busyMs - a.busyMs);
}

const nowMicros = () => Number(process.hrtime.bigint() / 1_000n);

async function readProfile(file: string): Promise<CpuProfile> {
  return JSON.parse(await readFile(file, 'utf8')) as CpuProfile;
}

/** Adds up the time of each function's own samples within the span, ms. */
function summarise({ nodes, samples, timeDeltas, startTime }: CpuProfile, { from, to }: Span): ProfiledProcess {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const own = new Map<string, number>();
  let time = startTime;
  samples.forEach((id, at) => {
    time += timeDeltas[at] ?? 0;
    const frame = frames.get(id);
    if (!frame || IDLE.has(frame.functionName) || time < from || time > to) return;
    const where = `${frame.functionName || '(anonymous)'} ${shorten(frame.url)}:${frame.lineNumber + 1}`;
    own.set(where, (own.get(where) ?? 0) + (timeDeltas[at] ?? 0) / 1_000);
  });
  const sorted = [...own].map(([where, ms]) => ({ where, ms })).sort((a, b) => b.ms - a.ms);
  const script = nodes
    .map(({ callFrame }) => shorten(callFrame.url))
    .find((url) => /\/src\/(main|worker|start)\./.test(url));
  return { script: script ?? '?', busyMs: sorted.reduce((sum, { ms }) => sum + ms, 0), top: sorted.slice(0, TOP) };
}

const shorten = (url: string) => url.replace(/^.*?\/((?:node_modules|services|packages|infra)\/)/, '$1');

export function printProfiles(profiles: readonly ProfiledProcess[], say: (line: string) => void): void {
  for (const { script, busyMs, top } of profiles) {
    say(`\n${script}: ${Math.round(busyMs)} ms\n\n| own ms | function |\n|---|---|`);
    for (const { where, ms } of top) say(`| ${Math.round(ms)} | ${where} |`);
  }
}
