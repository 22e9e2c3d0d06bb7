import { SERVICES } from '@vuka/local/testing/fleet';
import type { Inject } from './installation.ts';
import {
  killInTheMiddle,
  killProcess,
  PROCESSES,
  pauseInTheMiddle,
  pauseProcess,
  replaceProcesses,
  SIMULATOR,
} from './processes.ts';

const PAUSED = ['identity', 'wallet', 'transfers', 'transfers-worker', SIMULATOR] as const;

export const REPLACE_ALL = 'replace every process';

/** Two of them never overlap: one is healed before the next starts. */
export const PROCESS_FAULTS: Record<string, Inject> = {
  ...Object.fromEntries(PROCESSES.map((name) => [`kill ${name}`, killProcess(name)])),
  'kill transfers in the middle': killInTheMiddle('transfers', 'wallet'),
  'kill transfers-worker in the middle': killInTheMiddle('transfers-worker', 'wallet'),
  'kill transfers-worker in the middle of payouts': killInTheMiddle('transfers-worker', SIMULATOR),
  ...Object.fromEntries(PAUSED.map((name) => [`pause ${name}`, pauseProcess(name)])),
  ...Object.fromEntries(SERVICES.map((name) => [`replace ${name}`, replaceProcesses([name])])),
  'pause transfers-worker in the middle of payouts, past the grace': pauseInTheMiddle('transfers-worker', SIMULATOR),
  [REPLACE_ALL]: replaceProcesses(SERVICES),
};
