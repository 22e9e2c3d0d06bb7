import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Servers } from './servers.ts';
import { type TwoLoads, takeTwoLoads } from './transfers-bench.ts';
import { withProduct } from './with-product.ts';
import { createYardstick, median, type Yardstick } from './yardstick.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface CompareOptions {
  /** The commit to compare this checkout with. */
  commit: string;
  /** Runs of each side. */
  pairs: number;
  /** Seconds per load. */
  seconds: number;
  merchants: number;
}

const ENOUGH_PAIRS = 5;

interface Run extends TwoLoads {
  pgbench: number;
}

export interface Comparison {
  commit: string;
  pairs: { old: Run; new: Run }[];
}

/** One line of the comparison; `better` says which direction is an improvement. */
interface Figure {
  name: string;
  better: 'higher' | 'lower';
  of: (run: Run) => number;
}

const FIGURES: Figure[] = [
  { name: 'settled per s', better: 'higher', of: ({ full }) => full.settledPerSecond },
  { name: 'settled per s, of pgbench', better: 'higher', of: ({ full, pgbench }) => full.settledPerSecond / pgbench },
  { name: 'refused orders per accepted one', better: 'lower', of: ({ full }) => full.refused / full.accepted },
  { name: 'processor ms per transfer', better: 'lower', of: ({ full }) => full.processorMs?.all ?? Number.NaN },
  { name: 'the same at half load', better: 'lower', of: ({ half }) => half.processorMs?.all ?? Number.NaN },
  { name: 'accept p50 at half load, ms', better: 'lower', of: ({ half }) => half.acceptP50Ms },
  { name: 'accept p99 at half load, ms', better: 'lower', of: ({ half }) => half.acceptP99Ms },
  { name: 'accept to settled p50 at half load, ms', better: 'lower', of: ({ half }) => half.settleP50Ms },
];

/**
 * Runs another commit and this checkout in turn (old, new, new, old, ...) on the same servers under the same load. The
 * half load is half of what the first run settled, for both.
 */
export async function compare(
  servers: Servers,
  options: CompareOptions,
  say: (line: string) => void,
): Promise<Comparison> {
  const checkout = await checkOut(options.commit, say);
  const yardstick = await createYardstick(servers, 5);
  try {
    const pairs: Comparison['pairs'] = [];
    let half = 0;
    for (let pair = 0; pair < options.pairs; pair++) {
      const order = pair % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
      const runs: Partial<Record<'old' | 'new', Run>> = {};
      for (const side of order) {
        const root = side === 'old' ? checkout.path : ROOT;
        const run = await measureOnce(servers, yardstick, { ...options, root, half });
        half ||= run.half.settledPerSecond;
        runs[side] = run;
        say(`  ${pair + 1} of ${options.pairs}, ${side}: ${run.full.settledPerSecond}/s, pgbench ${run.pgbench}`);
      }
      if (runs.old && runs.new) pairs.push({ old: runs.old, new: runs.new });
    }
    return { commit: options.commit, pairs };
  } finally {
    await yardstick.drop();
    await checkout.remove();
  }
}

async function measureOnce(
  servers: Servers,
  yardstick: Yardstick,
  { root, half, merchants, seconds }: CompareOptions & { root: string; half: number },
): Promise<Run> {
  await yardstick.measure();
  const loads = await withProduct(
    servers,
    (product) => takeTwoLoads(product, { merchants, seconds, perSecond: half }),
    { root },
  );
  return { ...loads, pgbench: yardstick.readings.at(-1) ?? Number.NaN };
}

/** The commit with its own modules, in a temporary directory. */
async function checkOut(commit: string, say: (line: string) => void) {
  const path = await mkdtemp(join(tmpdir(), 'vuka-compare-'));
  say(`installing ${commit} ...`);
  await execute('git', ['clone', '--quiet', '--no-checkout', ROOT, path]);
  await execute('git', ['checkout', '--quiet', commit], { cwd: path });
  await execute('npm', ['ci', '--no-audit', '--no-fund'], { cwd: path, maxBuffer: 2 ** 26 });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Prints the medians of both sides and whether the difference is real: every pair must agree on its direction. Five
 * pairs agree by chance once in sixteen times, so a figure that matters is measured again.
 */
export function printComparison({ commit, pairs }: Comparison, say: (line: string) => void): void {
  say(`\n| medians of ${pairs.length} pairs | ${commit} | this checkout | change (each pair) | |`);
  say('|---|---|---|---|---|');
  for (const { name, better, of } of FIGURES) {
    const changes = pairs.map((pair) => of(pair.new) / of(pair.old) - 1);
    const sides = (['old', 'new'] as const).map((side) => round(median(pairs.map((pair) => of(pair[side])))));
    const each = changes.map(percent).join(', ');
    say(`| ${name} | ${sides.join(' | ')} | ${percent(median(changes))} (${each}) | ${verdict(changes, better)} |`);
  }
  printProcesses({ commit, pairs }, say);
}

/** Prints the processor time of the half load by process, the largest difference first. */
function printProcesses({ commit, pairs }: Comparison, say: (line: string) => void): void {
  const names = Object.keys(pairs[0]?.new.half.processorMs ?? {}).filter((name) => name !== 'all');
  const rows = names.map((name) => {
    const [before, now] = (['old', 'new'] as const).map((side) =>
      median(pairs.map((pair) => pair[side].half.processorMs?.[name] ?? 0)),
    ) as [number, number];
    return { name, before, now };
  });
  rows.sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
  say(`\n| processor ms per transfer at half load | ${commit} | this checkout |\n|---|---|---|`);
  for (const { name, before, now } of rows) say(`| ${name} | ${round(before)} | ${round(now)} |`);
}

function verdict(changes: number[], better: Figure['better']): string {
  if (changes.length < ENOUGH_PAIRS) return 'too few pairs';
  const isHigher = changes.every((change) => change > 0);
  if (!isHigher && !changes.every((change) => change < 0)) return 'within noise';
  return isHigher === (better === 'higher') ? '**better**' : '**worse**';
}

const round = (value: number) => String(Number(value.toPrecision(3)));
const percent = (share: number) => `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`;
