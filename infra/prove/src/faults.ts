import { NODE_FAULTS } from './broker-cluster-faults.ts';
import { CLOCK_FAULTS } from './clock-faults.ts';
import { DISK_FAULTS } from './disk-faults.ts';
import type { Inject, Installation } from './installation.ts';
import { MEMORY_FAULTS } from './memory-faults.ts';
import { MESSAGE_FAULTS } from './message-faults.ts';
import { CALL_FAULTS, CONNECTION_FAULTS } from './network-faults.ts';
import { OUTAGE_FAULTS, outageKinds } from './outages.ts';
import { PAIR_FAULTS } from './pair-faults.ts';
import type { FaultGroup, PlannedFault } from './plan.ts';
import { PROCESS_FAULTS, REPLACE_ALL } from './process-faults.ts';
import { DENIED_LATER, PROVIDER_FAULTS } from './provider-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';
import { UPGRADES } from './upgrade.ts';

/** What a proof can break, and for how long. */
export interface Possible {
  /** The length of the proof, ms. */
  lengthMs: number;
  /** Clocks can be set. */
  hasClocks: boolean;
  /** Postgres is on a disk that can fail. */
  hasDisk: boolean;
  /** The memory of a running process can be limited. */
  canLimitMemory: boolean;
  /** Messages travel through RabbitMQ. */
  hasBroker: boolean;
  /** Postgres has a standby, and RabbitMQ three nodes. */
  isCluster: boolean;
  /** The services are upgraded from another release, in the order of the runbook. */
  isUpgrade: boolean;
}

interface Family {
  faults: Record<string, Inject>;
  /** Mean pause between two faults, ms. */
  everyMs: number;
  isPossible?(kind: string, possible: Possible): boolean;
}

/** The shortest proof in which every process is replaced, which takes a minute or more. */
const REPLACED_FROM_MS = 600_000;

function isPossibleForProcess(kind: string, { lengthMs, canLimitMemory, isUpgrade }: Possible): boolean {
  if (kind === REPLACE_ALL && lengthMs < REPLACED_FROM_MS) return false;
  if (kind.startsWith('replace ') && isUpgrade) return false;
  return canLimitMemory || !(kind in MEMORY_FAULTS);
}

/** The shortest proof in which transfers may take a minute longer. */
const DENIED_FROM_MS = 30_000;

/** The release from which an upgrade begins may not note which payouts were acknowledged. */
const isPossibleForProvider = (kind: string, { lengthMs, isUpgrade }: Possible): boolean =>
  kind !== DENIED_LATER || (lengthMs >= DENIED_FROM_MS && !isUpgrade);

/** Each family is a lane: the faults of one family follow each other, and families overlap at will. */
const FAMILIES: readonly Family[] = [
  { faults: { ...PROCESS_FAULTS, ...MEMORY_FAULTS }, everyMs: 12_000, isPossible: isPossibleForProcess },
  { faults: SERVER_FAULTS, everyMs: 20_000 },
  { faults: PAIR_FAULTS, everyMs: 12_000, isPossible: (_, { isCluster }) => isCluster },
  { faults: NODE_FAULTS, everyMs: 15_000, isPossible: (_, { isCluster }) => isCluster },
  { faults: CLOCK_FAULTS, everyMs: 15_000, isPossible: (_, { hasClocks }) => hasClocks },
  { faults: DISK_FAULTS, everyMs: 25_000, isPossible: (_, { hasDisk }) => hasDisk },
  {
    faults: OUTAGE_FAULTS,
    everyMs: 240_000,
    isPossible: (kind, { lengthMs }) => outageKinds(lengthMs).includes(kind),
  },
  { faults: MESSAGE_FAULTS, everyMs: 7_000, isPossible: (_, { hasBroker }) => hasBroker },
  { faults: PROVIDER_FAULTS, everyMs: 2_000, isPossible: isPossibleForProvider },
  { faults: CALL_FAULTS, everyMs: 6_000 },
  { faults: CONNECTION_FAULTS, everyMs: 8_000 },
];

/** Whether a fault affects every process: a recovery that overlaps it does not measure one fault only. */
export const isFeltByAll = (kind: string): boolean =>
  [SERVER_FAULTS, PAIR_FAULTS, NODE_FAULTS, DISK_FAULTS, OUTAGE_FAULTS].some((faults) => kind in faults);

/** The lane of everything that ends or replaces a process. */
export const PROCESS_LANE = 0;

const FAULTS: Record<string, Inject> = Object.assign({}, UPGRADES, ...FAMILIES.map(({ faults }) => faults));
const NEEDS_BROKER = /\bbroker\b/;

/**
 * The faults that are possible and whose kind contains one of these words, at the same rate; with fewer kinds, each
 * recurs sooner.
 */
export function faultsFor(possible: Possible, words: readonly string[]): FaultGroup[] {
  const isMeant = (kind: string) => words.length === 0 || words.some((word) => kind.includes(word));
  return FAMILIES.map(({ faults, everyMs, isPossible = () => true }) => ({
    kinds: Object.keys(faults).filter(
      (kind) => isMeant(kind) && isPossible(kind, possible) && (possible.hasBroker || !NEEDS_BROKER.test(kind)),
    ),
    everyMs,
  }));
}

/** Injects a fault and waits until it is healed; returns the time to recover, in ms, if there was one. */
export function inject(broken: Installation, { kind, draw }: PlannedFault): Promise<number | null> {
  const fault = FAULTS[kind];
  if (!fault) throw new RangeError(`there is no fault "${kind}"`);
  return fault(broken, draw);
}
