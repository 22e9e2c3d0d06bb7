import { AppError } from '@vuka/service-kit/app-error';
import type { Logger } from '@vuka/service-kit/logger';
import { sql } from 'kysely';
import type { IdentityClient } from '#clients/identity.client.ts';
import type { WalletClient } from '#clients/wallet.client.ts';
import type { Db, Trx } from '#db/schema.ts';
import { exhaustLimits, restoreLimits } from './exhausted-limits.ts';

export interface StopDeps {
  db: Db;
  wallet: Pick<WalletClient, 'isEmpty'>;
  identity: Pick<IdentityClient, 'isClosed'>;
  logger: Logger;
}

/** The account must be closed within this time. */
const CLOSE_WITHIN_MS = 30_000;
/**
 * Longer than identity takes to close an account that it began to close in time. Measured by the database's clock: a
 * process whose clock is ahead would let an account resume that is still being closed.
 */
const RESUMES_AFTER_MS = 120_000;

/**
 * Stops an account that is about to be closed: its orders and payments to it are refused until it is closed or resumes.
 * Returns the deadline for closing it, and the time at which it resumes otherwise. `resumesAt` is null if another
 * attempt to close the account had stopped it: a refusal of this attempt must then not let it resume. Throws
 * account_not_empty if it has open transfers or money.
 */
export async function stopAccount(
  deps: StopDeps,
  userId: string,
): Promise<{ closeBefore: Date; resumesAt: Date | null }> {
  const { now, resumesAt } = await deps.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const now = await booksNow(trx);
    const resumesAt = await beginStop(trx, userId, now);
    // Checked after the limits are used up, so that an order accepted just before is visible.
    if (await hasOpenTransfers(trx, userId)) throw new AppError('account_has_transfers');
    return { now, resumesAt };
  });
  try {
    if (!(await deps.wallet.isEmpty(userId))) throw new AppError('account_has_money');
  } catch (error) {
    if (resumesAt) await resumeAccount(deps, userId, resumesAt);
    throw error;
  }
  return { closeBefore: new Date(now.getTime() + CLOSE_WITHIN_MS), resumesAt };
}

async function booksNow(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select books_now() as now`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('the database has no clock');
  return row.now;
}

/** Returns when the account resumes; null if it was stopped or closed before. */
async function beginStop(trx: Trx, userId: string, now: Date): Promise<Date | null> {
  const known = await trx.selectFrom('closed_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();
  const resumesAt = new Date(now.getTime() + RESUMES_AFTER_MS);
  if (!known) {
    const stop = { user_id: userId, stopped_at: now, resumes_at: resumesAt, usage: await exhaustLimits(trx, userId) };
    await trx.insertInto('closed_accounts').values(stop).execute();
    return resumesAt;
  }
  if (known.resumes_at) {
    // Never the same time: the first attempt resumes only a stop with its own `resumesAt`, and must not end this one.
    const isSame = known.resumes_at.getTime() === resumesAt.getTime();
    const resumes_at = isSame ? new Date(resumesAt.getTime() + 1) : resumesAt;
    await trx.updateTable('closed_accounts').set({ resumes_at }).where('user_id', '=', userId).execute();
  }
  return null;
}

/**
 * Lets a stopped account resume, unless it was closed. Ends only the stop with this `resumesAt`, not a later one; null
 * ends any stop. Throws unavailable if identity did not answer.
 */
export async function resumeAccount(
  { db, identity }: Pick<StopDeps, 'db' | 'identity'>,
  userId: string,
  resumesAt: Date | null,
): Promise<void> {
  if (await identity.isClosed(userId)) return;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const stopped = await trx
      .deleteFrom('closed_accounts')
      .where('user_id', '=', userId)
      .where('resumes_at', resumesAt ? '=' : 'is not', resumesAt)
      .returning('usage')
      .executeTakeFirst();
    if (stopped) await restoreLimits(trx, userId, stopped.usage);
  });
}

/** Accounts whose closing was given up, for example by a gateway that died. */
export async function resumeForgotten(deps: Pick<StopDeps, 'db' | 'identity' | 'logger'>): Promise<void> {
  const forgotten = await deps.db
    .selectFrom('closed_accounts')
    .select(['user_id', 'resumes_at'])
    .where('resumes_at', '<=', sql<Date>`books_now()`)
    .limit(100)
    .execute();
  const failures: unknown[] = [];
  for (const { user_id: userId, resumes_at: resumesAt } of forgotten) {
    // One account that cannot resume must not keep the others stopped.
    try {
      await resumeAccount(deps, userId, resumesAt);
      deps.logger.info({ userId }, 'an account whose closing was not finished resumes, unless it is closed');
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** `for_now`: the account is stopped and may resume. `for_good`: it is closed. */
export type AccountStop = 'for_now' | 'for_good';

/** Why deposits to this account are refused; undefined if they are not. The answer stays valid only under its lock. */
export async function findStop(db: Db | Trx, userId: string): Promise<AccountStop | undefined> {
  const rows = db.selectFrom('closed_accounts').select('resumes_at').where('user_id', '=', userId);
  const stop = await rows.executeTakeFirst();
  return stop && (stop.resumes_at ? 'for_now' : 'for_good');
}

/** Serialises stopping, resuming and closing an account, and deposits to it. */
export async function lockAccount(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${userId}`}, 0))`.execute(trx);
}

async function hasOpenTransfers(trx: Trx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from transactions where is_open and (user_id = ${userId} or recipient_user_id = ${userId})
    ) as has`.execute(trx);
  return rows[0]?.has ?? false;
}
