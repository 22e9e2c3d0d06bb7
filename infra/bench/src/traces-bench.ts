import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordSpan } from '@vuka/service-kit/trace';
import { openTraces } from '@vuka/service-kit/trace-export';
import type { Servers } from './servers.ts';
import { type LoadResult, type TwoLoads, takeTwoLoads } from './transfers-bench.ts';
import { withProduct } from './with-product.ts';
import { median } from './yardstick.ts';

export interface TracesOptions {
  /** Runs of each side. */
  pairs: number;
  /** Seconds per load. */
  seconds: number;
  merchants: number;
}

type Side = 'off' | 'on';
export type TracesPair = Record<Side, TwoLoads>;

/** Receives spans in a separate process, which is not measured. */
const RECEIVER = `const server = require('node:http').createServer((request, answer) => {
  request.resume().on('end', () => answer.end('{}'));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));`;

async function withReceiver<Result>(work: (endpoint: string) => Promise<Result>): Promise<Result> {
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(receiver.stdout, 'data');
    return await work(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    receiver.kill('SIGKILL');
  }
}

const SPAN_RATES = [300, 2_000];
/** The spans of a transfer to a phone, as listed in infra/local/test/traces.test.ts. */
const SPANS_PER_TRANSFER = 20;
const BURSTS_PER_SECOND = 20;

/**
 * Measures the processor time to record and send one span, µs, in a process that does nothing else. Other work on the
 * machine disturbs this far less than a comparison of whole runs.
 */
export function measureSpans({ turns, seconds }: { turns: number; seconds: number }, say: (line: string) => void) {
  return withReceiver(async (endpoint) => {
    const traces = openTraces({ service: 'bench', endpoint });
    const result: { perSecond: number; us: number }[] = [];
    for (const perSecond of SPAN_RATES) {
      const load = { perSecond, seconds };
      await recordSteadily(traces.record, load);
      const differences: number[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const without = await recordSteadily(() => undefined, load);
        differences.push((await recordSteadily(traces.record, load)) - without);
      }
      const us = Math.round(median(differences) * 10) / 10;
      result.push({ perSecond, us });
      const each = differences.map((difference) => difference.toFixed(1)).join(', ');
      const perTransfer = ((us * SPANS_PER_TRANSFER) / 1_000).toFixed(2);
      say(
        `  ${perSecond} spans per second: ${us} µs each (${each}), ${perTransfer} ms per transfer of ${SPANS_PER_TRANSFER} spans`,
      );
    }
    await traces.close();
    return result;
  });
}

/** µs of processor time per span. */
async function recordSteadily(record: RecordSpan, { perSecond, seconds }: { perSecond: number; seconds: number }) {
  const before = process.cpuUsage();
  const attributes = { 'messaging.destination.name': 'transfers.execution' };
  const perBurst = perSecond / BURSTS_PER_SECOND;
  const bursts = seconds * BURSTS_PER_SECOND;
  for (let burst = 0; burst < bursts; burst++) {
    for (let sent = 0; sent < perBurst; sent++) {
      const endMs = Date.now();
      record(randomUUID(), { name: 'handle a message', kind: 'consumer', startMs: endMs - 10, endMs, attributes });
    }
    await delay(1_000 / BURSTS_PER_SECOND);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (perBurst * bursts);
}

/** Runs the product without and with traces in turn (off, on, on, off, ...) on the same servers under the same load. */
export function compareTraces(
  servers: Servers,
  { pairs, seconds, merchants }: TracesOptions,
  say: (line: string) => void,
): Promise<TracesPair[]> {
  let perSecond = 0;
  const measureOnce = async (env: Record<string, string>): Promise<TwoLoads> => {
    const loads = await withProduct(servers, (product) => takeTwoLoads(product, { merchants, seconds, perSecond }), {
      env,
    });
    perSecond = loads.perSecond;
    return loads;
  };
  return withReceiver(async (endpoint) => {
    const envOf: Record<Side, Record<string, string>> = { off: {}, on: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
    const measured: TracesPair[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const runs: Partial<TracesPair> = {};
      for (const side of pair % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        const run = await measureOnce(envOf[side]);
        runs[side] = run;
        say(`  ${pair + 1} of ${pairs}, traces ${side}: ${servicesMs(run.full)} ms per transfer in the services`);
      }
      measured.push(runs as TracesPair);
    }
    return measured;
  });
}

const NOT_SERVICES = ['all', 'load', 'postgres', 'rabbitmq', 'payout-simulator'];

/** Only services send traces. */
function servicesMs({ processorMs = {} }: LoadResult): number {
  const own = Object.entries(processorMs).filter(([name]) => !NOT_SERVICES.includes(name));
  return Math.round(own.reduce((sum, [, ms]) => sum + ms, 0) * 100) / 100;
}

export function printTraces(pairs: TracesPair[], say: (line: string) => void): void {
  say('\n| processor ms per transfer, medians | without traces | with | difference (each pair) | of the whole |');
  say('|---|---|---|---|---|');
  for (const load of ['full', 'half'] as const) {
    const of = (side: Side) => median(pairs.map((pair) => servicesMs(pair[side][load])));
    const each = pairs.map(({ on, off }) => servicesMs(on[load]) - servicesMs(off[load]));
    const whole = median(pairs.map(({ off }) => off[load].processorMs?.all ?? Number.NaN));
    const share = Math.round((median(each) / whole) * 1_000) / 10;
    const differences = each.map((ms) => ms.toFixed(2)).join(', ');
    say(
      `| services, ${load} load | ${of('off').toFixed(2)} | ${of('on').toFixed(2)} | ${median(each).toFixed(2)} (${differences}) | ${share} % of ${whole} |`,
    );
  }
}
