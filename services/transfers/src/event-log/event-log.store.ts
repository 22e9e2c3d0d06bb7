import type { TransferEvents, TransferEventsQuery } from '@vuka/contracts/internal/transfer-events';
import { EVENTS } from '@vuka/contracts/topology';
import { AppError } from '@vuka/service-kit/app-error';
import { readMessages } from '@vuka/service-kit/outbox';
import { sql } from 'kysely';
import type { Db } from '#db/schema.ts';

const PACKS_OF_PAGE = 100;
const LARGEST_XID = 2n ** 64n - 1n;
const LARGEST_ID = 2n ** 63n - 1n;

interface Place {
  writtenIn: bigint;
  id: bigint;
  message: number;
}

const BEGINNING: Place = { writtenIn: 0n, id: 0n, message: 0 };

/**
 * The transfer events in the outbox, ordered by transaction rather than by id: only that order is stable for readers.
 */
export async function readEventLog(db: Db, { after, from }: TransferEventsQuery): Promise<TransferEvents> {
  if (after !== undefined) return readAfter(db, readPlace(after));
  if (from === 'oldest') return { ...(await readAfter(db, BEGINNING)), isGap: false };
  const { rows } = await sql<{ end: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as end`.execute(db);
  return { events: [], next: placeOfEnd(rows[0]?.end ?? '0'), hasMore: false, isGap: false };
}

interface Row {
  /** Every transaction before this one has ended, so no event can appear before it. */
  end: string;
  isGap: boolean;
  writtenIn: string | null;
  id: string;
  messages: string;
}

async function readAfter(db: Db, after: Place): Promise<TransferEvents> {
  // One statement, so one snapshot: rows pruned meanwhile are either read or reported as a gap.
  const { rows } = await sql<Row>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as end,
      pruned.id > 0 and (pruned.written_in, pruned.id) >= (${String(after.writtenIn)}::xid8, ${after.id}::bigint)
        as "isGap",
      pack.written_in::text as "writtenIn", pack.id::text, pack.messages
    from event_log_pruned as pruned left join lateral (
      select written_in, id, messages from outbox
      where (written_in, id) >= (${String(after.writtenIn)}::xid8, ${after.id}::bigint)
        and written_in < pg_snapshot_xmin(pg_current_snapshot())
      order by written_in, id limit ${PACKS_OF_PAGE}
    ) as pack on true
    order by pack.written_in, pack.id`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('event_log_pruned has no row');
  const packs = rows.filter(({ writtenIn }) => writtenIn !== null);
  refuseForeign(after, first);
  const hasMore = packs.length === PACKS_OF_PAGE;
  const last = packs.at(-1);
  return {
    events: packs.flatMap((pack) => eventsOf(pack, after)),
    next: last && hasMore ? placeOf(last, readMessages(last.messages).length - 1) : placeOfEnd(first.end),
    hasMore,
    isGap: first.isGap,
  };
}

/**
 * A place ahead of the log, or in a pack that the log should have, comes from a different history: before a restore.
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

/** Public transfer events only: no commands and no provider calls. */
function eventsOf(pack: Row, after: Place): TransferEvents['events'] {
  const isBegun = isAt(pack, after);
  return readMessages(pack.messages).flatMap(({ exchange, routingKey, envelope }, message) =>
    exchange === EVENTS && routingKey.startsWith('transfer.') && !(isBegun && message <= after.message)
      ? [{ place: placeOf(pack, message), event: envelope }]
      : [],
  );
}

const placeOf = ({ writtenIn, id }: Pick<Row, 'writtenIn' | 'id'>, message: number) => `${writtenIn}-${id}-${message}`;

/** Before every pack of the first open transaction: ids begin at 1. */
const placeOfEnd = (end: string) => `${end}-0-0`;

function readPlace(text: string): Place {
  const [writtenIn = '', id = '', message = ''] = text.split('-');
  const place = { writtenIn: BigInt(writtenIn), id: BigInt(id), message: Number(message) };
  if (place.writtenIn > LARGEST_XID || place.id > LARGEST_ID) throw foreignPlace();
  return place;
}
