import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareDataPlace, startEmbeddedPostgres } from '@vuka/embedded-postgres';
import { findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import pg from 'pg';
import { createFaultyDisk, type FaultyDisk } from './faulty-disk.ts';
import { createPostgresProcess } from './postgres-process.ts';

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
  /** Undefined unless it was asked for and this machine can compile it. */
  disk: FaultyDisk | undefined;
  /** Keeps a copy of its files as they are after a kill: its state of that moment. */
  keepCopy(): Promise<void>;
  /** Goes back to the copy; what was committed since is lost. */
  goBack(): Promise<void>;
  /** Like `killAndRestart`, and what was written but not synced is lost. Only with a disk. */
  cutPower(): Promise<void>;
  /**
   * Resolves when it answers again. If its disk failed while it recovered, Postgres ends, or (18) waits for ever: then it is
   * started again, as its operator would.
   */
  recover(): Promise<void>;
}

/** Longer than a recovery takes, ms. */
const HANGS_AFTER_MS = 10_000;

/** A Postgres with fsync on; on a disk that can fail, if asked for and if this machine can compile one. */
export async function startPostgres(options: { onFaultyDisk?: boolean } = {}): Promise<BreakablePostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'vuka-prove-'));
  // The server's account has to enter it.
  await chmod(dir, 0o755);
  const dataDir = join(dir, 'postgres');
  const place = await prepareDataPlace(dataDir);
  const disk = options.onFaultyDisk ? await createFaultyDisk(place) : undefined;
  const start = (port?: number) =>
    startEmbeddedPostgres({ dataDir, ...(port && { port }), ...(disk && { env: { ...process.env, ...disk.env } }) });
  let server = await start();
  const { port, url } = server;
  const [cluster, copy] = [join(place.base, 'cluster'), join(place.base, 'copy')];
  const running = createPostgresProcess(cluster);
  const proxy = await createTcpProxy({ host: '127.0.0.1', port });
  const startAgain = async () => {
    await server.stop().catch(() => undefined);
    server = await start(port);
  };
  const killAndRestart = async () => {
    await running.kill();
    await startAgain();
  };
  return {
    url: through(proxy, url),
    directUrl: url,
    proxy,
    disk,
    alone: inTurn(),
    killAndRestart,
    async keepCopy() {
      await running.kill();
      // With its owner.
      await promisify(execFile)('cp', ['-a', cluster, copy]);
      await startAgain();
    },
    async goBack() {
      await running.kill();
      await rm(cluster, { recursive: true });
      await rename(copy, cluster);
      await startAgain();
    },
    async cutPower() {
      await running.kill();
      await disk?.losePower();
      await startAgain();
    },
    async recover() {
      const answers = async () => {
        if (!(await running.isRunning())) await startAgain();
        return isAnswering(url);
      };
      await until(answers, { timeoutMs: HANGS_AFTER_MS, everyMs: 50 }).catch(killAndRestart);
    },
    setReadOnly: (isReadOnly) => setReadOnly(url, isReadOnly),
    async stop() {
      await proxy.close();
      await server.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the statement fails too
  await client.connect();
  await client.query('select 1').finally(() => client.end().catch(() => undefined));
  return true;
}

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.query('select pg_reload_conf()');
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  await client.end();
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
