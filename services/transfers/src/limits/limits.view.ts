import { type ProposalRow, toProposal } from '@vuka/access/proposals';
import type { OwnLimits } from '@vuka/contracts/http/limits';
import {
  LIMIT_KINDS,
  type LimitKind,
  type TierLimits,
  type TierLimitsProposal,
} from '@vuka/contracts/http/tier-limits';
import { formatMoney, parseMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { allowanceAt, type Limits, leftOf, type Period, periodsOf, type Usage, usedOf } from './limits.domain.ts';

/** Limits in whole units, as administrators see and set them. */
export function toTierLimits({ tier, currency }: Pick<TierLimits, 'tier' | 'currency'>, limits: Limits): TierLimits {
  return { tier, currency, ...eachKind((kind) => formatMoney(limits[kind]).replace(/\.00$/, '')) };
}

export function fromWholeUnits(limits: Record<LimitKind, string>): Limits {
  return eachKind((kind) => parseMoney(limits[kind]));
}

function eachKind<Value>(limitOf: (kind: LimitKind) => Value): Record<LimitKind, Value> {
  return Object.fromEntries(LIMIT_KINDS.map((kind) => [kind, limitOf(kind)])) as Record<LimitKind, Value>;
}

/** A proposal, as shown to the given administrator. */
export function toLimitsProposal(row: ProposalRow<TierLimits>, readerId: string, at: Date): TierLimitsProposal {
  return { ...toProposal(row, readerId, at), before: row.before, after: row.after };
}

interface Counted {
  currency: WalletCurrency;
  limits: Limits;
  sent: Usage | undefined;
  received: Usage | undefined;
}

/** A user's own limits in one currency, with what is left of them. */
export function toOwnLimits({ currency, limits, sent, received }: Counted, at: Date): OwnLimits['limits'][number] {
  const periods = periodsOf(at);
  const side = (name: 'out' | 'in', usage: Usage | undefined) => {
    const allowance = allowanceAt(limits, name, at);
    const { dayUsed, monthUsed } = usedOf(allowance, usage);
    const left = leftOf(allowance, usage);
    return {
      day: toPeriod(periods.day, allowance.perDay, { used: dayUsed, left: left.day }),
      month: toPeriod(periods.month, allowance.perMonth, { used: monthUsed, left: left.month }),
    };
  };
  const [out, incoming] = [side('out', sent), side('in', received)];
  return {
    currency,
    perTransaction: formatMoney(limits.perTransaction),
    ...out,
    dayIn: incoming.day,
    monthIn: incoming.month,
  };
}

function toPeriod({ endsAt }: Period, limit: bigint, { used, left }: { used: bigint; left: bigint }) {
  return { limit: formatMoney(limit), used: formatMoney(used), left: formatMoney(left), endsAt: endsAt.toISOString() };
}
