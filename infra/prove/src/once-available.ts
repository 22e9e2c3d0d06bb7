import { until } from '@vuka/test-kit/until';
import type { Installation } from './installation.ts';

/** Waits for the server or the simulator that a fault needs, which other faults may have stopped. */
export async function onceAvailable(
  { patienceMs }: Installation,
  what: string,
  act: () => Promise<unknown>,
): Promise<null> {
  await until(() => act().then(() => true), { timeoutMs: patienceMs, everyMs: 200, what });
  return null;
}
