import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, order, registerMerchant, signInAdmin } from '@vuka/local/testing/api-client';
import { readBooked, readPaid } from '@vuka/local/testing/booked';
import { type Fleet, SERVICES, startFleet } from '@vuka/local/testing/fleet';
import { readArguments, readPositive } from '@vuka/service-kit/command-line';
import pg from 'pg';
import { databaseUrl } from './database-url.ts';
import { checkOutBefore } from './release-before.ts';
import { startBroker, startPostgres } from './servers.ts';
import { untilEnded } from './until-ended.ts';

const USAGE = 'Usage: npm run prove:upgrade -- [--from <commit>] [--per-second <n>] [--in-place]';
const { values } = readArguments(USAGE, {
  options: {
    /** The commit to upgrade from; without it every process is replaced by another one of this checkout. */
    from: { type: 'string' },
    /** Orders per second, each sent at its time whatever happens to the others. */
    'per-second': { type: 'string', default: '50' },
    /** Ends each process before its successor starts, instead of after it is ready. */
    'in-place': { type: 'boolean', default: false },
  },
});

const MERCHANTS = 20;
/** The time for which orders are sent before the first replacement and after the last one, ms. */
const CALM_MS = 5_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Orders {
  tookMs: number[];
  /** Ids of accepted orders. */
  accepted: string[];
  /** What each other order got, with the time. */
  failed: string[];
  stop(): Promise<void>;
}

/** Sends orders at a steady rate, each once. */
function sendAtRate(clients: readonly ApiClient[], perSecond: number): Orders {
  const orders = { tookMs: [] as number[], accepted: [] as string[], failed: [] as string[] };
  const stopping = new AbortController();
  async function send(client: ApiClient): Promise<void> {
    const sentMs = performance.now();
    const body = order({ sourceAmount: '100', targetAmount: '2303' });
    const answer = await client.post('/api/transactions/create', body).catch((error) => ({
      status: 0,
      body: String(error.cause ?? error),
    }));
    orders.tookMs.push(performance.now() - sentMs);
    if (answer.status === 200 || answer.status === 201) orders.accepted.push(answer.body.transaction.id);
    else orders.failed.push(`${new Date().toISOString()} ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  const sending = (async () => {
    const open: Promise<void>[] = [];
    const startedMs = performance.now();
    for (let number = 0; !stopping.signal.aborted; number++) {
      await delay(Math.max(0, startedMs + (number * 1_000) / perSecond - performance.now()));
      open.push(send(clients[number % clients.length] as ApiClient));
    }
    await Promise.all(open);
  })();
  return {
    ...orders,
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

/** Runs the replacements of one row while orders arrive; returns the accepted orders. */
async function measure(
  what: string,
  clients: readonly ApiClient[],
  replace: () => Promise<string[]>,
): Promise<{ accepted: string[]; failed: string[] }> {
  const orders = sendAtRate(clients, readPositive(USAGE, '--per-second', values['per-second']));
  await delay(CALM_MS);
  const starts = await replace();
  await delay(CALM_MS);
  await orders.stop();
  const took = orders.tookMs.toSorted((a, b) => a - b);
  const p99 = Math.round(took[Math.floor(took.length * 0.99)] ?? 0);
  say(`| ${what} | ${took.length} | ${orders.failed.length} | ${p99} | ${Math.round(took.at(-1) ?? 0)} |`);
  for (const line of [...starts, ...orders.failed.slice(0, 20)]) process.stderr.write(`${line}\n`);
  return orders;
}

async function replaceEach(fleet: Fleet, services: readonly string[], root?: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of services)
    for (const _ of fleet.processes(name).slice()) {
      const at = new Date().toISOString();
      const replaced = await fleet.replace(name, root);
      const [ready, ended] = [replaced.startedMs, replaced.stoppedMs].map(Math.round);
      lines.push(`${at} ${name}: ready after ${ready} ms, ended in ${ended} ms, exit code ${replaced.exitCode}`);
    }
  return lines;
}

/** What is wrong with the accepted orders, once all have ended. */
async function judge(fleet: Fleet, accepted: readonly string[], serverUrl: string): Promise<string[]> {
  const connectionString = databaseUrl(serverUrl, fleet.databasePrefix, 'transfers');
  await untilEnded(connectionString);
  const books = new pg.Client({ connectionString });
  await books.connect();
  try {
    const rows = await readBooked(books);
    const booked = new Map(rows.map((row) => [row.id, row]));
    const paid = await readPaid(fleet.simulatorPort);
    const wrong = accepted.flatMap((id) => {
      const row = booked.get(id);
      const times = row?.payouts.reduce((sum, payout) => sum + (paid.get(payout) ?? 0), 0);
      return row?.status === 'SETTLED' && row.endings === 1 && times === 1
        ? []
        : [`${id}: ${row?.status ?? 'not in the books'}, ended ${row?.endings ?? 0} times, paid ${times ?? 0} times`];
    });
    // A second payment of an order may have an id that the books do not know.
    const settled = rows.filter(({ status }) => status === 'SETTLED').length;
    const payments = [...paid.values()].reduce((sum, times) => sum + times, 0);
    if (payments !== settled) wrong.push(`the network paid ${payments} times for ${settled} settled transfers`);
    const audit = await (await signInAdmin(fleet.address)).get('/api/admin/ledger/audit');
    return audit.body.holds ? wrong : [...wrong, `the ledger's audit: ${JSON.stringify(audit.body)}`];
  } finally {
    await books.end();
  }
}

const stops: (() => Promise<unknown>)[] = [];

async function main(): Promise<boolean> {
  say('Starting Postgres, RabbitMQ and the product ...');
  const postgres = await startPostgres();
  stops.push(() => postgres.stop());
  const broker = await startBroker();
  stops.push(() => broker.stop());
  const before = values.from === undefined ? undefined : await checkOutBefore(values.from);
  if (before) stops.push(() => before.remove());
  const way = values['in-place'] ? 'in place' : 'beside';
  const fleet = await startFleet(
    { databaseUrl: postgres.directUrl, amqpUrl: broker.directUrl },
    { env: { VUKA_RATE_LIMIT_FACTOR: '10000' }, way, ...(before && { root: before.root }) },
  );
  stops.push(() => fleet.stop());
  const admin = await signInAdmin(fleet.address);
  const clients: ApiClient[] = [];
  while (clients.length < MERCHANTS) clients.push((await registerMerchant(fleet.address, admin)).client);

  say('\n| What | Orders | Failed | p99, ms | Longest, ms |\n|---|---|---|---|---|');
  const rows = [await measure('nothing replaced', clients, async () => [])];
  if (before) {
    rows.push(await measure(`upgrade from ${values.from}, ${way}`, clients, () => replaceEach(fleet, SERVICES)));
    const back = () => replaceEach(fleet, SERVICES.toReversed(), before.root);
    rows.push(await measure('step back', clients, back));
    rows.push(await measure('upgrade again', clients, () => replaceEach(fleet, SERVICES)));
  } else rows.push(await measure(`every service, ${way}`, clients, () => replaceEach(fleet, SERVICES)));

  const accepted = rows.flatMap((row) => row.accepted);
  const wrong = await judge(fleet, accepted, postgres.directUrl);
  say(`\n${accepted.length} accepted orders; ${wrong.length} were not settled and paid once.`);
  for (const line of wrong.slice(0, 20)) say(`VIOLATION ${line}`);
  return wrong.length === 0 && rows.every((row) => row.failed.length === 0);
}

try {
  if (!(await main())) process.exitCode = 1;
} finally {
  for (const stop of stops.toReversed()) await stop();
}
