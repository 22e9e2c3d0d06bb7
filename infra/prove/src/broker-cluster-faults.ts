import { setTimeout as delay } from 'node:timers/promises';
import type { BrokerCluster, ClusterNode } from './broker-cluster.ts';
import type { Inject } from './installation.ts';
import { PROCESSES, untilReady } from './processes.ts';
import { lengthOf, otherDraw } from './random.ts';
import { ofServer } from './server-faults.ts';

interface OfNode {
  /** The role of the node in the replication of `QUEUE`; any node by default. */
  pick?: 'leader' | 'follower';
  begin(node: ClusterNode): unknown;
  /** Shortest and longest duration, ms. */
  lasts: [number, number];
  end(node: ClusterNode): unknown;
}

/** The busiest queue of the product. */
const QUEUE = 'transfers.execution';

/**
 * Breaks one node of three. The time to recover ends when the product works with the other two. The next fault waits
 * until all three form one cluster again.
 */
function breakNode({ pick, begin, lasts, end }: OfNode): Inject {
  return (broken, draw) =>
    ofServer(broken, 'broker', async ({ cluster }) => {
      const node = await choose(clusterOf(cluster), pick, otherDraw(draw));
      const ending = delay(lengthOf(draw, ...lasts));
      const startedMs = performance.now();
      await begin(node);
      try {
        await untilReady(broken, PROCESSES);
        const recoveredMs = performance.now() - startedMs;
        await ending;
        return recoveredMs;
      } finally {
        await end(node);
      }
    });
}

function clusterOf(cluster: BrokerCluster | undefined): BrokerCluster {
  if (!cluster) throw new Error('this proof has one broker');
  return cluster;
}

async function choose(cluster: BrokerCluster, pick: OfNode['pick'], draw: number): Promise<ClusterNode> {
  const leader = await cluster.leaderOf(QUEUE);
  if (pick === 'leader') return leader;
  const among = pick === 'follower' ? cluster.nodes.filter((node) => node !== leader) : cluster.nodes;
  return among[Math.floor(draw * among.length)] as ClusterNode;
}

const KILLED: Pick<OfNode, 'begin' | 'lasts' | 'end'> = {
  begin: (node) => node.kill(),
  lasts: [500, 6_000],
  end: (node) => node.restart(),
};

const NODES: Record<string, OfNode> = {
  'kill leading node of broker': { pick: 'leader', ...KILLED },
  'kill following node of broker': { pick: 'follower', ...KILLED },
  // Up to longer than the others wait for a silent member.
  'suspend one node of broker': {
    begin: (node) => node.suspend(),
    lasts: [4_000, 14_000],
    end: (node) => node.resume(),
  },
  'network between one node of broker and the others: cut': {
    begin: ({ links }) => {
      for (const link of links) link.cut();
    },
    lasts: [1_000, 8_000],
    end: restoreLinks,
  },
  'network between one node of broker and the others: silent': {
    begin: ({ links }) => {
      for (const link of links) link.pause();
    },
    lasts: [2_000, 14_000],
    end: restoreLinks,
  },
  'network between one node of broker and the others: slow': {
    begin: ({ links }) => {
      for (const link of links) link.slow(100);
    },
    lasts: [1_000, 8_000],
    end: restoreLinks,
  },
};

function restoreLinks({ links }: ClusterNode): void {
  for (const link of links) link.restore();
}

/** Restarts the nodes one by one, as a rolling upgrade of the broker does. */
const restartNodes: Inject = (broken) =>
  ofServer(broken, 'broker', async ({ cluster }) => {
    let slowestMs = 0;
    for (const node of clusterOf(cluster).nodes) {
      const startedMs = performance.now();
      await node.shutDown();
      await untilReady(broken, PROCESSES);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      await node.restart();
      await clusterOf(cluster).untilWhole();
    }
    return slowestMs;
  });

/** Faults of a broker with three nodes. */
export const NODE_FAULTS: Record<string, Inject> = {
  ...Object.fromEntries(Object.entries(NODES).map(([kind, fault]) => [kind, breakNode(fault)])),
  'restart nodes of broker, one after the other': restartNodes,
};
