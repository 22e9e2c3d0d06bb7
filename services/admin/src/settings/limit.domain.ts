import type { RaisedLimit } from '@vuka/contracts/http/proposals';
import type { SystemSettings } from '@vuka/contracts/http/settings';

/** The columns of the approval limits, in display order. */
const LIMITS = {
  withdrawal_approval_limit_kes: { kind: 'withdrawal', currency: 'KES' },
  withdrawal_approval_limit_tzs: { kind: 'withdrawal', currency: 'TZS' },
  credit_approval_limit_kes: { kind: 'credit', currency: 'KES' },
  credit_approval_limit_tzs: { kind: 'credit', currency: 'TZS' },
  credit_approval_limit_usd: { kind: 'credit', currency: 'USD' },
} as const;

type LimitColumn = keyof typeof LIMITS;

/** Approval limits by column: whole units as decimal strings. */
export type Limits = Record<LimitColumn, string>;

const COLUMNS = Object.keys(LIMITS) as LimitColumn[];

/** The limits in a request. */
export function limitsAsked(settings: SystemSettings): Partial<Limits> {
  const asked = { withdrawal: settings.withdrawalApprovalLimit, credit: settings.creditApprovalLimit };
  const named = COLUMNS.flatMap((column) => {
    const { kind, currency } = LIMITS[column];
    const limit = (asked[kind] as Partial<Record<string, string>> | undefined)?.[currency];
    return limit === undefined ? [] : [[column, BigInt(limit.replace(/\.00$/, '')).toString()]];
  });
  return Object.fromEntries(named) as Partial<Limits>;
}

/** Separates raised limits, which take two administrators, from lowered ones. Unchanged limits are in neither. */
export function splitLimits(now: Limits, asked: Partial<Limits>): Record<'raised' | 'lowered', Partial<Limits>> {
  const split = { raised: {} as Partial<Limits>, lowered: {} as Partial<Limits> };
  for (const column of COLUMNS) {
    const limit = asked[column];
    if (limit === undefined || BigInt(limit) === BigInt(now[column])) continue;
    split[BigInt(limit) > BigInt(now[column]) ? 'raised' : 'lowered'][column] = limit;
  }
  return split;
}

/** Proposed limits, for display. */
export function toRaisedLimits(before: Partial<Limits>, after: Partial<Limits>): RaisedLimit[] {
  return COLUMNS.flatMap((column) => {
    const [from, to] = [before[column], after[column]];
    return from === undefined || to === undefined ? [] : [{ ...LIMITS[column], from, to }];
  });
}

/** The subset of limits that another set names. */
export function limitsNamedBy(limits: Limits, names: Partial<Limits>): Partial<Limits> {
  const named = COLUMNS.filter((column) => names[column] !== undefined).map((column) => [column, limits[column]]);
  return Object.fromEntries(named) as Partial<Limits>;
}
