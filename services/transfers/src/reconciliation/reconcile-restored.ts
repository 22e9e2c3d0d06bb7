import { DAY_MS, dayOf } from '@vuka/contracts/http/days';
import { createDatabase } from '@vuka/service-kit/database';
import { createLogger } from '@vuka/service-kit/logger';
import type { Db, Schema } from '#db/schema.ts';
import { createPawapayProvider } from '#payouts/pawapay/pawapay-provider.ts';
import { compareDayNow } from './reconcile-day.ts';

const OLDEST_DAYS = 30;

export interface RestoredTransfers {
  databaseUrl: string;
  /** The moment that the books were restored to. */
  since: Date;
  provider: { baseUrl: string; token: string };
  /** How far the provider's statement may lag behind its payments, ms. */
  statementLagMs: number;
  /** The command that restored or settled the books. */
  requestedBy: string;
  /** Reports progress to the operator. */
  say: (line: string) => void;
}

/** A payment by the provider that the restored books lack or have with other figures. */
export interface FoundException {
  kind: string;
  payoutId: string;
  theirs: { amount: string; currency: string; msisdn: string; recordedAt: string } | null;
}

/**
 * Reconciles each day since the restored moment, at most 30. Payments missing from the books become exceptions for an
 * administrator; no money moves. Throws when the provider or the database fails; days already reconciled are kept.
 */
export async function reconcileRestored(restored: RestoredTransfers): Promise<FoundException[]> {
  const { databaseUrl, since, say } = restored;
  const logger = createLogger({ service: 'restore', level: 'silent' });
  const { db, close } = createDatabase<Schema>({ url: databaseUrl, service: 'restore', logger });
  const provider = createPawapayProvider({ ...restored.provider, product: 'payout', signedCallbacks: true });
  try {
    const startedAt = new Date();
    await failInterruptedRuns(db);
    const now = Date.now();
    const deps = { db, provider, logger, now: () => new Date(), statementLagMs: restored.statementLagMs };
    for (let at = Math.max(since.getTime(), now - OLDEST_DAYS * DAY_MS); dayOf(at) <= dayOf(now); at += DAY_MS) {
      const run = await compareDayNow({ ...deps, kickRelay: () => undefined }, dayOf(at), restored.requestedBy);
      say(`Reconciliation of ${dayOf(at)}: ${run.error ?? `${run.lines} payments, ${run.differences} differences`}`);
    }
    return await findExceptions(db, startedAt);
  } finally {
    await provider.close();
    await close();
  }
}

/** A run that was in progress when the backup was taken no longer has a process. */
async function failInterruptedRuns(db: Db): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ state: 'failed', error: 'it was interrupted', finished_at: new Date() })
    .where('state', '=', 'running')
    .execute();
}

async function findExceptions(db: Db, since: Date): Promise<FoundException[]> {
  const rows = await db
    .selectFrom('payout_exceptions')
    .select(['kind', 'money_transfer_id', 'details'])
    .where('is_from_statement', '=', true)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .execute();
  return rows.map(({ kind, money_transfer_id: payoutId, details }) => ({
    kind,
    payoutId,
    theirs: (details.theirs as FoundException['theirs'] | undefined) ?? null,
  }));
}
