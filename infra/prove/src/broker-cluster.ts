import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { findFreePort } from '@vuka/embedded-postgres/free-port';
import { type BrokerNode, startBrokerNode } from '@vuka/test-kit/rabbitmq-node';
import { createTcpProxy, type Target, type TcpProxy } from '@vuka/test-kit/tcp-proxy';
import { until } from '@vuka/test-kit/until';
import { callManagement } from './broker-management.ts';
import { type NodeNames, serveNodeNames } from './node-names.ts';

/** A node, and the connections between it and the others. */
export interface ClusterNode extends BrokerNode {
  /** With its host. */
  name: string;
  links: readonly TcpProxy[];
}

/** Three nodes of RabbitMQ, with every queue on each. */
export interface BrokerCluster {
  nodes: readonly ClusterNode[];
  /** The address of a node that serves, in rotation: the target of a proxy. */
  next(): Target;
  /** The address of the management API of such a node, in rotation. */
  nextManagement(): Target;
  /** The node that leads a queue. */
  leaderOf(queue: string): Promise<ClusterNode>;
  /** Resolves when each node sees all others and none is critical for a quorum; restarts a node that stays apart. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

const MEMBERS = ['one', 'two', 'three'];
const WHOLE_MS = 25_000;
/** Restarts of a sick node before `untilWhole` gives up. */
const CURES = 3;
const LOOKED_EVERY_MS = 300;
const ANSWERS_MS = 1_000;

export async function startBrokerCluster(script: string): Promise<BrokerCluster> {
  const suffix = randomBytes(4).toString('hex');
  const names = MEMBERS.map((name) => `${name}-${suffix}`);
  const ports = await Promise.all(names.map(findFreePort));
  const [links, nameServers] = await connectMembers(names, ports);
  const starting = names.map(async (name, index): Promise<ClusterNode> => {
    const member = {
      name,
      members: names,
      nameServerPort: nameServers[index]?.port ?? 0,
      cookie: suffix,
      distributionPort: ports[index] ?? 0,
    };
    const own = links.filter(({ ends }) => ends.includes(index)).map(({ proxy }) => proxy);
    return { ...(await startBrokerNode(script, { member })), name: `${name}@localhost`, links: own };
  });
  const nodes = await allOrStop(starting);
  const balancer = balance(nodes);
  return {
    nodes,
    next: () => targetOf(balancer.next().amqpUrl),
    nextManagement: () => targetOf(balancer.next().managementUrl),
    async leaderOf(queue) {
      const { leader } = await ask<{ leader: string }>(balancer.next(), `/api/queues/%2F/${queue}`);
      const found = nodes.find(({ name }) => name === leader);
      if (!found) throw new Error(`${queue} has the leader ${leader}`);
      return found;
    },
    untilWhole: () => untilWhole(nodes),
    async stop() {
      balancer.stop();
      await Promise.all(nodes.map((node) => node.stop()));
      for (const { proxy } of links) await proxy.close();
      for (const server of nameServers) await server.close();
    },
  };
}

/** If one node does not start, stops the others and throws. */
async function allOrStop(starting: readonly Promise<ClusterNode>[]): Promise<ClusterNode[]> {
  const started = await Promise.allSettled(starting);
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (nodes.length < starting.length) await Promise.all(nodes.map((node) => node.stop()));
  return Promise.all(starting);
}

interface Link {
  /** Indexes of two nodes: the first one connects to the second. */
  ends: readonly [number, number];
  proxy: TcpProxy;
}

/** Gives each member its own name server, which directs its connections to the other members through proxies. */
async function connectMembers(names: readonly string[], ports: readonly number[]): Promise<[Link[], NodeNames[]]> {
  const links: Link[] = [];
  const nameServers: NodeNames[] = [];
  for (const from of names.keys()) {
    const known = new Map<string, number>();
    for (const [to, name] of names.entries()) {
      const port = ports[to] ?? 0;
      if (to !== from) links.push({ ends: [from, to], proxy: await createTcpProxy({ host: '127.0.0.1', port }) });
      known.set(name, to === from ? port : (links.at(-1)?.proxy.port ?? 0));
    }
    nameServers.push(await serveNodeNames((name) => known.get(name)));
  }
  return [links, nameServers];
}

/** Checks continuously which nodes serve, as a load balancer does. */
function balance(nodes: readonly ClusterNode[]): { next(): ClusterNode; stop(): void } {
  let serving = nodes;
  let turn = 0;
  const look = setInterval(async () => {
    const serve = await Promise.all(nodes.map(({ amqpUrl }) => greets(targetOf(amqpUrl))));
    serving = nodes.filter((_, index) => serve[index]);
  }, LOOKED_EVERY_MS);
  return {
    next() {
      const among = serving.length > 0 ? serving : nodes;
      turn += 1;
      return among[turn % among.length] as ClusterNode;
    },
    stop: () => clearInterval(look),
  };
}

const GREETING = Buffer.from('AMQP\0\0\x09\x01', 'latin1');

/** Whether the node answers an AMQP greeting. A suspended node accepts connections, but does not answer. */
function greets(target: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(target, () => socket.write(GREETING));
    const end = (isServing: boolean) => {
      socket.destroy();
      resolve(isServing);
    };
    socket.setTimeout(ANSWERS_MS, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', () => end(true));
  });
}

async function ask<Answer>({ managementUrl }: BrokerNode, path: string): Promise<Answer> {
  return (await callManagement(managementUrl, path)).json() as Promise<Answer>;
}

/** The names of the members that a node sees, without a partition between them. */
async function seenBy(node: ClusterNode): Promise<string[]> {
  const members = await ask<{ name: string; running: boolean; partitions: string[] }[]>(node, '/api/nodes').catch(
    () => [],
  );
  return members.filter(({ running, partitions = [] }) => running && partitions.length === 0).map(({ name }) => name);
}

async function isWhole(nodes: readonly ClusterNode[]): Promise<boolean> {
  const seen = await Promise.all(nodes.map(seenBy));
  if (!seen.every(({ length }) => length === nodes.length)) return false;
  await Promise.all(nodes.map((node) => ask(node, '/api/health/checks/node-is-quorum-critical')));
  return true;
}

/**
 * A node that was suspended can stay apart from the others for minutes, whatever its partition strategy. Like an
 * operator, this restarts such a node.
 */
async function untilWhole(nodes: readonly ClusterNode[]): Promise<void> {
  for (let cures = 0; cures <= CURES; cures += 1) {
    const waited = { timeoutMs: WHOLE_MS, everyMs: 300, what: 'the nodes of the broker to see each other' };
    const whole = await until(() => isWhole(nodes), waited).catch((error: Error) => error);
    if (whole === true) return;
    if (cures === CURES) throw whole;
    const sick = await findSick(nodes);
    await sick.kill();
    await sick.restart();
  }
}

/** The node that the fewest nodes see. */
async function findSick(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  const seen = await Promise.all(nodes.map(seenBy));
  const times = nodes.map(({ name }) => seen.filter((names) => names.includes(name)).length);
  return nodes[times.indexOf(Math.min(...times))] as ClusterNode;
}

function targetOf(address: string): Target {
  const { hostname: host, port } = new URL(address);
  return { host, port: Number(port) };
}
