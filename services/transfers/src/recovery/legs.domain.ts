import type { LegState, Legs } from '@vuka/contracts/http/recovery';
import type { PayoutState, Step } from '#db/states.ts';

/** The facts that decide the state of each leg. */
export interface LegFacts {
  step: Step;
  isDeposit: boolean;
  isToMerchant: boolean;
  /** It ended without a payout, after its money was held. */
  isDeclined: boolean;
  /** Attempts that were postponed. */
  attempts: number;
  payout: { state: PayoutState; submissions: number } | null;
}

/** The state of each leg of a transfer, for an administrator who considers a retry. Pure. */
export function legsOf(facts: LegFacts): Legs {
  const { step, isDeposit, isToMerchant, payout } = facts;
  const isPaidHere = isDeposit || isToMerchant;
  const isGivenUp = step === 'failed' || step === 'cancelled' || step === 'releasing';
  const payoutLeg = (state: LegState): LegState => {
    if (isPaidHere || (isGivenUp && !payout)) return 'not_needed';
    return payout ? state : 'not_begun';
  };
  return {
    held: isDeposit ? 'not_needed' : heldLeg(facts),
    payoutWritten: payoutLeg('done'),
    providerAsked: payoutLeg(askedLeg(payout, isGivenUp)),
    providerPaid: payoutLeg(paidLeg(facts)),
    captured: capturedLeg(step, isGivenUp),
    released: releasedLeg(step, payout !== null || facts.isDeclined),
  };
}

function heldLeg({ step, payout, attempts, isDeclined }: LegFacts): LegState {
  if (step === 'created') return attempts > 0 ? 'waiting' : 'not_begun';
  return step === 'failed' && !payout && !isDeclined ? 'failed' : 'done';
}

function askedLeg(payout: LegFacts['payout'], isGivenUp: boolean): LegState {
  if (payout && payout.submissions > 0) return 'done';
  return isGivenUp ? 'not_needed' : 'not_begun';
}

function paidLeg({ step, payout }: LegFacts): LegState {
  if (step === 'capturing' || step === 'settled') return 'done';
  const wasAsked = payout !== null && payout.submissions > 0;
  if (step === 'releasing' || step === 'failed' || step === 'cancelled') return wasAsked ? 'failed' : 'not_needed';
  return wasAsked ? 'waiting' : 'not_begun';
}

function capturedLeg(step: Step, isGivenUp: boolean): LegState {
  if (step === 'settled') return 'done';
  if (step === 'capturing' || step === 'depositing') return 'waiting';
  return isGivenUp ? 'not_needed' : 'not_begun';
}

function releasedLeg(step: Step, wasHeld: boolean): LegState {
  if (step === 'releasing') return 'waiting';
  return (step === 'failed' || step === 'cancelled') && wasHeld ? 'done' : 'not_needed';
}
