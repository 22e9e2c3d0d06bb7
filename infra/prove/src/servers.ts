import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrokerNode, findInstalledBroker, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { createTcpProxy, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import pg from 'pg';
import { type BrokerCluster, startBrokerCluster } from './broker-cluster.ts';
import type { FaultyDisk } from './faulty-disk.ts';
import { type PostgresNode, preparePostgresNode } from './postgres-node.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';

/** A server of the proof, behind a proxy, that can be killed as by a power cut. */
export interface Breakable {
  /** The address that the product uses, through the proxy. */
  url: string;
  /** The address without the proxy. */
  directUrl: string;
  proxy: TcpProxy;
  /** SIGKILL to all its processes, then a start with the data on disk. */
  killAndRestart(): Promise<void>;
  /** Runs `act` while no other caller may act, then waits until all its servers agree. Returns the result of `act`. */
  alone<Result>(act: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

export interface BreakablePostgres extends Breakable {
  /** Whether it refuses every write, like a primary that was demoted. Ends all connections. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** Undefined unless it was asked for. */
  pair: PostgresPair | undefined;
  /** Undefined unless it was asked for and this machine can compile it. */
  disk: FaultyDisk | undefined;
  /** Kills the server, copies its files, and restarts it. */
  keepCopy(): Promise<void>;
  /** Restores the copy; later commits are lost. */
  goBack(): Promise<void>;
  /** Like `killAndRestart`, but unsynced writes are lost. Needs `disk`. */
  cutPower(): Promise<void>;
  /**
   * Resolves when the server answers again. If its disk fails during recovery, Postgres ends or (version 18) hangs;
   * then this restarts it, as an operator would.
   */
  recover(): Promise<void>;
}

/**
 * A Postgres with fsync on. On request it has a synchronous standby, or a disk that can fail if this machine can
 * compile one.
 */
export async function startPostgres(
  options: { hasStandby: true } | { onFaultyDisk?: boolean; hasStandby?: false } = {},
): Promise<BreakablePostgres> {
  const pair = options.hasStandby ? await startPostgresPair() : undefined;
  const single = options.hasStandby ? undefined : await preparePostgresNode(options);
  await single?.start();
  const nodeNow = () => pair?.primary() ?? (single as PostgresNode);
  const address = () => ({ host: '127.0.0.1', port: nodeNow().port() });
  const proxy = await createTcpProxy(address);
  // An address that follows the primary, for clients that no fault may disturb.
  const door = pair && (await createTcpProxy(address));
  const copy = () => join(nodeNow().place.base, 'copy');
  const restart = async (act?: (node: PostgresNode) => Promise<unknown>) => {
    await nodeNow().kill();
    await act?.(nodeNow());
    await nodeNow().start();
  };
  return {
    url: through(proxy, nodeNow().url()),
    directUrl: door ? through(door, nodeNow().url()) : nodeNow().url(),
    proxy,
    pair,
    disk: single?.disk,
    alone: inTurn(async () => pair?.untilSynchronous()),
    killAndRestart: () => restart(),
    // `-a` keeps the owner.
    keepCopy: () => restart(({ cluster }) => promisify(execFile)('cp', ['-a', cluster, copy()])),
    async goBack() {
      await restart(async ({ cluster }) => {
        await rm(cluster, { recursive: true });
        await rename(copy(), cluster);
      });
      await pair?.rebuildStandby();
    },
    cutPower: () => restart(async ({ disk }) => disk?.losePower()),
    recover: () => nodeNow().recover(),
    setReadOnly: (isReadOnly) => setReadOnly(nodeNow().url(), isReadOnly),
    async stop() {
      await proxy.close();
      await door?.close();
      await (pair ?? single)?.remove();
    },
  };
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

export type BreakableBroker = Breakable & {
  managementUrl: string;
  /** Undefined unless it was asked for. */
  cluster: BrokerCluster | undefined;
};

/** A RabbitMQ node, or three. Throws if none is installed. */
export async function startBroker({ hasPeers = false } = {}): Promise<BreakableBroker> {
  const script = findInstalledBroker();
  if (!script)
    throw new Error('The proof needs an installed RabbitMQ: on Debian and Ubuntu, "apt-get install rabbitmq-server".');
  return hasPeers ? startThreeNodes(script) : startOneNode(script);
}

async function startOneNode(script: string): Promise<BreakableBroker> {
  const node = await startBrokerNode(script);
  const { hostname, port } = new URL(node.amqpUrl);
  const proxy = await createTcpProxy({ host: hostname, port: Number(port) });
  return {
    url: through(proxy, node.amqpUrl),
    directUrl: node.amqpUrl,
    managementUrl: node.managementUrl,
    proxy,
    cluster: undefined,
    alone: inTurn(async () => undefined),
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

async function startThreeNodes(script: string): Promise<BreakableBroker> {
  const cluster = await startBrokerCluster(script);
  const { nodes } = cluster;
  const [proxy, door, management] = await Promise.all([
    createTcpProxy(cluster.next),
    createTcpProxy(cluster.next),
    createTcpProxy(cluster.nextManagement),
  ]);
  const first = nodes[0] as BrokerNode;
  return {
    url: through(proxy, first.amqpUrl),
    directUrl: through(door, first.amqpUrl),
    managementUrl: through(management, first.managementUrl),
    proxy,
    cluster,
    alone: inTurn(cluster.untilWhole),
    // All in parallel: each node waits for the others when it starts.
    async killAndRestart() {
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all(nodes.map((node) => node.restart()));
    },
    async stop() {
      for (const each of [proxy, door, management]) await each.close();
      await cluster.stop();
    },
  };
}

function inTurn(untilWhole: () => Promise<void>): Breakable['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const acting = last.then(async () => {
      const result = await act();
      await untilWhole();
      return result;
    });
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
