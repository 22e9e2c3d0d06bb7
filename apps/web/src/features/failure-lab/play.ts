import type { FailureLab } from '@vuka/contracts/http/failure-lab';
import type { FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { atom } from 'nanostores';

/** The failure that was switched on last, and when. */
export interface Play {
  scenario: FailureScenarioId;
  since: string;
}

/** Stored for as long as the app is open, because a failure for one payout is over before its transfer ends. */
export const PLAY = atom<Play | undefined>();

/** Stores the newest active failure. It stays stored after it is over. */
export function followPlay({ active }: Pick<FailureLab, 'active'>): void {
  const newest = active.toSorted((a, b) => b.switchedOnAt.localeCompare(a.switchedOnAt))[0];
  if (!newest) return;
  const { scenario, switchedOnAt: since } = newest;
  const known = PLAY.get();
  if (known?.scenario !== scenario || known.since !== since) PLAY.set({ scenario, since });
}
