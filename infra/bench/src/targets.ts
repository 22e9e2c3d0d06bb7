import type { Report } from './report.ts';

/** A target, what was measured, and whether it is met. */
export interface Target {
  target: string;
  figure: string;
  isMet: boolean;
}

/**
 * The targets of a server with two cores. Rates are shares of pgbench in the same run. Latencies and processor times are
 * scaled to a machine on which pgbench makes `STANDARD_TPS`, so that a slower machine has the same targets.
 */
export function targetsOf(report: Report): Target[] {
  return [...ratesOf(report), ...latenciesOf(report), ...restOf(report)];
}

/** Transactions of pgbench per second on the machine that the targets were set for. */
const STANDARD_TPS = 4_500;
const MOST_REFUSED = 0.01;

function ratesOf({ pgbench, wallet, transfers }: Report): Target[] {
  const [full, hot] = transfers;
  const atLeast = (least: number, figure: number) => ({ figure: figure.toFixed(2), isMet: figure >= least });
  const ledger = wallet.find(({ clients }) => clients === 64);
  return [
    ...(pgbench && ledger
      ? [{ target: 'ledger, 64 clients: 2.0 of pgbench', ...atLeast(2, ledger.pairsPerSecond / pgbench) }]
      : []),
    ...(pgbench && full
      ? [{ target: 'settled per s: 0.22 of pgbench', ...atLeast(0.22, full.settledPerSecond / pgbench) }]
      : []),
    ...(full && hot
      ? [{ target: 'one hot merchant: 0.9 of many', ...atLeast(0.9, hot.settledPerSecond / full.settledPerSecond) }]
      : []),
    ...(full
      ? [
          {
            target: 'orders told to come back: under 1 %',
            figure: `${full.refused} beside ${full.accepted}`,
            isMet: full.refused < full.accepted * MOST_REFUSED,
          },
        ]
      : []),
  ];
}

function latenciesOf({ pgbench, transfers }: Report): Target[] {
  const [full, , half] = transfers;
  if (!pgbench) return [];
  const upTo = (most: number, figure: number, unit = '') => {
    return { figure: `${Number(figure.toPrecision(3))}${unit}`, isMet: figure <= most };
  };
  const scaled = (ms: number) => (ms * pgbench) / STANDARD_TPS;
  const perTransfer = full?.processorMs?.all;
  return [
    ...(perTransfer === undefined
      ? []
      : [
          {
            target: 'processor ms per transfer x pgbench / 1,000: 9',
            ...upTo(9, (perTransfer * pgbench) / 1_000),
          },
        ]),
    ...(half
      ? [
          {
            target: `p99 of accept at half load, x pgbench / ${STANDARD_TPS}: 60 ms`,
            ...upTo(60, scaled(half.acceptP99Ms), ' ms'),
          },
          {
            target: `p50 of accept to settled at half load, x pgbench / ${STANDARD_TPS}: 80 ms`,
            ...upTo(80, scaled(half.settleP50Ms), ' ms'),
          },
        ]
      : []),
  ];
}

function restOf({ memory, firstStartMs, secondStartMs, auditHolds }: Report): Target[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    ...(memory
      ? [
          {
            target: 'embedded run at rest: under 600 MB',
            figure: `${memory.pssMb} MB (proportional; RSS summed ${memory.rssMb}), ${memory.processes} processes`,
            isMet: memory.pssMb < 600,
          },
        ]
      : []),
    {
      target: 'ready after `npm start`: in under 5 s',
      figure: `first ${seconds(firstStartMs)}, again ${seconds(secondStartMs)}`,
      isMet: firstStartMs < 5_000,
    },
    { target: 'the ledger’s audit after the load', figure: auditHolds ? 'holds' : 'VIOLATED', isMet: auditHolds },
  ];
}
