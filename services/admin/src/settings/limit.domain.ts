import type { RaisedLimit } from '@vuka/contracts/http/proposals';
import type { SystemSettings } from '@vuka/contracts/http/settings';
import type { Currency, WalletCurrency } from '@vuka/money/corridors';
import { CURRENCY_CODES, WALLET_CURRENCIES } from '@vuka/money/currencies';

type WithdrawalLimitColumn = `withdrawal_approval_limit_${Lowercase<WalletCurrency>}`;
type CreditLimitColumn = `credit_approval_limit_${Lowercase<Currency>}`;
type LimitColumn = WithdrawalLimitColumn | CreditLimitColumn;

export function withdrawalLimitColumn(currency: WalletCurrency): WithdrawalLimitColumn {
  return `withdrawal_approval_limit_${currency.toLowerCase() as Lowercase<WalletCurrency>}`;
}

export function creditLimitColumn(currency: Currency): CreditLimitColumn {
  return `credit_approval_limit_${currency.toLowerCase() as Lowercase<Currency>}`;
}

/** The columns of the approval limits, in display order. */
const LIMITS = Object.fromEntries([
  ...WALLET_CURRENCIES.map((currency) => [withdrawalLimitColumn(currency), { kind: 'withdrawal', currency }]),
  ...CURRENCY_CODES.map((currency) => [creditLimitColumn(currency), { kind: 'credit', currency }]),
]) as Record<LimitColumn, Pick<RaisedLimit, 'kind' | 'currency'>>;

export const LIMIT_COLUMNS = Object.keys(LIMITS) as LimitColumn[];

/** Approval limits by column: whole units as decimal strings. */
export type Limits = Record<LimitColumn, string>;

/** The limits in a request. */
export function limitsAsked(settings: SystemSettings): Partial<Limits> {
  const asked = { withdrawal: settings.withdrawalApprovalLimit, credit: settings.creditApprovalLimit };
  const named = LIMIT_COLUMNS.flatMap((column) => {
    const { kind, currency } = LIMITS[column];
    const limit = (asked[kind] as Partial<Record<string, string>> | undefined)?.[currency];
    return limit === undefined ? [] : [[column, BigInt(limit.replace(/\.00$/, '')).toString()]];
  });
  return Object.fromEntries(named) as Partial<Limits>;
}

/** Separates raised limits, which take two administrators, from lowered ones. Unchanged limits are in neither. */
export function splitLimits(now: Limits, asked: Partial<Limits>): Record<'raised' | 'lowered', Partial<Limits>> {
  const split = { raised: {} as Partial<Limits>, lowered: {} as Partial<Limits> };
  for (const column of LIMIT_COLUMNS) {
    const limit = asked[column];
    if (limit === undefined || BigInt(limit) === BigInt(now[column])) continue;
    split[BigInt(limit) > BigInt(now[column]) ? 'raised' : 'lowered'][column] = limit;
  }
  return split;
}

/** Proposed limits, for display. */
export function toRaisedLimits(before: Partial<Limits>, after: Partial<Limits>): RaisedLimit[] {
  return LIMIT_COLUMNS.flatMap((column) => {
    const [from, to] = [before[column], after[column]];
    return from === undefined || to === undefined ? [] : [{ ...LIMITS[column], from, to }];
  });
}

/** The subset of limits that another set names. */
export function limitsNamedBy(limits: Limits, names: Partial<Limits>): Partial<Limits> {
  const named = LIMIT_COLUMNS.filter((column) => names[column] !== undefined).map((column) => [column, limits[column]]);
  return Object.fromEntries(named) as Partial<Limits>;
}
