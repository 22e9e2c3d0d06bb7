/** The bands are here because `fees` imports `pricing`, and folders import each other in one direction only. */
import type { Fee } from '@vuka/contracts/http/fees';
import type { FeeBand } from '@vuka/contracts/internal/pricing';
import { formatMoney, parseMoney } from '@vuka/money';
import type { Selectable } from 'kysely';
import type { Db, Schema } from '#db/schema.ts';
import { trimDecimal } from './decimal.ts';

export type FeeRow = Selectable<Schema['fee_config']>;

/** All fees, sorted by type, currency and amount. */
export async function listFees(db: Db): Promise<Fee[]> {
  const rows = await db
    .selectFrom('fee_config')
    .selectAll()
    .orderBy('transaction_type')
    .orderBy('currency')
    .orderBy('min_amount')
    .execute();
  return rows.map(toFee);
}

/** All fees in the format of the prices. */
export async function listFeeBands(db: Db): Promise<FeeBand[]> {
  return (await listFees(db)).map(({ id: _, updatedByName: __, ...band }) => band);
}

export function toFee(row: FeeRow): Fee {
  const money = (amount: string) => formatMoney(parseMoney(amount));
  return {
    id: row.id.toString(),
    transactionType: row.transaction_type,
    currency: row.currency,
    minAmount: money(row.min_amount),
    maxAmount: row.max_amount === null ? null : money(row.max_amount),
    fixedFee: money(row.fixed_fee),
    percentageFee: trimDecimal(row.percentage_fee),
    updatedByName: row.updated_by_name,
  };
}
