import { setTimeout as delay } from 'node:timers/promises';
import type { BrokerCluster, ClusterNode } from './broker-cluster.ts';
import type { Inject } from './installation.ts';
import { PROCESSES, untilReady } from './processes.ts';
import { lengthOf, otherDraw } from './random.ts';
import { ofServer } from './server-faults.ts';

interface OfNode {
  /** One that is not its leader, or any. */
  pick?: 'leader' | 'follower';
  begin(node: ClusterNode): unknown;
  /** How long it is in force, ms. */
  lasts: [number, number];
  end(node: ClusterNode): unknown;
}

/** The busiest queue of the product. */
const QUEUE = 'transfers.execution';

/**
 * One node of three: the product goes on with the others, and the time to recover is that until it does. The next fault waits
 * until all three are one cluster again.
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
  // Longer than members wait for a silent one.
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

/** As in an upgrade of the broker. */
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

/** Of a broker of three nodes. */
export const NODE_FAULTS: Record<string, Inject> = {
  ...Object.fromEntries(Object.entries(NODES).map(([kind, fault]) => [kind, breakNode(fault)])),
  'restart nodes of broker, one after the other': restartNodes,
};
