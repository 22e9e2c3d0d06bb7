import type { PayoutException } from '@vuka/contracts/http/reconciliation';
import { AppError } from '@vuka/service-kit/app-error';
import { recordAction } from '@vuka/service-kit/audit';
import type { Caller } from '@vuka/service-kit/tokens';
import type { Transaction } from 'kysely';
import type { Db, PayoutExceptionRow, Schema } from '#db/schema.ts';
import { toException } from './reconciliation.store.ts';

interface SettleDeps {
  db: Db;
  now: () => Date;
  kickRelay: () => void;
}

/**
 * Makes an administrator the one who looks after an open exception. Throws not_found, already_decided
 * when it is resolved.
 */
export function takeException(deps: SettleDeps, id: string, caller: Caller): Promise<PayoutException> {
  return change(deps, { id, caller, action: 'exception.taken', set: { owner: caller.name } });
}

/**
 * Closes an exception with what was found and done. It moves no money. Throws not_found,
 * already_decided when it is closed.
 */
export function resolveException(
  deps: SettleDeps,
  { id, note, caller }: { id: string; note: string; caller: Caller },
): Promise<PayoutException> {
  const set = { owner: caller.name, note, state: 'resolved' as const, resolved_at: deps.now() };
  return change(deps, { id, caller, action: 'exception.resolved', set, reason: note });
}

interface Change {
  id: string;
  caller: Caller;
  action: string;
  set: Partial<Pick<PayoutExceptionRow, 'owner' | 'note' | 'state' | 'resolved_at'>>;
  reason?: string;
}

async function change(deps: SettleDeps, { id, caller, action, set, reason }: Change): Promise<PayoutException> {
  const after = await deps.db.transaction().execute(async (trx) => {
    const before = await lockOpen(trx, id);
    const row = await trx
      .updateTable('payout_exceptions')
      .set(set)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAction(
      trx,
      {
        source: '/vuka/transfers',
        caller,
        action,
        subject: { kind: 'exception', id, label: row.kind },
        ...(reason === undefined ? {} : { reason }),
        before: { state: before.state, owner: before.owner },
        after: { state: row.state, owner: row.owner },
      },
      deps.now(),
    );
    return row;
  });
  deps.kickRelay();
  return toException(after);
}

async function lockOpen(trx: Transaction<Schema>, id: string): Promise<PayoutExceptionRow> {
  const row = await trx.selectFrom('payout_exceptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Exception not found');
  if (row.state !== 'open') throw new AppError('already_decided', 'This exception is already resolved');
  return row;
}
