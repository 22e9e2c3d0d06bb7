import { type AdminAction, recordAction } from '@vuka/access/audit-trail';
import { type Caller, hasFactor } from '@vuka/access/caller';
import { AppError } from '@vuka/service-kit/app-error';
import { uuidv7 } from '@vuka/service-kit/ids';
import type { Insertable } from 'kysely';
import type { Schema, SecondFactorRow } from '#db/schema.ts';
import type { IdentityDeps } from '#deps.ts';
import { lockPinChecks } from '#users/user.store.ts';
import { takeChallenge } from './challenge.store.ts';
import { insertFactor, listFactors, noteFactorGiven } from './factor.store.ts';

interface Adding {
  token: string;
  purpose: 'add-passkey' | 'add-totp';
  factor: Omit<Insertable<Schema['second_factors']>, 'id' | 'user_id' | 'created_at'>;
}

/** Adds a factor that was just proven, which also counts as giving it in this session. */
export async function addFactor(
  { db, now, kickRelay }: IdentityDeps,
  caller: Caller,
  { token, purpose, factor }: Adding,
): Promise<SecondFactorRow> {
  const added = await db.transaction().execute(async (trx) => {
    await lockPinChecks(trx, [caller.userId]);
    // The caller's state may be older than a factor that was added meanwhile, in another session.
    if (!hasFactor(caller) && (await listFactors(trx, caller.userId)).length > 0) throw new AppError('factor_pending');
    // A passkey's challenge was taken to verify it; an app's secret is taken now.
    if (purpose === 'add-totp') await takeChallenge(trx, { token, purpose }, now());
    const row = await insertFactor(trx, { ...factor, id: uuidv7(), user_id: caller.userId, created_at: now() });
    await noteFactorGiven(trx, token, now());
    const action: AdminAction = {
      source: '/vuka/identity',
      caller,
      action: 'administrator.factor-added',
      subject: { kind: 'user' as const, id: caller.userId, label: caller.name },
      after: { kind: row.kind, name: row.name },
    };
    await recordAction(trx, action, now());
    return row;
  });
  kickRelay();
  return added;
}
