import { recordAction } from '@vuka/access/audit-trail';
import type { Caller } from '@vuka/access/caller';
import type { ExportedPerson } from '@vuka/contracts/http/account-export';
import { AppError } from '@vuka/service-kit/app-error';
import type * as z from 'zod/mini';
import type { IdentityDeps } from '#deps.ts';
import { tierOf } from '#users/tier.domain.ts';
import { findUser, type UserRecord } from '#users/user.store.ts';

/**
 * The most sessions, and the most devices, in a file, which is made in memory: a program may have signed in very often.
 * The most recently used are included.
 */
const MOST = 1_000;

type Person = z.infer<typeof ExportedPerson>;

/** Everything about a person except secrets. An administrator's export enters the audit trail. Throws not_found. */
export async function exportPerson(deps: IdentityDeps, userId: string, caller: Caller): Promise<Person> {
  const { db, now } = deps;
  const user = await findUser(db, userId);
  const isOwn = caller.userId === userId;
  if (!user || (user.is_admin && !isOwn)) throw new AppError('merchant_not_found');
  if (!isOwn) await recordExport(deps, user, caller);
  const [sessions, devices, recipients, codes] = await Promise.all([
    db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('last_seen_at', 'desc')
      .limit(MOST)
      .execute(),
    db
      .selectFrom('devices')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('last_seen_at', 'desc')
      .limit(MOST)
      .execute(),
    db.selectFrom('saved_recipients').selectAll().where('user_id', '=', userId).execute(),
    db.selectFrom('one_time_codes').selectAll().where('user_id', '=', userId).execute(),
  ]);
  return {
    profile: profileOf(user, now()),
    sessions: sessions.map((row) => ({
      signedInAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      ...deps.sealedOrigins.open(row),
    })),
    devices: devices.map((row) => ({
      firstSeenAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
    })),
    savedRecipients: recipients.map((row) => ({
      phone: row.phone,
      ...deps.sealedLabels.open(row),
      createdAt: row.created_at.toISOString(),
    })),
    codes: codes.map((row) => ({
      purpose: row.purpose,
      sentTo: row.sent_to,
      sentAt: row.created_at.toISOString(),
      usedAt: iso(row.used_at),
    })),
  };
}

function profileOf(user: UserRecord, now: Date): Person['profile'] {
  return {
    id: user.id,
    merchantId: user.merchant_id,
    fullName: user.full_name,
    email: user.email,
    emailVerifiedAt: iso(user.email_verified_at),
    phone: user.phone,
    phoneVerifiedAt: iso(user.phone_verified_at),
    country: user.country,
    defaultCurrency: user.default_currency,
    tier: tierOf(user, now),
    isBusiness: user.is_business,
    isBlocked: user.is_blocked,
    pinResetAt: iso(user.pin_reset_at),
    createdAt: user.created_at.toISOString(),
    updatedAt: user.updated_at.toISOString(),
  };
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

function recordExport({ db, now }: IdentityDeps, user: UserRecord, caller: Caller): Promise<void> {
  const subject = { kind: 'user' as const, id: user.id, label: user.full_name };
  const action = { source: '/vuka/identity', caller, action: 'user.exported' as const, subject };
  return db.transaction().execute((trx) => recordAction(trx, action, now()));
}
