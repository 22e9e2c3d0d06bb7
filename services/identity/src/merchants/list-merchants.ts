import type { MerchantSort, MerchantsQuery } from '@vuka/contracts/http/merchants';
import { AppError } from '@vuka/service-kit/app-error';
import { planFreely } from '@vuka/service-kit/database';
import { cutPage } from '@vuka/service-kit/page';
import { createReadSlots } from '@vuka/service-kit/slots';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { strangersLockedUntil } from '#db/locks.ts';
import type { Db } from '#db/schema.ts';
import type { MerchantRecord } from '#users/user.view.ts';

const lowered = (column: string): RawBuilder<string> => sql`lower(${sql.ref(`users.${column}`)}) collate "C"`;

/** The sort expressions; ties are sorted by id. Each has an index. */
const ORDERS: Record<Exclude<MerchantSort, 'createdAt'>, RawBuilder<unknown>> = {
  username: lowered('username'),
  fullName: lowered('full_name'),
  email: lowered('email'),
  phone: lowered('phone'),
  country: lowered('country'),
  defaultCurrency: lowered('default_currency'),
  isBlocked: sql`users.is_blocked`,
};

const TEXTS = sql`lower(users.username || ' ' || users.full_name || ' ' || users.email || ' ' || users.phone || ' ' || users.country)`;

/** The end of a page: the sort value of its last row, as it was then, and the row's id. */
const Cursor = z.tuple([z.union([z.string(), z.boolean(), z.null()]), z.uuid()]);
type Cursor = z.infer<typeof Cursor>;

type SortedMerchant = MerchantRecord & { sorted_by: string | boolean | null };

/** The checks of sessions and PINs need the other connections. */
const AT_ONCE = { atOnce: 2, most: 20, what: 'lists of merchants' };
const LONGEST_MS = 3_000;
/** In an answer without a limit: they are in memory here and in the gateway, up to two lists at a time. */
const MOST_UNPAGED = 10_000;

export interface MerchantList {
  merchants: MerchantRecord[];
  total: number;
  nextCursor: string | null;
}

/**
 * The matching merchants in the requested order, and their total number. Throws unavailable while too many lists are
 * being read, or when this one takes too long, and validation_failed without a limit if more than `mostUnpaged` match.
 */
export function createMerchantLists(
  db: Db,
  mostUnpaged = MOST_UNPAGED,
): (query: MerchantsQuery) => Promise<MerchantList> {
  const inTurn = createReadSlots(AT_ONCE);
  return (query) => inTurn(() => listMerchants(db, query, mostUnpaged));
}

async function listMerchants(db: Db, query: MerchantsQuery, mostUnpaged: number): Promise<MerchantList> {
  const { limit = mostUnpaged } = query;
  const [found, { total }] = await planFreely(db, async (trx) => {
    await sql`select set_config('statement_timeout', ${String(LONGEST_MS)}, true)`.execute(trx);
    return Promise.all([
      merchantsOf(trx, { ...query, limit }).execute() as Promise<SortedMerchant[]>,
      countMerchants(trx, query.search),
    ]);
  });
  if (query.limit === undefined && found.length > limit) {
    throw new AppError('limit_missing', { params: { most: limit }, field: 'limit' });
  }
  const { rows, nextCursor } = cutPage(found, limit, (last) => toCursor([last.sorted_by, last.id]));
  return { merchants: rows, total, nextCursor };
}

function countMerchants(db: Db, search: string | undefined): Promise<{ total: number }> {
  return db
    .selectFrom('merchants')
    .innerJoin('users', 'users.id', 'merchants.user_id')
    .where(holdsEvery(search))
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
}

/** One row more than the limit if there are more. */
export function merchantsOf(db: Db, { search, sort, limit, cursor }: MerchantsQuery & { limit: number }) {
  const isDescending = sort.startsWith('-');
  const key = sort.replace('-', '') as MerchantSort;
  const after = sql.raw(isDescending ? '<' : '>');
  const direction = isDescending ? 'desc' : 'asc';
  const seen = cursor === undefined ? undefined : readCursor(cursor, key);
  // A lateral join keeps the index order: otherwise the planner may read a whole country and sort it.
  let users = db
    .selectFrom('users')
    .innerJoinLateral(
      (of) =>
        of.selectFrom('merchants').select('merchant_id').whereRef('user_id', '=', 'users.id').limit(1).as('merchants'),
      (join) => join.onTrue(),
    )
    .where(holdsEvery(search))
    .selectAll('users')
    .select(['merchants.merchant_id', strangersLockedUntil.as('strangers_locked_until')]);
  if (key === 'createdAt') {
    // Ids sort by time.
    users = users.select(sql`null`.as('sorted_by'));
    if (seen) users = users.where(sql<boolean>`users.id ${after} ${seen[1]}`);
  } else {
    users = users.select(ORDERS[key].as('sorted_by')).orderBy(ORDERS[key], direction);
    if (seen) users = users.where(sql<boolean>`(${ORDERS[key]}, users.id) ${after} (${seen[0]}, ${seen[1]})`);
  }
  return users.orderBy('users.id', direction).limit(limit + 1);
}

/** Whether every word occurs in a merchant's texts, ignoring case. */
function holdsEvery(search = ''): RawBuilder<boolean> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const tests = words.map((word) => {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`users.id in (
      select id from users where ${TEXTS} like ${pattern}
      union all select user_id from merchants where lower(merchant_id) like ${pattern})`;
  });
  return sql<boolean>`${sql.join([sql`true`, ...tests], sql` and `)}`;
}

function toCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string, key: MerchantSort): Cursor {
  const expected = key === 'createdAt' ? 'object' : key === 'isBlocked' ? 'boolean' : 'string';
  try {
    const cursor = z.parse(Cursor, JSON.parse(Buffer.from(text, 'base64url').toString()));
    // Rejects a cursor of another sort order, or a text that Postgres cannot store.
    if (typeof cursor[0] === expected && !String(cursor[0]).includes('\0')) return cursor;
  } catch {
    // Not a valid cursor.
  }
  throw new AppError('cursor_invalid', { field: 'cursor' });
}
