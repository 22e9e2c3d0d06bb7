import type { Logger } from '@vuka/service-kit/logger';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

/**
 * A time in which nothing that was committed to these books has been lost. A standby that is promoted, or a backup that
 * is restored, may lack the last commits: a payout was sent that the books do not have. The refusal of a payout's first
 * request is proof only if the transfer was accepted in the same epoch.
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
  renew(): Promise<void>;
}

/**
 * Transfers accepted this long after the beginning of an epoch are not trusted either: a sender repeats an order whose
 * acceptance was lost, and it gets the payout id that it had.
 */
const UNSURE_HOURS = 24;

export function createBooks({ db, logger }: { db: Db; logger: Logger }): Books {
  let known: Promise<BooksEpoch> | undefined;

  async function read(): Promise<BooksEpoch> {
    const begun = await beginEpoch(db);
    if (begun) {
      logger.warn(
        { from: begun, unsureHours: UNSURE_HOURS },
        'the books are in another place: commits may be lost, so refusals of first requests are not taken as proof',
      );
    }
    const { rows } = await sql<BooksEpoch>`
      select place, unsure_until as "unsureUntil" from books_epoch`.execute(db);
    const [epoch] = rows;
    if (!epoch) throw new Error('the books have no epoch');
    return epoch;
  }

  function renew(): Promise<BooksEpoch> {
    const reading = read();
    known = reading;
    // A failure is not kept: the next step reads again.
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  }

  return {
    epoch: () => known ?? renew(),
    renew: async () => void (await renew()),
  };
}

/** Begins a new epoch if the books are in another place. Returns the former place then. */
export async function beginEpoch(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ place: string }>`
    with former as (select place from books_epoch)
    update books_epoch set
      place = books_place(), begun_at = clock_timestamp(),
      unsure_until = clock_timestamp() + make_interval(hours => ${UNSURE_HOURS})
    where books_epoch.place <> books_place()
    returning (select place from former)`.execute(db);
  return rows[0]?.place;
}
