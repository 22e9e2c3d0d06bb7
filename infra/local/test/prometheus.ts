import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { parse, stringify } from 'yaml';
import { ROOT } from '#start-settings.ts';

const OBSERVABILITY = join(ROOT, 'infra/observability');

interface Series {
  metric: Record<string, string>;
  value: number;
}

export interface Prometheus {
  /** The series of an expression now. Throws if Prometheus refuses the expression. */
  query(expr: string): Promise<Series[]>;
  /** The labels of a metric's series. */
  labelsOf(metric: string): Promise<Set<string>>;
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
}

const PROGRAMS = ['prometheus', 'prometheus-postgres-exporter', 'prometheus-node-exporter'] as const;
type Exporter = Exclude<(typeof PROGRAMS)[number], 'prometheus'>;

/** Whether Prometheus and its exporters are installed. */
export const hasPrometheus = () => PROGRAMS.every((program) => spawnSync(program, ['--version']).status === 0);

/** Runs an exporter; returns its address, and how to end it. */
export async function startExporter(
  program: Exporter,
  { env = {}, options = [] }: { env?: Record<string, string>; options?: string[] } = {},
): Promise<{ host: string; stop(): Promise<void> }> {
  const host = `127.0.0.1:${await findFreePort()}`;
  const all = [`--web.listen-address=${host}`, ...options];
  const child = spawn(program, all, { stdio: 'ignore', env: { ...process.env, ...env } });
  const stop = () => end(child);
  await until(async () => (await fetch(`http://${host}/`)).ok, { timeoutMs: 30_000, everyMs: 100, what: program });
  return { host, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * The Prometheus of the compose file's profile, with its configuration and its alerts, every second. `hosts` are the addresses by the names that
 * the configuration gives them, such as `wallet:3000`.
 */
export async function startPrometheus(hosts: Record<string, string>): Promise<Prometheus> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-prometheus-'));
  const port = await findFreePort();
  const configuration = parse(await readFile(join(OBSERVABILITY, 'prometheus.yml'), 'utf8'));
  configuration.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  configuration.rule_files = [join(OBSERVABILITY, 'alerts.yml')];
  delete configuration.alerting;
  for (const { static_configs } of configuration.scrape_configs) {
    for (const one of static_configs) one.targets = one.targets.map((name: string) => hostOf(hosts, name));
  }
  await writeFile(join(dir, 'prometheus.yml'), stringify(configuration));
  const options = ['--config.file', 'prometheus.yml', '--storage.tsdb.path', 'data', '--web.listen-address'];
  const child = spawn('prometheus', [...options, `127.0.0.1:${port}`], { cwd: dir, stdio: 'ignore' });
  const ask = async (path: string, parameters: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = await answer.json();
    if (status !== 'success') throw new Error(`${parameters.query ?? path}: ${error}`);
    return data;
  };
  await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, { timeoutMs: 60_000, everyMs: 100 });
  return {
    async query(expr) {
      const { result } = await ask('query', { query: expr });
      return result.map(({ metric, value }: { metric: Record<string, string>; value: [number, string] }) => ({
        metric,
        value: Number(value[1]),
      }));
    },
    async labelsOf(metric) {
      return new Set(await ask('labels', { 'match[]': metric }));
    },
    async firing() {
      const firing = await ask('query', { query: 'ALERTS{alertstate="firing"}' });
      return firing.result.map(({ metric }: { metric: Record<string, string> }) => metric.alertname);
    },
    async stop() {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function hostOf(hosts: Record<string, string>, name: string): string {
  const host = hosts[name];
  if (!host) throw new Error(`nothing runs that prometheus.yml names ${name}`);
  return host;
}
