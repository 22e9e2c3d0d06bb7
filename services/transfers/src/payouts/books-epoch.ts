import type { Logger } from '@vuka/service-kit/logger';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/**
 * A period in which no commit to these books was lost. A promoted standby or a restored backup may lack the last
 * commits: the provider may have a payout that these books do not. The refusal of a payout's first request is therefore
 * proof only if the transfer was accepted in the same epoch.
 */
export interface BooksEpoch {
  /** Server, timeline and database that the books are written to. */
  place: string;
  /** The provider may already have the payouts of transfers accepted before this. */
  unsureUntil: Date | null;
}

export interface Books {
  /** The epoch as this process knows it. A payout is begun only while it is the current one. */
  epoch(): Promise<BooksEpoch>;
  /** Reads the epoch again, and begins a new one if the books are now in another place. */
  renew(): Promise<BooksEpoch>;
}

/**
 * Transfers accepted within this time after an epoch began are not trusted either: a sender may repeat an order whose
 * acceptance was lost, and the repeat gets the payout id of the lost order.
 */
const UNSURE_HOURS = 24;

export function createBooks({ db, logger }: { db: Db; logger: Logger }): Books {
  let known: Promise<BooksEpoch> | undefined;

  function renew(): Promise<BooksEpoch> {
    const reading = readEpoch(db, logger);
    known = reading;
    // A failure is not kept: the next step reads again.
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  }

  return { epoch: () => known ?? renew(), renew };
}

/** The current epoch. In a transaction, it is that of the server to which the transaction commits. */
export async function readEpoch(db: Db, logger: Logger): Promise<BooksEpoch> {
  const begun = await beginEpoch(db);
  if (begun) {
    logger.warn(
      { from: begun, unsureHours: UNSURE_HOURS },
      'the books are in another place: commits may be lost, so refusals of first requests are not taken as proof',
    );
  }
  const { rows } = await sql<BooksEpoch>`select place, unsure_until as "unsureUntil" from books_epoch`.execute(db);
  const [epoch] = rows;
  if (!epoch) throw new Error('the books have no epoch');
  return epoch;
}

/** Whether the epoch began at least this long ago, by the database's clock. */
export async function hasEpochLasted(db: Db, ms: number): Promise<boolean> {
  const { rows } = await sql<{ hasLasted: boolean }>`
    select begun_at <= books_now() - make_interval(secs => ${ms / 1_000}) as "hasLasted" from books_epoch`.execute(db);
  return rows[0]?.hasLasted ?? false;
}

/** Begins a new epoch if the books are in another place. Returns the former place then. */
export async function beginEpoch(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ place: string }>`
    with former as (select place from books_epoch)
    update books_epoch set
      place = books_place(), begun_at = books_now(),
      unsure_until = books_now() + make_interval(hours => ${UNSURE_HOURS})
    where books_epoch.place <> books_place()
    returning (select place from former)`.execute(db);
  return rows[0]?.place;
}
