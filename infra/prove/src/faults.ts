import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@vuka/local/testing/fleet';
import { until } from '@vuka/test-kit/until';
import { republishAtRandom } from './duplicates.ts';
import type { Inject, Installation } from './installation.ts';
import { NETWORK } from './network-faults.ts';
import type { FaultGroup, PlannedFault } from './plan.ts';
import {
  BACK_MS,
  killInTheMiddle,
  killProcess,
  PROCESSES,
  pauseProcess,
  replaceProcesses,
  SIMULATOR,
  untilReady,
} from './processes.ts';
import { PROVIDER_FAULTS } from './provider-faults.ts';
import { lengthOf } from './random.ts';

const PAUSED = ['identity', 'wallet', 'transfers', 'transfers-worker', SIMULATOR] as const;
const LONGEST_OUTAGE_MS = 200_000;

type Server = 'postgres' | 'broker';

function killServer(server: Server): Inject {
  return async (broken) => {
    const startedMs = performance.now();
    await broken[server]?.killAndRestart();
    await untilReady(broken, PROCESSES);
    return performance.now() - startedMs;
  };
}

/** The provider loses its database while our side goes on. */
const killProviderPostgres: Inject = async (broken) => {
  const startedMs = performance.now();
  await broken.provider.postgres.killAndRestart();
  await untilReady(broken, [SIMULATOR]);
  return performance.now() - startedMs;
};

function proxyOf(broken: Installation, server: Server) {
  const found = broken[server];
  if (!found) throw new Error(`this proof has no ${server}`);
  return found.proxy;
}

function breakNetwork(server: Server, how: 'cut' | 'pause' | 'dropAnswers'): Inject {
  return async (broken, draw) => {
    const proxy = proxyOf(broken, server);
    proxy[how]();
    await delay(lengthOf(draw, 200, 3_000));
    // Connections whose answers were dropped are unusable.
    if (how === 'dropAnswers') proxy.cut();
    proxy.restore();
    return untilReady(broken, PROCESSES);
  };
}

/** The database takes no writes for a while, as when another server is about to take over. */
const makeReadOnly: Inject = async (broken, draw) => {
  await broken.postgres.setReadOnly(true);
  await delay(lengthOf(draw, 500, 8_000));
  await broken.postgres.setReadOnly(false);
  return untilReady(broken, PROCESSES);
};

/** Longer than the retries of any message. */
function breakForLong(server: Server): Inject {
  return async (broken, draw) => {
    const proxy = proxyOf(broken, server);
    proxy.cut();
    await delay(lengthOf(draw, 40_000, LONGEST_OUTAGE_MS));
    proxy.restore();
    return untilReady(broken, PROCESSES);
  };
}

const INFRASTRUCTURE: Record<string, Inject> = {
  ...Object.fromEntries(PROCESSES.map((name) => [`kill ${name}`, killProcess(name)])),
  'kill transfers in the middle': killInTheMiddle('transfers', 'wallet'),
  'kill transfers-worker in the middle': killInTheMiddle('transfers-worker', 'wallet'),
  'kill transfers-worker in the middle of payouts': killInTheMiddle('transfers-worker', SIMULATOR),
  ...Object.fromEntries(PAUSED.map((name) => [`pause ${name}`, pauseProcess(name)])),
  ...Object.fromEntries(SERVICES.map((name) => [`replace ${name}`, replaceProcesses([name])])),
  'kill postgres': killServer('postgres'),
  'kill broker': killServer('broker'),
  'cut postgres': breakNetwork('postgres', 'cut'),
  'cut broker': breakNetwork('broker', 'cut'),
  'silent postgres': breakNetwork('postgres', 'pause'),
  'silent broker': breakNetwork('broker', 'pause'),
  'answers of postgres lost': breakNetwork('postgres', 'dropAnswers'),
  'answers of broker lost': breakNetwork('broker', 'dropAnswers'),
  'read-only postgres': makeReadOnly,
  'kill postgres of the provider': killProviderPostgres,
};

/** Less than sessions may stay idle: later ones would have to sign in again, rightly. */
const CLOCK_STEP_SECONDS = 20 * 60;

function setClocks(aheadSeconds: number): Inject {
  return async (broken, draw) => {
    await broken.clock?.set(aheadSeconds);
    await delay(lengthOf(draw, 3_000, 20_000));
    await broken.clock?.set(0);
    return untilReady(broken, PROCESSES);
  };
}

/** Planned where clocks can be set. */
const CLOCKS: Record<string, Inject> = {
  'clocks back by 20 minutes': setClocks(-CLOCK_STEP_SECONDS),
  'clocks ahead by 20 minutes': setClocks(CLOCK_STEP_SECONDS),
};

/** Only a proof of this length has time for them; in the lane of the others, which wait for every service. */
const OUTAGES_FROM_MS = 600_000;
const OUTAGES: Record<string, Inject> = {
  'replace every process': replaceProcesses(SERVICES),
  'long outage of postgres': breakForLong('postgres'),
  'long outage of broker': breakForLong('broker'),
};

/** Waits for the broker or the simulator, which other faults may have stopped. */
async function onceAvailable(what: string, act: () => Promise<void>): Promise<null> {
  await until(() => act().then(() => true), { timeoutMs: BACK_MS + LONGEST_OUTAGE_MS, everyMs: 200, what });
  return null;
}

const MESSAGES: Record<string, Inject> = {
  'messages again, out of order': ({ broker, transfersDatabaseUrl }, draw) =>
    onceAvailable('messages to be published again', async () =>
      republishAtRandom({
        amqpUrl: broker?.directUrl ?? '',
        databaseUrl: transfersDatabaseUrl,
        count: lengthOf(draw, 5, 50),
      }),
    ),
};

const PROVIDER: Record<string, Inject> = Object.fromEntries(
  Object.entries(PROVIDER_FAULTS).map(([kind, fault]): [string, Inject] => [
    `provider: ${kind}`,
    ({ provider }, draw) =>
      onceAvailable(`the simulator to accept "${kind}"`, async () => {
        const response = await fetch(`http://127.0.0.1:${provider.port}/sim/scenarios`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ match: { next: lengthOf(draw, 2, 8) }, ...fault }),
          signal: AbortSignal.timeout(5_000),
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      }),
  ]),
);

const FAULTS: Record<string, Inject> = {
  ...INFRASTRUCTURE,
  ...CLOCKS,
  ...OUTAGES,
  ...MESSAGES,
  ...PROVIDER,
  ...NETWORK,
};

/**
 * The kinds of faults, and how often they occur. Two of the first group never overlap: one is healed before the next
 * starts.
 */
const FAULT_GROUPS: readonly FaultGroup[] = [
  { kinds: Object.keys(INFRASTRUCTURE), everyMs: 12_000 },
  { kinds: Object.keys(MESSAGES), everyMs: 7_000 },
  { kinds: Object.keys(PROVIDER), everyMs: 2_000 },
  { kinds: Object.keys(NETWORK), everyMs: 6_000 },
];

const NEEDS_BROKER = /\bbroker\b/;

export interface Possible {
  /** Of the proof, ms. */
  lengthMs: number;
  /** Clocks can be set. */
  hasClock: boolean;
  /** Messages travel through RabbitMQ. */
  hasBroker: boolean;
}

/**
 * The faults that are possible and whose kind contains one of these words, at the same rate; with fewer kinds, each
 * recurs sooner.
 */
export function faultsFor({ lengthMs, hasClock, hasBroker }: Possible, words: readonly string[]): FaultGroup[] {
  const more = [...(hasClock ? Object.keys(CLOCKS) : []), ...(lengthMs >= OUTAGES_FROM_MS ? Object.keys(OUTAGES) : [])];
  const groups = FAULT_GROUPS.map((group, lane) =>
    lane === 0 ? { ...group, kinds: [...group.kinds, ...more] } : group,
  );
  const isPossible = (kind: string) => hasBroker || !(NEEDS_BROKER.test(kind) || kind in MESSAGES);
  const isMeant = (kind: string) => words.length === 0 || words.some((word) => kind.includes(word));
  return groups.map(({ kinds, everyMs }) => ({
    kinds: kinds.filter((kind) => isPossible(kind) && isMeant(kind)),
    everyMs,
  }));
}

/** Injects a fault and waits until it is healed; returns the time to recover, in ms, if there was one. */
export function inject(broken: Installation, { kind, draw }: PlannedFault): Promise<number | null> {
  const fault = FAULTS[kind];
  if (!fault) throw new RangeError(`there is no fault "${kind}"`);
  return fault(broken, draw);
}
