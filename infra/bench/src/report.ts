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
  memory: Awaited<ReturnType<typeof memoryOf>>;
}
