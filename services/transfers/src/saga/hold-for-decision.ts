import type { Db, PayoutRow, TransferRow } from '#db/schema.ts';
import type { Evidence } from '#payouts/evidence.ts';
import { openException } from '#payouts/payout.store.ts';

interface Objection {
  kind: string;
  details: Record<string, unknown>;
  evidence?: Evidence;
  at: Date;
}

/**
 * Opens an exception that holds an open transfer until an administrator decides its payout's outcome. Returns false, with
 * nothing changed, if the transfer has changed since it was read: an administrator may have decided meanwhile, and the
 * decision was based on the exception as it is.
 */
export function holdForDecision(
  { db }: { db: Db },
  { transfer, payout }: { transfer: Pick<TransferRow, 'id' | 'version'>; payout: Pick<PayoutRow, 'id'> },
  { kind, details, evidence = [], at }: Objection,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // A decision locks the exception before it changes the transfer, so the version read after this lock is final.
    await trx
      .selectFrom('payout_exceptions')
      .select('id')
      .where('money_transfer_id', '=', payout.id)
      .orderBy('id')
      .forUpdate()
      .execute();
    const now = await trx
      .selectFrom('transactions')
      .select('version')
      .where('id', '=', transfer.id)
      .executeTakeFirstOrThrow();
    if (now.version !== transfer.version) return false;
    const ofPayout = { payoutId: payout.id, transactionId: transfer.id };
    await openException(trx, { ...ofPayout, kind, details, evidence, at, holdsTransfer: true });
    return true;
  });
}
