import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { until } from '@vuka/test-kit/until';
import { fillIn } from '#env-file.ts';
import { ROOT } from '#start-settings.ts';

const run = promisify(execFile);
const LONGEST_MS = 600_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Settings of a demonstration: codes are shown because there is no mail or SMS, and tests have no passkeys. */
const DEMO = { VUKA_SHOW_CODES: 'true', VUKA_REQUIRE_SECOND_FACTOR: 'false', VUKA_RATE_LIMIT_FACTOR: '1000' };

/** A checkout, and the tag of the image that was built of it. */
export interface Release {
  root: string;
  tag: string;
}

export const THIS_RELEASE: Release = { root: ROOT, tag: process.env.VUKA_VERSION ?? 'local' };

/** Kills the service's own process: nothing inside a container can kill its first process, a small init. */
const CRASH = `const fs = require('fs');
  for (const id of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && name !== String(process.pid))) {
    const line = fs.readFileSync('/proc/' + id + '/cmdline', 'utf8').split('\\0');
    if (/src\\/(main|worker)\\.ts$/.test(line[1] ?? '')) process.kill(Number(id), 'SIGKILL');
  }`;

/** Prints the body of each request on one line, like the program in docs/runbooks/services.md. */
const RECEIVER = `require('node:http').createServer((q, a) => {
  q.pipe(process.stdout, { end: false });
  q.on('end', () => { console.log(); a.end('{}'); });
}).listen(4318);`;

export interface Containers {
  /** The address of the gateway. */
  address: string;
  /** Runs `docker compose` on this project; returns what it printed. Throws when it fails. */
  compose(...args: string[]): Promise<string>;
  /** Runs a query in a database of the project; returns the rows as psql prints them, without a header. */
  psql(database: string, query: string): Promise<string>;
  /** Resolves once the health checks of these services succeed. */
  untilHealthy(services: readonly string[]): Promise<void>;
  /** Changes settings of `.env`. */
  set(changes: Record<string, string>): Promise<void>;
  /** Uses the compose file and the image of this release from now on. */
  use(release: Release): void;
  /** Replaces containers by the command of the runbook. */
  replace(...services: string[]): Promise<void>;
  /** Ends the process of a service as a crash would. The engine's restart policy has to bring it back. */
  crash(service: string): Promise<void>;
  /** Starts a receiver of spans under Jaeger's name. Returns a function that reads the received spans as text. */
  receiveSpans(): Promise<() => Promise<string>>;
  /** Memory of each running container, as the engine prints it. */
  memory(): Promise<Record<string, string>>;
  /** The size of the image, bytes. */
  imageBytes(): Promise<number>;
  /** Removes containers, networks and volumes. */
  remove(): Promise<void>;
}

/** A compose project of its own, with an `.env` as `npm run env` writes it. Nothing runs yet. */
export async function createContainers(): Promise<Containers> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-compose-'));
  const port = await findFreePort();
  const envFile = join(dir, '.env');
  const set = (changes: Record<string, string>) => changeSettings(envFile, changes);
  await writeFile(envFile, fillIn(await readFile(join(ROOT, '.env.example'), 'utf8')), { mode: 0o600 });
  await set({ ...DEMO, PORT: String(port), VUKA_PUBLIC_URL: `http://127.0.0.1:${port}` });
  const project = `vuka-test-${process.pid}`;
  const receiver = `${project}-spans`;
  let release = THIS_RELEASE;
  const prefix = () => {
    const file = join(release.root, 'infra/docker-compose.yml');
    return ['compose', '--project-name', project, '--env-file', envFile, '--file', file, '--profile', 'demo'];
  };
  const call = async (program: string, args: string[], env: Record<string, string> = {}) => {
    const withRelease = { ...process.env, VUKA_VERSION: release.tag, ...env };
    const limits = { timeout: LONGEST_MS, maxBuffer: MOST_OUTPUT };
    return (await run(program, args, { ...limits, env: withRelease })).stdout;
  };
  const docker = (...args: string[]) => call('docker', args);
  const compose = (...args: string[]) => docker(...prefix(), ...args);
  return {
    address: `http://127.0.0.1:${port}`,
    compose,
    async psql(database, query) {
      const shown = ['--tuples-only', '--no-align', '--dbname', database, '--command', query];
      return (await compose('exec', '-T', 'postgres', 'psql', '--username', 'postgres', ...shown)).trim();
    },
    async untilHealthy(services) {
      const areHealthy = async () => {
        const lines = (await compose('ps', '--format', '{{.Service}} {{.Health}}')).split('\n');
        return services.every((service) => lines.includes(`${service} healthy`));
      };
      await until(areHealthy, { timeoutMs: LONGEST_MS, everyMs: 1_000, what: 'every container to be healthy' });
    },
    set,
    use(next) {
      release = next;
    },
    async replace(...services) {
      const script = join(release.root, 'infra/replace.sh');
      await call(script, services, { COMPOSE: ['docker', ...prefix()].join(' ') });
    },
    async crash(service) {
      await compose('exec', '-T', service, 'node', '-e', CRASH).catch((error: { code?: number }) => {
        // 137: the container ended before this command in it.
        if (error.code !== 137) throw error;
      });
    },
    async receiveSpans() {
      const place = ['--name', receiver, '--network', `${project}_default`, '--network-alias', 'jaeger'];
      await docker('run', '--detach', ...place, '--no-healthcheck', `vuka:${release.tag}`, 'node', '--eval', RECEIVER);
      return () => docker('logs', receiver);
    },
    async memory() {
      const ids = (await compose('ps', '--quiet')).trim().split('\n');
      const lines = await docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}', ...ids);
      return Object.fromEntries(
        lines
          .trim()
          .split('\n')
          .map((line) => {
            const [name = '', used = ''] = line.split(' ');
            return [name.replace(`${project}-`, '').replace(/-1$/, ''), used];
          }),
      );
    },
    imageBytes: async () => Number(await docker('image', 'inspect', '--format', '{{.Size}}', `vuka:${release.tag}`)),
    async remove() {
      await docker('rm', '--force', receiver);
      await compose('down', '--volumes', '--remove-orphans', '--timeout', '5');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function changeSettings(envFile: string, changes: Record<string, string>): Promise<void> {
  const given = (await readFile(envFile, 'utf8'))
    .split('\n')
    .filter((line) => !((line.split('=')[0] ?? '') in changes));
  const changed = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
  await writeFile(envFile, [...given, ...changed, ''].join('\n'), { mode: 0o600 });
}

/** Whether an engine with the compose plugin answers. */
export async function hasEngine(): Promise<boolean> {
  try {
    await run('docker', ['compose', 'version']);
    await run('docker', ['info']);
    return true;
  } catch {
    return false;
  }
}
