import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '@vuka/test-kit/tcp-proxy';
import type { Inject, Installation } from './installation.ts';
import { OUTAGES, outagesIn } from './patience.ts';
import { PROCESSES, untilReady } from './processes.ts';
import { ofServer } from './server-faults.ts';

const MINUTE_MS = 60_000;

/** Fifteen minutes outlast the retries of every message, one minute those of a few. */
async function cutFor(minutes: number, proxy: TcpProxy): Promise<void> {
  proxy.cut();
  await delay(minutes * MINUTE_MS);
  proxy.restore();
}

/** What can be unreachable. No other fault of the same server begins during the outage. */
const WHO: Record<string, (installation: Installation, minutes: number) => Promise<void>> = {
  postgres: (broken, minutes) => ofServer(broken, 'postgres', ({ proxy }) => cutFor(minutes, proxy)),
  broker: (broken, minutes) => ofServer(broken, 'broker', ({ proxy }) => cutFor(minutes, proxy)),
  'the provider': ({ provider }, minutes) => cutFor(minutes, provider.requests),
};

function outage(who: string, minutes: number): Inject {
  return async (broken) => {
    await WHO[who]?.(broken, minutes);
    return untilReady(broken, PROCESSES);
  };
}

const named = (who: string, minutes: number) => `outage of ${who} for ${minutes} min`;

export const OUTAGE_FAULTS: Record<string, Inject> = Object.fromEntries(
  Object.keys(WHO).flatMap((who) => OUTAGES.map(({ minutes }) => [named(who, minutes), outage(who, minutes)] as const)),
);

/** The outages that a proof of this length has time for. */
export function outageKinds(lengthMs: number): string[] {
  return Object.keys(WHO).flatMap((who) => outagesIn(lengthMs).map((minutes) => named(who, minutes)));
}
