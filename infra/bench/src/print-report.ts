import type { Report } from './report.ts';
import { targetsOf } from './targets.ts';

/** Prints the report as Markdown tables. */
export function printReport(report: Report, say: (line: string) => void): void {
  const { pgbench } = report;
  const ratio = (perSecond: number) => (pgbench ? (perSecond / pgbench).toFixed(2) : 'n/a');
  say(`\n${report.machine}; ${report.servers}; other load before: ${percent(report.foreignCpu)}.`);
  say(
    `pgbench (TPC-B-like, -M prepared -c 64 -j 2, scale 20): ${pgbench ?? 'not installed'} tps (${report.pgbenchReadings.join(', ')}).\n`,
  );
  say('| ledger, hold + capture | per s | of pgbench | p50 ms | p99 ms |');
  say('|---|---|---|---|---|');
  for (const { clients, pairsPerSecond, p50Ms, p99Ms } of report.wallet) {
    say(`| ${clients} clients | ${pairsPerSecond} | ${ratio(pairsPerSecond)} | ${p50Ms} | ${p99Ms} |`);
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
  sayTargets(report, say);
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

function sayTargets(report: Report, say: (line: string) => void): void {
  say('\n| target | figure | |\n|---|---|---|');
  for (const { target, figure, isMet } of targetsOf(report)) {
    say(`| ${target} | ${figure} | ${isMet ? 'met' : '**missed**'} |`);
  }
  say(`\nOne transfer writes ${report.walKbPerTransfer} kB of write-ahead log (all services and the simulator).`);
}

const percent = (share: number | null) => (share === null ? 'unknown' : `${Math.round(share * 100)} %`);
