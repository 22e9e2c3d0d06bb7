import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import pg from 'pg';

/** A server of the proof, behind a proxy, that can be killed as by a power cut. */
export interface Breakable {
  /** The product's address for it: through the proxy. */
  url: string;
  /** Past the proxy. */
  directUrl: string;
  proxy: TcpProxy;
  /** SIGKILL to all its processes, then a start with the data on disk. */
  killAndRestart(): Promise<void>;
  /** Acts on it while nobody else does who also asks; returns what that returned. */
  alone<Result>(act: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

export interface BreakablePostgres extends Breakable {
  /** Whether it refuses every write, like a primary that was demoted. Ends all connections. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

/** A Postgres with fsync on. */
export async function startPostgres(): Promise<BreakablePostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-prove-'));
  const dataDir = join(dir, 'postgres');
  let server = await startEmbeddedPostgres({ dataDir });
  const { port, url } = server;
  const proxy = await createTcpProxy({ host: '127.0.0.1', port });
  return {
    url: through(proxy, url),
    directUrl: url,
    proxy,
    alone: inTurn(),
    async killAndRestart() {
      await killPostgres(server);
      await server.stop().catch(() => undefined);
      server = await startEmbeddedPostgres({ dataDir, port });
    },
    async setReadOnly(isReadOnly) {
      const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
      await client.connect();
      await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await client.query('select pg_reload_conf()');
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      await client.end();
    },
    async stop() {
      await proxy.close();
      await server.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function killPostgres({ url }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // its server is about to die
  await client.connect();
  const { rows } = await client.query<{ file: string }>("select pg_read_file('postmaster.pid') as file");
  const postmaster = Number(rows[0]?.file.split('\n')[0]);
  const backends = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
  for (const pid of [postmaster, ...backends.split('\n').map(Number)]) if (pid > 0) kill(pid);
  await client.end().catch(() => undefined);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // already ended
  }
}

export type BreakableBroker = Breakable & { managementUrl: string };

/** A RabbitMQ node. Throws if none is installed. */
export async function startBroker(): Promise<BreakableBroker> {
  const script = findInstalledBroker();
  if (!script)
    throw new Error('The proof needs an installed RabbitMQ: on Debian and Ubuntu, "apt-get install rabbitmq-server".');
  const node = await startBrokerNode(script);
  const { hostname, port } = new URL(node.amqpUrl);
  const proxy = await createTcpProxy({ host: hostname, port: Number(port) });
  return {
    url: through(proxy, node.amqpUrl),
    directUrl: node.amqpUrl,
    managementUrl: node.managementUrl,
    proxy,
    alone: inTurn(),
    async killAndRestart() {
      await node.kill();
      await node.restart();
    },
    async stop() {
      await proxy.close();
      await node.stop();
    },
  };
}

function inTurn(): Breakable['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const acting = last.then(act);
    last = acting.catch(() => undefined);
    return acting;
  };
}

function through(proxy: TcpProxy, address: string): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.toString();
}
