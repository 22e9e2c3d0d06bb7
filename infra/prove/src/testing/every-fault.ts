import type { Possible } from '#faults.ts';

/** An hour on a machine, and with servers, where every fault is possible. */
export const EVERY_FAULT: Possible = {
  lengthMs: 3_600_000,
  hasClocks: true,
  hasDisk: true,
  canLimitMemory: true,
  hasBroker: true,
  isCluster: true,
  isUpgrade: false,
};
