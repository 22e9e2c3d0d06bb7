import type { TransferEvents, TransferEventsQuery } from '@vuka/contracts/internal/transfer-events';
import { EVENTS } from '@vuka/contracts/topology';
import { AppError } from '@vuka/service-kit/app-error';
import { readMessagesTo } from '@vuka/service-kit/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/schema.ts';
import { beginEpoch } from '#payouts/books-epoch.ts';

const PACKS_OF_PAGE = 100;
const LARGEST_XID = 2n ** 64n - 1n;
const LARGEST_ID = 2n ** 63n - 1n;

interface Place {
  /** When the epoch of the books began; undefined in a place of release 0.1. */
  epoch: string | undefined;
  writtenIn: bigint;
  id: bigint;
  message: number;
}

const BEGINNING: Place = { epoch: undefined, writtenIn: 0n, id: 0n, message: 0 };

/**
 * The transfer events in the outbox, ordered by transaction rather than by id: only that order is stable for readers. A
 * place from another epoch of the books has no meaning in this one, where the same events may have other places. It is
 * reported as a gap, followed by every event that is still kept.
 */
export async function readEventLog(db: Db, { after, from }: TransferEventsQuery): Promise<TransferEvents> {
  if (after !== undefined) {
    const place = readPlace(after);
    const { isOfEpoch, page } = await readAfter(db, place);
    return isOfEpoch ? page : readOldest(db, true);
  }
  if (from === 'oldest') return readOldest(db, false);
  const [now] = await readRows(
    db,
    sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as end, ${EPOCH} from books_epoch as books`,
  );
  if (!now) throw new Error('the books have no epoch');
  return { events: [], next: placeOfEnd(now), hasMore: false, isGap: false };
}

async function readOldest(db: Db, isGap: boolean): Promise<TransferEvents> {
  return { ...(await readAfter(db, BEGINNING)).page, isGap };
}

/** In milliseconds since 1970. */
const EPOCH = sql`(extract(epoch from books.begun_at) * 1000)::bigint::text as epoch,
  books.place = books_place() as "isInPlace"`;

interface Row {
  epoch: string;
  /** False if the books have moved to another server or timeline since the epoch began. */
  isInPlace: boolean;
  /** Every transaction before this one has ended, so no event can appear before it. */
  end: string;
  isGap: boolean;
  writtenIn: string | null;
  id: string;
  messages: string;
}

/** Begins the epoch first, if this server was promoted and no process has noticed it. */
async function readRows(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`${query}`.execute(db);
  if (rows.every(({ isInPlace }) => isInPlace)) return rows;
  await beginEpoch(db);
  return (await sql<Row>`${query}`.execute(db)).rows;
}

async function readAfter(db: Db, after: Place): Promise<{ page: TransferEvents; isOfEpoch: boolean }> {
  // One statement, so one snapshot: rows pruned meanwhile are either read or reported as a gap.
  const rows = await readRows(
    db,
    sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as end, ${EPOCH},
      pruned.id > 0 and (pruned.written_in, pruned.id) >= (${String(after.writtenIn)}::xid8, ${after.id}::bigint)
        as "isGap",
      pack.written_in::text as "writtenIn", pack.id::text, pack.messages
    from event_log_pruned as pruned cross join books_epoch as books left join lateral (
      select written_in, id, messages from outbox
      where (written_in, id) >= (${String(after.writtenIn)}::xid8, ${after.id}::bigint)
        and written_in < pg_snapshot_xmin(pg_current_snapshot())
      order by written_in, id limit ${PACKS_OF_PAGE}
    ) as pack on true
    order by pack.written_in, pack.id`,
  );
  const [first] = rows;
  if (!first) throw new Error('event_log_pruned has no row');
  const isOfEpoch = after.epoch === undefined || after.epoch === first.epoch;
  const packs = rows.filter(({ writtenIn }) => writtenIn !== null).map(readPack);
  if (isOfEpoch) refuseForeign(after, first);
  const hasMore = packs.length === PACKS_OF_PAGE;
  const last = packs.at(-1);
  const events = packs.flatMap((pack) => eventsOf(pack, after));
  const next = last && hasMore ? placeOf(last, last.count - 1) : placeOfEnd(first);
  return { page: { events, next, hasMore, isGap: first.isGap }, isOfEpoch };
}

/**
 * A place that is ahead of the log, or whose pack is missing although it was not pruned, comes from another history:
 * from before a restore.
 */
function refuseForeign(after: Place, first: Row): void {
  const end = BigInt(first.end);
  const isOfPack = after.id > 0n;
  if (after.writtenIn > end || (isOfPack && !isAt(first, after) && !first.isGap)) throw foreignPlace();
}

function isAt({ writtenIn, id }: Pick<Row, 'writtenIn' | 'id'>, place: Place): boolean {
  return writtenIn === String(place.writtenIn) && id === String(place.id);
}

function foreignPlace(): AppError {
  return new AppError('feed_place_foreign', { field: 'last-event-id' });
}

type Pack = Omit<Row, 'messages'> & ReturnType<typeof readMessagesTo>;

/** Public transfer events only: no commands and no provider calls. */
const readPack = ({ messages, ...row }: Row): Pack => ({ ...row, ...readMessagesTo(messages, 'transfer.') });

function eventsOf(pack: Pack, after: Place): TransferEvents['events'] {
  const isBegun = isAt(pack, after);
  return pack.messages.flatMap(({ exchange, envelope, place }) =>
    exchange === EVENTS && !(isBegun && place <= after.message)
      ? [{ place: placeOf(pack, place), event: envelope }]
      : [],
  );
}

const placeOf = ({ epoch, writtenIn, id }: Pick<Row, 'epoch' | 'writtenIn' | 'id'>, message: number) =>
  `${epoch}.${writtenIn}-${id}-${message}`;

/** Precedes every pack of the first open transaction, since pack ids begin at 1. */
const placeOfEnd = ({ epoch, end }: Pick<Row, 'epoch' | 'end'>) => `${epoch}.${end}-0-0`;

function readPlace(text: string): Place {
  const [position = '', epoch] = text.split('.').reverse();
  const [writtenIn = '', id = '', message = ''] = position.split('-');
  const place = { epoch, writtenIn: BigInt(writtenIn), id: BigInt(id), message: Number(message) };
  if (place.writtenIn > LARGEST_XID || place.id > LARGEST_ID) throw foreignPlace();
  return place;
}
