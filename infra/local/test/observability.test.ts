import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrokerNode, findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { askForServer } from '@vuka/test-kit/test-servers';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackupFigure } from '#backup/backup-figure.ts';
import { ROOT } from '#start-settings.ts';
import { type ApiClient, createApiClient, order, registerMerchant, signInAdmin } from './api-client.ts';
import { type RunningProduct, startProductOn } from './product.ts';
import { hasPrometheus, type Prometheus, startExporter, startPrometheus } from './prometheus.ts';

const script = findInstalledBroker();
const canRun = Boolean(script) && hasPrometheus();
/** The value of Grafana's variable `$__rate_interval`. */
const RATE_INTERVAL = '15s';
const PATIENCE = { timeoutMs: 60_000, everyMs: 500 };
const WRONG_PINS = 6;

const alerts = readFileSync(join(ROOT, 'infra/observability/alerts.yml'), 'utf8');
/** The metrics of servers that alerts read. Another test looks for those of services in the code. */
const SERVER_METRICS = new Set(alerts.match(/\b(pg|node|rabbitmq)_\w+/g));
/** The counts whose increase alerts watch. */
const WATCHED_COUNTS = [...alerts.matchAll(/(?:rate|increase)\((.+?)\[\w+\]\)/g)].map(([, selector = '']) => selector);

const { panels } = JSON.parse(readFileSync(join(ROOT, 'infra/observability/grafana-dashboard.json'), 'utf8')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const expressions = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', RATE_INTERVAL) })),
);

let broker: BrokerNode;
/** The directory of files that node-exporter reads besides the machine's own figures. */
let figures: string;
let exporters: { stop(): Promise<void> }[] = [];
let product: RunningProduct;
let prometheus: Prometheus;
let admin: ApiClient;
let merchant: Awaited<ReturnType<typeof registerMerchant>>;

beforeAll(async () => {
  if (!canRun) return;
  const [{ url: databaseUrl }, node] = await Promise.all([askForServer('postgres'), startBrokerNode(script ?? '')]);
  broker = node;
  product = await startProductOn({ databaseUrl, amqpUrl: broker.amqpUrl }, { VUKA_RATE_LIMIT_FACTOR: '1000' });
  const { services, metricsUrl } = await product.run();
  figures = mkdtempSync(join(tmpdir(), 'vuka-figures-'));
  await writeBackupFigure(figures, new Date());
  const machine = await startExporter('prometheus-node-exporter', {
    options: [`--collector.textfile.directory=${figures}`],
  });
  const statistics = await startExporter('prometheus-postgres-exporter', {
    env: { DATA_SOURCE_NAME: `${await createMonitor(databaseUrl)}?sslmode=disable` },
  });
  exporters = [machine, statistics];
  const ofServices = Object.entries(services).map(([name, { port }]) => [`${name}:3000`, `127.0.0.1:${port}`]);
  prometheus = await startPrometheus({
    ...Object.fromEntries(ofServices),
    'gateway:9464': new URL(metricsUrl).host,
    'rabbitmq:15692': broker.metricsHost,
    'postgres-exporter:9187': statistics.host,
    'node-exporter:9100': machine.host,
  });
  admin = await signInAdmin(product.address);
  merchant = await registerMerchant(product.address, admin);
}, 240_000);
afterAll(async () => {
  await prometheus?.stop();
  for (const exporter of exporters) await exporter.stop();
  await product?.stop();
  await broker?.stop();
  if (figures) rmSync(figures, { recursive: true });
}, 60_000);

/** The role of infra/postgres/init.sh; returns the server's address with it. The product drops it with its own roles. */
async function createMonitor(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const role = `${product.databasePrefix}_monitor`;
  await client.query(`create role ${role} login password 'monitor'`);
  await client.query(`grant pg_monitor to ${role}`);
  await client.end();
  const url = new URL(serverUrl);
  url.username = role;
  url.password = 'monitor';
  url.pathname = '/postgres';
  return url.toString();
}

/** Something for every panel: transfers, locked PINs, an action with an alert, and an answer of 503. */
async function causeEverything(): Promise<void> {
  const { client, user } = merchant;
  await client.post('/api/transactions/create', order());
  for (let tried = 0; tried < WRONG_PINS; tried += 1) {
    await createApiClient(product.address).post('/api/login', { username: user.email, pin: '9731' });
  }
  await admin.post('/api/rates/update', { buyRate: 23.5, markup: 2 });
  await product.kill('integration-log', 'SIGSTOP');
  await admin.get('/api/integration-logs/recent').catch(() => undefined);
  await product.kill('integration-log', 'SIGCONT');
}

test.skipIf(!canRun)(
  'Prometheus reads every process and every server, and an installation that works raises no alert',
  async () => {
    await until(async () => (await prometheus.query('count(up == 1)'))[0]?.value === 11, PATIENCE);
    expect(await prometheus.query('up == 0')).toEqual([]);
    expect(await prometheus.firing()).toEqual([]);
    for (const counts of WATCHED_COUNTS) {
      expect(await prometheus.query(counts), `${counts} is counted from 0`).not.toEqual([]);
    }
    for (const metric of SERVER_METRICS) expect(await prometheus.query(metric), metric).not.toEqual([]);
  },
  90_000,
);

test.skipIf(!canRun)(
  'Prometheus knows when the newest backup ended, from `npm run backup` and from pgBackRest',
  async () => {
    const finished = async () => (await prometheus.query('vuka_backup_finished_seconds'))[0]?.value;
    const days = (count: number) => new Date(Date.UTC(2026, 0, count));
    await writeBackupFigure(figures, days(1));
    await until(async () => (await finished()) === days(1).getTime() / 1_000, PATIENCE);
    // Two backups, as pgBackRest 2.44 lists them; the rest is left out.
    const listed = [2, 3].map((day) => ({
      archive: { start: '000000010000000000000002', stop: '000000010000000000000003' },
      lsn: { start: '0/2000028', stop: '0/3000050' },
      timestamp: { start: days(day).getTime() / 1_000 - 60, stop: days(day).getTime() / 1_000 },
    }));
    const script = join(ROOT, 'infra/backup/backup-figure.sh');
    execFileSync(script, [figures], { input: JSON.stringify([{ backup: listed, status: { code: 0 } }]) });
    await until(async () => (await finished()) === days(3).getTime() / 1_000, PATIENCE);
    expect(() => execFileSync(script, [figures], { input: '[]', stdio: 'pipe' })).toThrow('names no backup');
    expect(await finished()).toBe(days(3).getTime() / 1_000);
  },
  130_000,
);

test.skipIf(!canRun)(
  'every panel of the dashboard shows figures of a running product, by labels that they have',
  async () => {
    let causing = true;
    const caused = (async () => {
      while (causing) await causeEverything();
    })();
    const hasFigures = async ({ expr }: { expr: string }) =>
      (await prometheus.query(expr)).some(({ value }) => Number.isFinite(value));
    const empty = new Set(expressions);
    await until(async () => {
      for (const each of empty) if (await hasFigures(each)) empty.delete(each);
      return empty.size === 0;
    }, PATIENCE).catch(() => undefined);
    causing = false;
    await caused;
    expect([...empty]).toEqual([]);
    for (const { title, expr } of expressions) {
      const labels = new Set<string>();
      for (const [metric] of expr.matchAll(/(vuka|rabbitmq|process)_\w+|\bup\b/g)) {
        for (const label of await prometheus.labelsOf(metric)) labels.add(label);
      }
      const grouped = [...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, names = '']) => names.split(', '));
      for (const name of grouped) expect(labels, `${title}: ${expr}`).toContain(name);
    }
  },
  150_000,
);

test.skipIf(!canRun)(
  'while the worker is suspended, the dashboard shows that it is unavailable and that its queue grows',
  async () => {
    const of = (title: string) => expressions.filter((each) => each.title === title).map(({ expr }) => expr);
    const [unavailable = ''] = of('Unavailable services');
    const waiting = async () => {
      const series = await Promise.all(of('Messages waiting').map((expr) => prometheus.query(expr)));
      const ofQueue = series.flat().filter(({ metric }) => metric.queue === 'transfers.execution');
      return ofQueue.reduce((sum, { value }) => sum + value, 0);
    };
    await product.kill('transfers-worker', 'SIGSTOP');
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await merchant.client.post('/api/transactions/create', order())).status).toBe(201);
    }
    // Must show well before the broker notices the silent consumer and takes the messages back.
    await until(async () => (await waiting()) >= 10, { timeoutMs: 20_000, what: 'ten commands on the dashboard' });
    await until(async () => (await prometheus.query(unavailable))[0]?.value === 1, PATIENCE);
    await product.kill('transfers-worker', 'SIGCONT');
    await until(async () => (await waiting()) === 0, { ...PATIENCE, what: 'no command on the dashboard' });
    await until(async () => (await prometheus.query(unavailable))[0]?.value === 0, PATIENCE);
  },
  240_000,
);
