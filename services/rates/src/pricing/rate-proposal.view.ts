import { type ProposalRow, toProposal } from '@vuka/access/proposals';
import type { RateProposal } from '@vuka/contracts/http/proposals';
import { inverseSellRate, sellRate } from '@vuka/money';
import type { EnteredRate } from './large-change.domain.ts';

/** A proposed rate, as shown to the given administrator. */
export function toRateProposal(row: ProposalRow<EnteredRate>, readerId: string, at: Date): RateProposal {
  return { ...toProposal(row, readerId, at), before: toBothWays(row.before), after: toBothWays(row.after) };
}

function toBothWays({ buyRate, markup }: EnteredRate): RateProposal['before'] {
  return {
    buyRate: Number(buyRate),
    markup: Number(markup),
    kesToTzs: Number(sellRate(buyRate, markup)),
    tzsToKes: Number(inverseSellRate(buyRate, markup)),
  };
}
