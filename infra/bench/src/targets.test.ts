import { expect, test } from 'vitest';
import type { Report } from './report.ts';
import { targetsOf } from './targets.ts';
import type { LoadResult } from './transfers-bench.ts';

const LOAD: LoadResult = {
  name: '',
  accepted: 1_000,
  refused: 0,
  settledPerSecond: 440,
  acceptP50Ms: 60,
  acceptP99Ms: 120,
  settleP50Ms: 160,
  settleP99Ms: 300,
  cpu: null,
  processorMs: { all: 4 },
};

const REPORT: Report = {
  takenAt: '',
  machine: '',
  servers: '',
  foreignCpu: null,
  pgbench: 2_000,
  pgbenchReadings: [2_000],
  wallet: [{ clients: 64, pairsPerSecond: 4_000, p50Ms: 1, p99Ms: 1, rejected: 0, failed: 0 }],
  transfers: [LOAD, LOAD, LOAD],
  walKbPerTransfer: 18,
  auditHolds: true,
  firstStartMs: 4_000,
  secondStartMs: 3_000,
  memory: { processes: 1, pssMb: 599, rssMb: 1_000 },
};

const missedOf = (report: Report) => targetsOf(report).flatMap(({ target, isMet }) => (isMet ? [] : [target]));

test('a machine half as fast has twice the time', () => {
  expect(missedOf(REPORT)).toEqual([]);
  expect(missedOf({ ...REPORT, pgbench: 2_600 })).toEqual([
    'ledger, 64 clients: 2.0 of pgbench',
    'settled per s: 0.22 of pgbench',
    'processor ms per transfer x pgbench / 1,000: 9',
    'p99 of accept at half load, x pgbench / 4500: 60 ms',
    'p50 of accept to settled at half load, x pgbench / 4500: 80 ms',
  ]);
});

test('one order in a hundred that is told to come back is too many', () => {
  const busy = { ...LOAD, refused: 10 };
  expect(missedOf({ ...REPORT, transfers: [busy, LOAD, LOAD] })).toEqual(['orders told to come back: under 1 %']);
});

test('without pgbench no ratio is judged', () => {
  expect(targetsOf({ ...REPORT, pgbench: null }).map(({ target }) => target)).not.toContainEqual(
    expect.stringContaining('pgbench'),
  );
});
