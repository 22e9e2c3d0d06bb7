import { AdjustmentBooked } from '@vuka/contracts/internal/wallet';
import { AppError } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import type { ServiceClient } from '@vuka/service-kit/service-client';
import type { AdjustmentRow, Db } from '#db/schema.ts';
import { finishOpen, LEFT_TO_REQUEST_MS } from '#finish-open.ts';

export interface AdjustmentDeps {
  db: Db;
  wallet: ServiceClient;
  logger: Logger;
  now: () => Date;
  kickRelay: () => void;
}

/**
 * Has the ledger book an approved adjustment under the entry's id, so that every repeat is one journal. Throws
 * unavailable if the ledger did not answer; `bookOpenAdjustments` completes the entry then.
 */
export async function bookAdjustment(deps: AdjustmentDeps, entry: AdjustmentRow): Promise<AdjustmentRow> {
  if (entry.status !== 'approved' || entry.journal_id !== null) return entry;
  const { id, currency, amount, from_account: from, to_account: to } = entry;
  const order = { id, currency, amount, from, to };
  const { journalId } = await deps.wallet
    .post('/internal/adjustments', order, AdjustmentBooked, { idempotent: true })
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      throw new AppError('deposit_recorded', { cause: error, retryAfterSeconds: 10 });
    });
  await deps.db.updateTable('adjustments').set({ journal_id: journalId }).where('id', '=', id).execute();
  return { ...entry, journal_id: journalId };
}

/** Books approved adjustments whose journal was never confirmed. Throws the first failure, after trying all. */
export function bookOpenAdjustments(deps: AdjustmentDeps): Promise<void> {
  return finishOpen(
    (after, limit) => readOpen(deps, after, limit),
    async (entry) => {
      const { reference } = await bookAdjustment(deps, entry);
      deps.logger.info({ reference }, 'an open adjustment is booked');
    },
  );
}

/** Approved adjustments without a journal. */
function readOpen({ db, now }: AdjustmentDeps, after: string, limit: number): Promise<AdjustmentRow[]> {
  return db
    .selectFrom('adjustments')
    .selectAll()
    .where('status', '=', 'approved')
    .where('journal_id', 'is', null)
    .where('decided_at', '<', new Date(now().getTime() - LEFT_TO_REQUEST_MS))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
