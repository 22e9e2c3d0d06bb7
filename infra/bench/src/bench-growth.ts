import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readArguments, readPositive } from '@vuka/service-kit/command-line';
import { fillBooks } from './fill-books.ts';
import { type Figures, takeFigures } from './growth-figures.ts';
import { connectProduct, type Product, type Sender } from './product.ts';
import { makeDataDir, type ProductRun, runProduct } from './run-product.ts';
import { dropRun, findServers, query, type Servers } from './servers.ts';
import { drained } from './transfers-bench.ts';

const RESULTS = fileURLToPath(new URL('../../../bench-results/', import.meta.url));
const PREFIX = 'vukagrowth';
/** The largest factor by which a figure may be worse in full books. */
const WORST = 1.2;
/** Covers logs and notifications, which are written up to a second later. */
const AFTERMATH_MS = 5_000;

const USAGE = 'Usage: npm run bench:growth -- [--transfers <n>] [--days <n>] [--merchants <n>] [--seconds <n>]';
const { values } = readArguments(USAGE, {
  options: {
    transfers: { type: 'string', default: '2000000' },
    /** The days over which the transfers are spread. */
    days: { type: 'string', default: '90' },
    merchants: { type: 'string', default: '1000' },
    /** Seconds per measurement of a load. */
    seconds: { type: 'string', default: '12' },
  },
});
const number = (name: keyof typeof values) => readPositive(USAGE, `--${name}`, values[name]);
const transfers = number('transfers');
const days = number('days');
const merchants = number('merchants');
const length = number('seconds');
/** The extra transfers of the busiest merchant, among those that are copied. */
const OF_BUSIEST = Math.max(1, Math.round(merchants / 10));

const say = (line: string) => console.log(line);

async function main(): Promise<void> {
  const servers = await findServers();
  try {
    const empty = await measureBooks(servers, 1);
    const perSecond = Math.max(1, Math.round((empty['settled per s'] ?? 0) / 2));
    const full = await measureBooks(servers, Math.round(transfers / (merchants + OF_BUSIEST)), perSecond);
    say(
      `\n${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}; ${servers.postgres}; ${servers.rabbitmq}.`,
    );
    const rows = compareFigures(empty, full);
    printRows(rows);
    await mkdir(RESULTS, { recursive: true });
    await writeFile(
      `${RESULTS}growth.json`,
      `${JSON.stringify({ transfers, days, merchants, empty, full }, null, 2)}\n`,
    );
    say('\nAlso in bench-results/growth.json.');
    if (rows.some(({ isWorse }) => isWorse)) process.exitCode = 1;
  } finally {
    await servers.stop();
  }
}

/** Measures each figure with this many copies of some transfers in the books. */
async function measureBooks(servers: Servers, copies: number, perSecond?: number): Promise<Figures> {
  const dataDir = await makeDataDir();
  const start = () =>
    runProduct(dataDir.path, {
      DATABASE_URL: servers.postgresUrl,
      AMQP_URL: servers.amqpUrl,
      VUKA_DATABASE_PREFIX: PREFIX,
      SIMULATOR_DELAY_MS: '0',
      VUKA_RATE_LIMIT_FACTOR: '1000000',
    });
  await dropRun(servers.postgresUrl, PREFIX);
  try {
    say(`${merchants} merchants register and send a little ...`);
    const { senders, since } = await running(await start(), sendFew);
    if (copies > 1) {
      say(`The books are filled with ${copies} copies of each transfer ...`);
      await fillBooks({ serverUrl: servers.postgresUrl, prefix: PREFIX, since, copies, days, say });
    }
    say('Figures ...');
    const bytes = await sizeOf(servers);
    const run = await start();
    const load = { senders, busiest: senders[0] as Sender, seconds: length, serverUrl: servers.postgresUrl };
    const figures = await running(run, (product) => takeFigures(product, load, perSecond));
    return { 'databases, GB': bytes / 1e9, 'start, s': run.readyMs / 1_000, ...figures };
  } finally {
    await dropRun(servers.postgresUrl, PREFIX);
    await dataDir.remove();
  }
}

async function running<Result>(run: ProductRun, work: (product: Product) => Promise<Result>): Promise<Result> {
  try {
    const product = await connectProduct(run);
    return await work(product).finally(() => product.close());
  } finally {
    await run.stop();
  }
}

/** Sends the transfers that are then copied: one for each merchant, and more for the first merchant. */
async function sendFew(product: Product): Promise<{ senders: Sender[]; since: Date }> {
  const senders = await product.makeSenders(merchants);
  // Ensures that rows which registrations write later are not copied.
  await delay(AFTERMATH_MS);
  const since = new Date();
  const [busiest] = senders;
  for (const sender of [...senders, ...Array.from({ length: OF_BUSIEST }, () => busiest as Sender)]) {
    const { transferId, status } = await product.send(sender);
    if (transferId === undefined) throw new Error(`an order was answered with ${status}`);
  }
  await drained(product, since);
  await delay(AFTERMATH_MS);
  return { senders, since };
}

async function sizeOf({ postgresUrl }: Servers): Promise<number> {
  const [row] = await query(
    postgresUrl,
    `select sum(pg_database_size(oid)) as bytes from pg_database where datname like '${PREFIX}\\_%'`,
  );
  return Number(row?.bytes);
}

interface Row {
  name: string;
  empty: number;
  full: number;
  /** How many times worse the figure is in full books. */
  factor: number;
  isWorse: boolean;
}

/** Figures that grow with the books by design, so that a difference is not a failure. */
const GROWING = new Set(['databases, GB', 'first audit, s']);
/** Smaller differences of a latency, in ms, are noise of the processor. */
const NOISE = 3;

function compareFigures(empty: Figures, full: Figures): Row[] {
  return Object.entries(empty).map(([name, before]) => {
    const after = full[name] ?? Number.NaN;
    const factor = name.endsWith('per s') ? before / after : after / before;
    const isNoise = name.endsWith(', ms') && after - before < NOISE;
    return { name, empty: before, full: after, factor, isWorse: factor > WORST && !isNoise && !GROWING.has(name) };
  });
}

function printRows(rows: readonly Row[]): void {
  const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
  say(`\n| figure | empty books | ${transfers} transfers | times worse | at most ${WORST} |\n|---|---|---|---|---|`);
  for (const { name, empty, full, factor, isWorse } of rows) {
    const verdict = GROWING.has(name) ? 'grows' : isWorse ? '**missed**' : 'met';
    say(`| ${name} | ${figure(empty)} | ${figure(full)} | ${factor.toFixed(2)} | ${verdict} |`);
  }
}

await main();
