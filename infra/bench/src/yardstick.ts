import { preparePgbench } from './pgbench.ts';
import { createDatabase, dropDatabase, type Servers } from './servers.ts';

/** pgbench on the servers of a run, measured again and again, since the speed of a machine changes by the minute. */
export interface Yardstick {
  /** Takes one more measurement. */
  measure(): Promise<void>;
  /** The median so far, transactions per second; null without pgbench. */
  median(): number | null;
  readings: number[];
  drop(): Promise<void>;
}

/** Without the prefix of the product's databases, because each run drops those. */
const DATABASE = 'vuka_yardstick';

export async function createYardstick(servers: Servers, seconds: number): Promise<Yardstick> {
  const url = new URL(await createDatabase(servers.postgresUrl, DATABASE));
  const pgbench = await preparePgbench({
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    database: url.pathname.slice(1),
  });
  const readings: number[] = [];
  return {
    readings,
    async measure() {
      if (pgbench) readings.push(await pgbench(seconds));
    },
    median: () => (readings.length > 0 ? Math.round(median(readings)) : null),
    drop: () => dropDatabase(servers.postgresUrl, DATABASE),
  };
}

/** NaN for an empty list. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? Number.NaN, sorted[Math.floor(middle)] ?? Number.NaN];
  return (low + high) / 2;
}
