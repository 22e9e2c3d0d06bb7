import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { FactorRemoval } from '@vuka/contracts/internal/identity';
import { AppError } from '@vuka/service-kit/app-error';
import type * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { endOtherSessions } from '#sessions/own-sessions.ts';
import { lockPinChecks } from '#users/user.store.ts';
import { listFactors } from './factor.store.ts';

/**
 * Removes one of the caller's own factors, and ends the caller's other sessions, since a stolen factor may have opened
 * them. Throws not_found, and factor_last where administrators need one.
 */
export async function removeFactor(
  deps: IdentityDeps,
  caller: Caller,
  { id, token }: z.infer<typeof FactorRemoval>,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    // One at a time: two concurrent removals must not leave none.
    await lockPinChecks(trx, [caller.userId]);
    const factors = await listFactors(trx, caller.userId);
    const factor = factors.find((own) => own.id === id);
    if (!factor) throw new AppError('factor_not_found');
    if (deps.requireFactor && factors.length === 1) throw new AppError('factor_last');
    await trx.deleteFrom('second_factors').where('id', '=', id).execute();
    // A gateway of the release before does not name the session.
    if (token) await endOtherSessions(trx, caller.userId, token);
    const action: AdminAction = {
      source: '/vuka/identity',
      caller,
      action: 'administrator.factor-removed',
      subject: { kind: 'user' as const, id: caller.userId, label: caller.name },
      before: { kind: factor.kind, name: factor.name },
      after: { factorsLeft: factors.length - 1 },
    };
    await recordAction(trx, action, deps.now());
  });
  deps.kickRelay();
}
