import type { memoryOf } from './run-product.ts';
import type { LoadResult } from './transfers-bench.ts';
import type { WalletBenchRow } from './wallet-bench.ts';

export interface Report {
  takenAt: string;
  machine: string;
  servers: string;
  /** How busy the machine was before the measurements, as a share of its cores. */
  foreignCpu: number | null;
  /** Transactions per second of pgbench, TPC-B-like, 64 clients; null if it is not installed. */
  pgbench: number | null;
  /** Before the parts, between them and after them; `pgbench` is their median. */
  pgbenchReadings: number[];
  wallet: WalletBenchRow[];
  transfers: LoadResult[];
  walKbPerTransfer: number;
  auditHolds: boolean;
  firstStartMs: number;
  secondStartMs: number;
  memory: ReturnType<typeof memoryOf>;
}

/** Targets: ratios to pgbench in the same run, and absolute limits. */
const TARGETS = { walletAt64: 1.4, settled: 0.1, acceptP99Ms: 60, settleP50Ms: 150, memoryMb: 900, startMs: 10_000 };

/** Prints the report as Markdown tables. */
export function printReport(report: Report, say: (line: string) => void): void {
  const { pgbench } = report;
  const ratio = (perSecond: number) => (pgbench ? (perSecond / pgbench).toFixed(2) : 'n/a');
  const met = (isMet: boolean) => (isMet ? 'met' : '**missed**');
  say(`\n${report.machine}; ${report.servers}; other load before: ${percent(report.foreignCpu)}.`);
  say(
    `pgbench (TPC-B-like, -M prepared -c 64 -j 2, scale 20): ${pgbench ?? 'not installed'} tps (${report.pgbenchReadings.join(', ')}).\n`,
  );
  say('| ledger, hold + capture | per s | of pgbench | p50 ms | p99 ms | target |');
  say('|---|---|---|---|---|---|');
  for (const row of report.wallet) {
    const target =
      row.clients === 64 && pgbench ? `1.4: ${met(row.pairsPerSecond / pgbench >= TARGETS.walletAt64)}` : '';
    say(
      `| ${row.clients} clients | ${row.pairsPerSecond} | ${ratio(row.pairsPerSecond)} | ${row.p50Ms} | ${row.p99Ms} | ${target} |`,
    );
  }
  say(
    '\n| whole transfers | settled per s | of pgbench | accept p50 / p99 ms | accept to settled p50 / p99 ms | refused |',
  );
  say('|---|---|---|---|---|---|');
  for (const load of report.transfers) {
    const accept = `${Math.round(load.acceptP50Ms)} / ${Math.round(load.acceptP99Ms)}`;
    const settle = `${load.settleP50Ms} / ${load.settleP99Ms}`;
    say(
      `| ${load.name} | ${load.settledPerSecond} | ${ratio(load.settledPerSecond)} | ${accept} | ${settle} | ${load.refused} |`,
    );
  }
  sayProcessor(report, say);
  sayTargets(report, say, met);
}

/** `load` is the load generator; `x pgbench` does not depend on the machine's speed. */
function sayProcessor({ transfers, pgbench }: Report, say: (line: string) => void): void {
  const names = Object.keys(transfers[0]?.processorMs ?? {});
  if (names.length === 0) return;
  say(`\n| processor ms per transfer | ${names.join(' | ')} | all x pgbench / 1,000 |`);
  say(`|---|${names.map(() => '---|').join('')}---|`);
  for (const { name, processorMs = {} } of transfers) {
    const product = pgbench ? (((processorMs.all ?? 0) * pgbench) / 1_000).toFixed(1) : 'n/a';
    say(`| ${name} | ${names.map((each) => processorMs[each]).join(' | ')} | ${product} |`);
  }
}

function sayTargets(report: Report, say: (line: string) => void, met: (isMet: boolean) => string): void {
  const [full, hot, half] = report.transfers;
  say('\n| target | figure | |');
  say('|---|---|---|');
  if (report.pgbench && full && hot) {
    const ratios = [full, hot].map((load) => load.settledPerSecond / (report.pgbench ?? 1));
    say(
      `| settled per s of pgbench at least 0.1, many and one merchant | ${ratios.map((each) => each.toFixed(2)).join(', ')} | ${met(ratios.every((each) => each >= TARGETS.settled))} |`,
    );
  }
  if (half) {
    say(
      `| p99 of accept at half load under 60 ms | ${Math.round(half.acceptP99Ms)} ms | ${met(half.acceptP99Ms < TARGETS.acceptP99Ms)} |`,
    );
    say(
      `| p50 of accept to settled at half load under 150 ms | ${half.settleP50Ms} ms | ${met(half.settleP50Ms < TARGETS.settleP50Ms)} |`,
    );
  }
  if (report.memory) {
    const { processes, pssMb, rssMb } = report.memory;
    say(
      `| embedded run at rest under 900 MB | ${pssMb} MB (proportional; RSS summed ${rssMb}), ${processes} processes | ${met(pssMb < TARGETS.memoryMb)} |`,
    );
  }
  say(
    `| ready after \`npm start\` in under 10 s | first ${seconds(report.firstStartMs)}, again ${seconds(report.secondStartMs)} | ${met(report.firstStartMs < TARGETS.startMs)} |`,
  );
  say(
    `| the ledger's audit after the load | ${report.auditHolds ? 'holds' : 'VIOLATED'} | ${met(report.auditHolds)} |`,
  );
  say(`\nOne transfer writes ${report.walKbPerTransfer} kB of write-ahead log (all services and the simulator).`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const percent = (share: number | null) => (share === null ? 'unknown' : `${Math.round(share * 100)} %`);
