import type { Logger } from '@vuka/service-kit/logger';
import type { Db } from '#db/schema.ts';
import type { PinHasher } from './pin-hasher.ts';

const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Brings the PIN verifiers under the current pepper. Those of earlier releases, which hashed with the pepper, wait until
 * their users sign in. Logs how many of these need an older pepper: at 0 it can be removed.
 */
export async function renewVerifiers({ db, hasher, logger }: { db: Db; hasher: PinHasher; logger: Logger }) {
  let renewed = 0;
  let unreadable = 0;
  for (let after = FIRST_ID; ; ) {
    const users = await selectRenewable(db, hasher)
      .select(['id', 'pin'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id, pin } of users) {
      const verifier = hasher.renew(id, pin);
      if (!verifier) {
        unreadable += 1;
        continue;
      }
      // Unless the PIN was changed meanwhile.
      await db.updateTable('users').set({ pin: verifier }).where('id', '=', id).where('pin', '=', pin).execute();
      renewed += 1;
    }
    if (users.length < BATCH) break;
    after = users.at(-1)?.id ?? after;
  }
  if (unreadable > 0) {
    logger.warn({ unreadable }, 'the pepper of some PINs is not configured: their users have to reset the PIN');
  }
  const { count } = await selectWaiting(db, hasher)
    .select((user) => user.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  if (renewed > 0 || count > 0n) {
    logger.info({ renewed, waitingForSignIn: Number(count) }, 'PIN verifiers were brought under the current pepper');
  }
}

const selectRenewable = (db: Db, { prefixes }: PinHasher) =>
  db
    .selectFrom('users')
    .where('pin', 'not like', `${prefixes.current}%`)
    .where('pin', 'not like', `${prefixes.waiting}%`);

const selectWaiting = (db: Db, { prefixes }: PinHasher) =>
  db
    .selectFrom('users')
    .where('pin', 'like', `${prefixes.waiting}%`)
    .where('pin', 'not like', `${prefixes.waitingUnderCurrent}%`);
