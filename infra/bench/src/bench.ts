import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endAsMisused, readArguments } from '@vuka/service-kit/command-line';
import { compare, printComparison } from './compare.ts';
import { measureCpu } from './cpu-share.ts';
import { benchOverload, printOverload } from './overload-bench.ts';
import { printReport } from './print-report.ts';
import type { Product } from './product.ts';
import { printProfiles, profileProduct } from './profile-bench.ts';
import type { Report } from './report.ts';
import { makeDataDir, memoryOf, runProduct } from './run-product.ts';
import { createDatabase, dropDatabase, findServers, query, type Servers } from './servers.ts';
import { compareTraces, measureSpans, printTraces } from './traces-bench.ts';
import { closedLoop, type LoadResult, openLoop, warmUp } from './transfers-bench.ts';
import { benchWallet } from './wallet-bench.ts';
import { PREFIX, withProduct } from './with-product.ts';
import { createYardstick } from './yardstick.ts';

const RESULTS = fileURLToPath(new URL('../../../bench-results/', import.meta.url));
const PARTS = ['traces', 'start', 'overload'];
const USAGE = `Usage: npm run bench -- [--quick] [--only ${PARTS.join('|')} | --compare <commit> | --profile]`;
const { values: asked } = readArguments(USAGE, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    compare: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const isQuick = asked.quick;
/** Seconds per measurement. */
const LENGTH = isQuick ? 4 : 12;
const IDLE_MERCHANTS = isQuick ? 100 : 1_000;

const say = (line: string) => console.log(line);

async function main() {
  const { only, compare: commit, profile } = asked;
  if (only !== undefined && !PARTS.includes(only)) endAsMisused(`--only knows no part '${only}'.\n${USAGE}`);
  if (commit) return mainCompare(commit);
  if (profile) return mainProfile();
  if (only === 'traces') return mainTraces();
  if (only === 'start') return mainStart();
  return only === 'overload' ? mainOverload() : mainAll();
}

async function mainTraces() {
  const servers = await findServers();
  try {
    say('One span, beside nothing else ...');
    const spans = await measureSpans(isQuick ? { turns: 3, seconds: 3 } : { turns: 5, seconds: 5 }, say);
    say('The product without traces and with them, in turn ...');
    const size = isQuick ? { pairs: 2, seconds: 6, merchants: 100 } : { pairs: 5, seconds: LENGTH, merchants: 300 };
    const pairs = await compareTraces(servers, size, say);
    say(`\n${machine()}; ${servers.postgres}; ${servers.rabbitmq}.`);
    printTraces(pairs, say);
    await write('traces', { takenAt: new Date().toISOString(), machine: machine(), spans, pairs });
  } finally {
    await servers.stop();
  }
}

/** `--only start`: the embedded run alone, three times. */
async function mainStart() {
  const runs: Awaited<ReturnType<typeof measureRest>>[] = [];
  for (let run = 0; run < 3; run += 1) runs.push(await measureRest());
  say(`\n${machine()}.`);
  for (const { firstStartMs, secondStartMs, memory } of runs) {
    say(`first start ${firstStartMs} ms, second ${secondStartMs} ms, at rest ${memory?.pssMb} MB`);
  }
  await write('start', { takenAt: new Date().toISOString(), machine: machine(), runs });
}

async function mainCompare(commit: string) {
  const servers = await findServers();
  try {
    const size = isQuick ? { pairs: 2, seconds: 4, merchants: 100 } : { pairs: 5, seconds: 10, merchants: 300 };
    const comparison = await compare(servers, { commit, ...size }, say);
    say(`\n${machine()}; ${servers.postgres}; ${servers.rabbitmq}.`);
    printComparison(comparison, say);
    await write('compare', comparison);
  } finally {
    await servers.stop();
  }
}

async function mainProfile() {
  const servers = await findServers();
  try {
    say('Profiling each process under full load ...');
    const dir = `${RESULTS}profiles`;
    printProfiles(await profileProduct(servers, { dir, seconds: LENGTH, merchants: 100 }), say);
    say('\nThe profiles in bench-results/profiles open as flame graphs in Chrome’s developer tools.');
  } finally {
    await servers.stop();
  }
}

async function mainOverload() {
  const foreign = measureCpu();
  await delay(2_000);
  const foreignCpu = foreign();
  const servers = await findServers();
  try {
    const result = await measureOverload(servers);
    say(
      `\n${machine()}; ${servers.postgres}; ${servers.rabbitmq}; other load before: ${foreignCpu}; load average ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')}.`,
    );
    printOverload(result, say);
    await write('overload', { takenAt: new Date().toISOString(), machine: machine(), foreignCpu, ...result });
  } finally {
    await servers.stop();
  }
}

async function mainAll() {
  say('Measuring: pgbench, the ledger, whole transfers, memory and start. Nothing else should run on this machine.');
  const foreign = measureCpu();
  await delay(2_000);
  const foreignCpu = foreign();
  const servers = await findServers();
  try {
    say('pgbench, before and after each part ...');
    const yardstick = await createYardstick(servers, LENGTH);
    await yardstick.measure();
    const wallet = await measureWallet(servers);
    await yardstick.measure();
    const transfers = await measureTransfers(servers);
    await yardstick.measure();
    await yardstick.drop();
    const rest = await measureRest();
    const report: Report = {
      takenAt: new Date().toISOString(),
      machine: machine(),
      servers: `${servers.postgres}; ${servers.rabbitmq}`,
      foreignCpu,
      pgbench: yardstick.median(),
      pgbenchReadings: yardstick.readings,
      wallet,
      ...transfers,
      ...rest,
    };
    printReport(report, say);
    await write('bench', report);
  } finally {
    await servers.stop();
  }
}

const machine = () => `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}`;

async function write(name: string, report: object) {
  await mkdir(RESULTS, { recursive: true });
  await writeFile(`${RESULTS}${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  say(`\nAlso in bench-results/${name}.json.`);
}

async function measureWallet(servers: Servers) {
  say('the ledger ...');
  const databaseUrl = await createDatabase(servers.postgresUrl, `${PREFIX}_wallet_alone`);
  const rows = await benchWallet({ databaseUrl, seconds: LENGTH / 2 });
  await dropDatabase(servers.postgresUrl, `${PREFIX}_wallet_alone`);
  return rows;
}

async function measureTransfers(
  servers: Servers,
): Promise<Pick<Report, 'transfers' | 'walKbPerTransfer' | 'auditHolds'>> {
  say('whole transfers ...');
  return withProduct(servers, async (product) => {
    const measured = await loadProduct(product, servers);
    const { holds } = await product.audit();
    return { ...measured, auditHolds: holds };
  });
}

/** Three times the product's capacity: `--only overload`. */
async function measureOverload(servers: Servers) {
  say('three times the capacity ...');
  const lengths = { measureSeconds: LENGTH, overloadSeconds: isQuick ? 8 : 20, watchSeconds: isQuick ? 10 : 20 };
  return withProduct(servers, async (product) => {
    const senders = await product.makeSenders(IDLE_MERCHANTS);
    return benchOverload(product, senders, lengths, say);
  });
}

async function loadProduct(product: Product, servers: Servers) {
  say(`  ${IDLE_MERCHANTS} merchants register ...`);
  const senders = await product.makeSenders(IDLE_MERCHANTS);
  await warmUp(product, senders, LENGTH * 3);
  const walBefore = await walBytes(servers);
  say('  closed loop ...');
  const full = await closedLoop(product, senders, {
    name: `${IDLE_MERCHANTS} merchants, 256 clients`,
    clients: 256,
    seconds: LENGTH,
  });
  const walKbPerTransfer = Math.round((await walBytes(servers)) - walBefore) / 1_024 / Math.max(full.accepted, 1);
  const hot = await closedLoop(product, senders.slice(0, 1), {
    name: 'one hot merchant, 256 clients',
    clients: 256,
    seconds: LENGTH,
  });
  const half = Math.max(1, Math.round(full.settledPerSecond / 2));
  say(`  open loop at ${half} per second ...`);
  const relaxed = await openLoop(product, senders, {
    name: `half of that load, ${half}/s`,
    perSecond: half,
    seconds: LENGTH,
  });
  const transfers: LoadResult[] = [full, hot, relaxed];
  return { transfers, walKbPerTransfer: Math.round(walKbPerTransfer * 10) / 10 };
}

async function walBytes(servers: Servers): Promise<number> {
  const [row] = await query(
    servers.postgresUrl,
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
  );
  return Number(row?.bytes ?? 0);
}

/** The embedded run: its start time, and its use of resources at rest. */
async function measureRest(): Promise<Pick<Report, 'firstStartMs' | 'secondStartMs' | 'memory'>> {
  say('the embedded run: start and memory at rest ...');
  const dataDir = await makeDataDir();
  try {
    const first = await runProduct(dataDir.path, {});
    await first.stop();
    const second = await runProduct(dataDir.path, {});
    await delay(isQuick ? 5_000 : 30_000);
    const memory = await memoryOf(second, dataDir.path);
    await second.stop();
    return { firstStartMs: first.readyMs, secondStartMs: second.readyMs, memory };
  } finally {
    await dataDir.remove();
  }
}

await main();
