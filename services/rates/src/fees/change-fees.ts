import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { Fee, NewFee } from '@vuka/contracts/http/fees';
import { AppError } from '@vuka/service-kit/app-error';
import { answerOnce, type KeepAnswer } from '@vuka/service-kit/first-answers';
import type { Logger } from '@vuka/service-kit/logger';

import type { Db, Schema } from '#db/schema.ts';
import { listFees, toFee } from '#pricing/fee-band.store.ts';
import { changePricing } from '#pricing/pricing.store.ts';
import { describeBand, findOverlap } from './fee-band.domain.ts';

export interface ChangeFeesDeps {
  db: Db;
  logger: Logger;
  now: () => Date;
  kickRelay: () => void;
}

/**
 * Adds a band and publishes the new prices, once per key. Throws validation_failed if it overlaps another one, and
 * idempotency_conflict.
 */
export function addFee(deps: ChangeFeesDeps, fee: NewFee, { admin, key }: Addition): Promise<Fee> {
  const request = { userId: admin.userId, operation: 'fee', key, content: fee };
  return answerOnce(deps.db, request, (keep) => addBand(deps, fee, { admin, keep }));
}

interface Addition {
  admin: Caller;
  /** The client's idempotency key. */
  key: string | undefined;
}

async function addBand(
  deps: ChangeFeesDeps,
  fee: NewFee,
  { admin, keep }: { admin: Caller; keep: KeepAnswer<Schema, Fee> },
): Promise<Fee> {
  const { result: added } = await changePricing(deps.db, async (trx) => {
    const other = findOverlap(await listFees(trx), fee);
    if (other) throw overlapping(other);
    const row = await trx
      .insertInto('fee_config')
      .values({
        transaction_type: fee.transactionType,
        currency: fee.currency,
        min_amount: fee.minAmount,
        max_amount: fee.maxAmount ?? null,
        fixed_fee: fee.fixedFee,
        percentage_fee: fee.percentageFee,
        updated_by: admin.userId,
        updated_by_name: admin.name,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const fresh = toFee(row);
    await recordAction(trx, { ...actionOn(fresh, admin), action: 'fee.added', after: factsOf(fresh) }, deps.now());
    await keep(trx, fresh);
    return fresh;
  });
  deps.logger.info({ fee: added, adminId: admin.userId }, 'a fee was added');
  deps.kickRelay();
  return added;
}

/** Removes a band and publishes the new prices; held quotes keep their fee. Throws not_found. */
export async function removeFee(deps: ChangeFeesDeps, id: string, admin: Caller): Promise<void> {
  const { result: removed } = await changePricing(deps.db, async (trx) => {
    const row = await trx.deleteFrom('fee_config').where('id', '=', BigInt(id)).returningAll().executeTakeFirst();
    if (!row) throw new AppError('fee_not_found');
    const gone = toFee(row);
    await recordAction(trx, { ...actionOn(gone, admin), action: 'fee.removed', before: factsOf(gone) }, deps.now());
    return gone;
  });
  deps.logger.info({ fee: removed, adminId: admin.userId }, 'a fee was removed');
  deps.kickRelay();
}

function overlapping({ minAmount: from, maxAmount: to }: Fee): AppError {
  const field = 'minAmount';
  return to === null
    ? new AppError('fee_overlap_unlimited', { field, params: { from } })
    : new AppError('fee_overlap', { field, params: { from, to } });
}

function actionOn(fee: Fee, caller: Caller): Omit<AdminAction, 'action'> {
  const label = `${fee.transactionType} ${fee.currency} ${describeBand(fee)}`;
  return { source: '/vuka/rates', caller, subject: { kind: 'fees', id: fee.id, label } };
}

function factsOf({ id: _, updatedByName: __, ...band }: Fee): Record<string, unknown> {
  return band;
}
