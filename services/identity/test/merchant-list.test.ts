import type { Merchant, MerchantSort } from '@vuka/contracts/http/merchants';
import { MerchantsQuery } from '@vuka/contracts/http/merchants';
import { planFreely } from '@vuka/service-kit/database';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAdmin } from '#administrators/create-or-reset-admin.ts';
import type { Schema } from '#db/schema.ts';
import { createMerchantLists, merchantsOf } from '#merchants/list-merchants.ts';
import { createPinHasher } from '#pins/pin-hasher.ts';
import { admin, createIdentity, PEPPERS } from './harness.ts';

const MERCHANTS = 5_000;
const PAGE = 50;

let identity: Awaited<ReturnType<typeof createIdentity>>;
beforeAll(async () => {
  identity = await createIdentity();
  await insertMany();
  const hasher = createPinHasher(PEPPERS);
  const details = { email: 'kenya@admin.test', name: 'Kenya Admin', phone: '+254700000000', pin: '2468' };
  await createAdmin({ db: identity.db, hasher }, { ...details, resetPin: false, role: 'owner' as const });
  await sql`analyze`.execute(identity.db);
});
afterAll(() => identity.stop());

/** Many share a name, a country and a currency; every hundredth is blocked. */
async function insertMany(): Promise<void> {
  await sql`
    insert into users (id, username, pin, email, full_name, phone, default_currency, country, is_blocked, created_at)
    select id, email, 'x', email, name, '+2547' || lpad(n::text, 8, '0'), currency, country, n % 100 = 0, at
    from (
      select n, lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000' as raw,
        'merchant' || n || '@duka.test' as email,
        (array['amina', 'Baraka', 'chiku', 'Dalila'])[1 + n % 4] || ' ' || (n % 250) as name,
        (array['KES', 'TZS'])[1 + n % 2] as currency, (array['Kenya', 'Tanzania'])[1 + n % 2] as country,
        timestamptz '2026-01-01' + n * interval '1 minute' as at
      from generate_series(1, ${MERCHANTS}::int) n) given, lateral (select raw::uuid as id) made`.execute(identity.db);
  await sql`
    insert into merchants (id, user_id, merchant_id)
    select id, id, 'DUKA' || lpad((row_number() over (order by id))::text, 4, '0') || 'KENB' from users
  `.execute(identity.db);
}

interface Page {
  merchants: Merchant[];
  total: number;
  nextCursor: string | null;
}

async function page(query: Record<string, string | number> = {}): Promise<Page> {
  const params = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  const { status, body } = await identity.send('GET', `/internal/merchants?${params}`, undefined, admin);
  expect(status).toBe(200);
  return body;
}

async function everyPage(query: Record<string, string | number>): Promise<Merchant[]> {
  const all: Merchant[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { merchants, nextCursor } = await page({ ...query, ...(cursor ? { cursor } : {}) });
    all.push(...merchants);
    cursor = nextCursor;
  }
  return all;
}

/** The work of a page: the rows that each step of the plan touched, and the indexes used. */
async function workOf(query: object, db: Kysely<Schema>): Promise<{ mostRows: number; indexes: string[] }> {
  const asked = merchantsOf(db, { ...z.parse(MerchantsQuery, query), limit: PAGE });
  const explained: RawBuilder<{ 'QUERY PLAN': [{ Plan: Plan }] }> =
    sql`explain (analyze, timing off, format json) ${asked}`;
  const { rows } = await explained.execute(db);
  const steps = stepsOf(rows[0]?.['QUERY PLAN'][0].Plan as Plan);
  return {
    mostRows: Math.max(
      ...steps.map((step) => (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']),
    ),
    indexes: steps.flatMap((step) => step['Index Name'] ?? []),
  };
}

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Index Name'?: string;
  Plans?: Plan[];
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];

describe('a list of 5,000 merchants', () => {
  test('without paging is complete, newest first, without administrators', async () => {
    const { merchants, total, nextCursor } = await page();
    expect([merchants.length, total, nextCursor]).toEqual([MERCHANTS, MERCHANTS, null]);
    expect(merchants[0]?.email).toBe('merchant5000@duka.test');
    expect(merchants.at(-1)?.email).toBe('merchant1@duka.test');
    expect((await page({ search: 'admin.test' })).total).toBe(0);
  });

  test('is refused without a limit if more merchants match than one answer may have, and has pages even so', async () => {
    const [eleven, three] = [createMerchantLists(identity.db, 11), createMerchantLists(identity.db, 3)];
    const query = z.parse(MerchantsQuery, { search: 'merchant499' });
    expect((await eleven(query)).merchants).toHaveLength(11);
    await expect(three(query)).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'More than 3 merchants match: give a limit, and follow the links to the next pages.',
      issues: [{ path: 'limit', reason: 'limit_missing' }],
    });
    expect((await three({ ...query, limit: 4 })).merchants).toHaveLength(4);
  });

  const ORDERS: [MerchantSort, string][] = [
    ['username', 'users_by_username'],
    ['fullName', 'users_by_full_name'],
    ['email', 'users_by_email'],
    ['phone', 'users_by_phone'],
    ['country', 'users_by_country'],
    ['defaultCurrency', 'users_by_default_currency'],
    ['isBlocked', 'users_by_is_blocked'],
    ['createdAt', 'users_pkey'],
  ];
  test.each(ORDERS)('sorted by %s has every merchant once across its pages, in both directions', async (key, index) => {
    const ascending = await everyPage({ sort: key, limit: 200 });
    expect(new Set(ascending.map(({ id }) => id)).size).toBe(MERCHANTS);
    const texts = ascending.map((merchant) => String(merchant[key]).toLowerCase());
    expect(texts).toEqual(texts.toSorted());
    const descending = await everyPage({ sort: `-${key}`, limit: 200 });
    expect(descending.map(({ id }) => id)).toEqual(ascending.map(({ id }) => id).reverse());
    const { nextCursor } = await page({ sort: key, limit: 200 });
    for (const query of [{ sort: key }, { sort: `-${key}` }, { sort: key, cursor: nextCursor }]) {
      const { mostRows, indexes } = await planFreely(identity.db, (trx) => workOf(query, trx));
      expect(indexes).toContain(index);
      // The page, the row that shows that there are more, and the one administrator.
      expect(mostRows).toBeLessThanOrEqual(PAGE + 2);
    }
  });

  test.each([
    [{ search: 'merchant4321@' }, 1],
    [{ search: 'DUKA4321kenb' }, 1],
    [{ search: '70000432' }, 10],
    [{ search: ' Chiku   TANZANIA ' }, 0],
    [{ search: 'chiku kenya' }, 1_250],
    [{ search: 'amina 104 kenya' }, 13],
    [{ search: '%' }, 0],
    [{ search: '_' }, 0],
    [{ search: '\\' }, 0],
    [{ search: '  ' }, MERCHANTS],
  ])('searched for %j holds the merchants whose texts contain every word literally', async (query, total) => {
    const found = await page({ ...query, limit: PAGE });
    expect([found.total, found.merchants.length]).toEqual([total, Math.min(total, PAGE)]);
    expect(await everyPage({ ...query, limit: 200, sort: 'fullName' })).toHaveLength(total);
  });

  test('finds a merchant by the text index in any sort order', async () => {
    for (const search of ['merchant4321@', 'DUKA4321']) {
      const { mostRows, indexes } = await planFreely(identity.db, async (trx) => {
        // In a table this small a full scan is as fast; what matters is that the index is possible.
        await sql`set local enable_seqscan = off`.execute(trx);
        return workOf({ search, sort: 'fullName' }, trx);
      });
      expect(indexes).toEqual(expect.arrayContaining(['users_texts', 'merchants_texts']));
      expect(mostRows).toBeLessThanOrEqual(PAGE);
    }
  });

  test('neither skips nor repeats merchants when one is blocked between two pages', async () => {
    const sort = 'isBlocked';
    const first = await page({ sort, limit: 200 });
    const last = first.merchants.at(-1) as Merchant;
    await identity.send('POST', `/internal/merchants/${last.id}/toggle-block`, {}, admin);
    const next = await page({ sort, limit: 200, cursor: first.nextCursor ?? '' });
    const ids = new Set([...first.merchants, ...next.merchants].map(({ id }) => id));
    expect(ids.size).toBe(400);
    expect(next.merchants.every(({ isBlocked }) => !isBlocked)).toBe(true);
    await identity.send('POST', `/internal/merchants/${last.id}/toggle-block`, {}, admin);
  });

  test.each([
    ['sort=pin', 'Unknown sort'],
    ['limit=0', 'limit must be a whole number from 1 to 200'],
    ['limit=201', 'limit must be a whole number from 1 to 200'],
    ['cursor=nonsense', 'Invalid cursor'],
    [`cursor=${Buffer.from('["a"]').toString('base64url')}`, 'Invalid cursor'],
    // A cursor of one sort order is invalid in another.
    [`sort=isBlocked&cursor=${Buffer.from(`["a","${admin.userId}"]`).toString('base64url')}`, 'Invalid cursor'],
    [`sort=email&cursor=${Buffer.from(`["\\u0000","${admin.userId}"]`).toString('base64url')}`, 'Invalid cursor'],
    ['search=a&search=b', 'Search must be one text'],
    ['search=a+b+c+d+e+f+g', 'Search for at most 6 words'],
    [`search=${'a'.repeat(101)}`, 'Search must be at most 100 characters'],
    ['search=a%00b', 'The request has characters that are not text.'],
  ])('is refused for %s', async (query, error) => {
    const { status, body } = await identity.send('GET', `/internal/merchants?${query}`, undefined, admin);
    expect([status, body.error]).toEqual([400, error]);
  });
});

test('however many lists are read at once, sessions are checked, and the lists beyond twenty are refused', async () => {
  const { token } = await identity.register();
  const blocker = await identity.pool.connect();
  await blocker.query('begin');
  // Lists read this table, checks of sessions do not.
  await blocker.query('lock table stranger_sign_ins in access exclusive mode');
  const lists = Array.from({ length: 25 }, () => identity.send('GET', '/internal/merchants?limit=1', undefined, admin));
  await Promise.race(lists);
  const [checked] = await identity.check([{ token, pin: '1357' }]);
  await blocker.query('rollback');
  blocker.release();
  const statuses = (await Promise.all(lists)).map(({ status }) => status);
  expect([checked?.ok, statuses.filter((status) => status === 200).length]).toEqual([true, 20]);
  expect(statuses.filter((status) => status === 503)).toHaveLength(5);
});
