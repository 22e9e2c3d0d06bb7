import type { FailureLab } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { atom } from 'nanostores';

/** The failure that was switched on last, and when. */
export interface Play {
  scenario: FailureScenarioId;
  since: string;
}

/** Kept while the app is open: a failure for one payout is over before the transfer has arrived. */
export const PLAY = atom<Play | undefined>();

/** Follows the newest failure that is on. When the last one is over, its play stays. */
export function followPlay({ active }: Pick<FailureLab, 'active'>): void {
  const newest = active.toSorted((a, b) => b.switchedOnAt.localeCompare(a.switchedOnAt))[0];
  if (!newest) return;
  const { scenario, switchedOnAt: since } = newest;
  const known = PLAY.get();
  if (known?.scenario !== scenario || known.since !== since) PLAY.set({ scenario, since });
}
