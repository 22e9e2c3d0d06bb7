import { createTestDatabase } from '@vuka/test-kit/postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkBooks } from '#check-books.ts';

const SETTLED = '00000000-0000-7000-8000-000000000001';
const FAILED = '00000000-0000-7000-8000-000000000002';
const DEPOSIT = '00000000-0000-7000-8000-000000000003';
const SENDER = '00000000-0000-7000-8000-00000000000a';

/** The columns that the check reads. */
const TABLES = `
  create table transactions (id uuid, user_id uuid, recipient_user_id uuid, status text, source_currency text,
    target_currency text, source_amount bigint, fee bigint, target_amount bigint, mid_amount bigint, transaction_type text,
    metadata jsonb default '{}', created_at timestamptz default '2026-11-16T09:00:00Z');
  create table limit_usage (user_id uuid, currency text, side text, month date, month_amount bigint);
  create table accounts (id bigint, code text, user_id uuid, posted_minor bigint, held_minor bigint);
  create table journals (id bigint, kind text, rejection text, transfer_id uuid);
  create table holds (id bigint, account_id bigint, transfer_id uuid, amount_minor bigint, state text);
  create table ledger_entries (account_id bigint, account_seq bigint, journal_id bigint, currency text,
    amount_minor bigint, balance_after_minor bigint)`;

/**
 * After a deposit of 1,000.00 KES, 100.00 KES with a fee of 1.00 became 2,300.00 TZS, 5.00 below the middle rate; another
 * transfer failed, and no longer counts for the month, as the deposit does not.
 */
const SOUND = `
  delete from transactions; delete from accounts; delete from journals; delete from holds; delete from ledger_entries;
  delete from limit_usage;
  insert into limit_usage values ('${SENDER}', 'KES', 'out', '2026-11-01', 10000);
  insert into transactions values
    ('${SETTLED}', '${SENDER}', null, 'SETTLED', 'KES', 'TZS', 10000, 100, 230000, 230500, 'transfer'),
    ('${FAILED}', '${SENDER}', null, 'FAILED', 'KES', 'TZS', 5000, 0, 115000, 115000, 'transfer'),
    ('${DEPOSIT}', '${SENDER}', null, 'SETTLED', 'KES', 'KES', 100000, 0, 100000, 100000, 'deposit');
  insert into accounts values (1, 'wallet:${SENDER}:KES', '${SENDER}', 89900, 0), (2, 'fees:KES', null, 100, 0),
    (3, 'fx:KES', null, 10000, 0), (4, 'fx:TZS', null, -230500, 0), (5, 'payout-clearing:TZS', null, 230000, 0),
    (6, 'margin:TZS', null, 500, 0), (7, 'funding:KES', null, -100000, 0);
  insert into journals values (1, 'deposit', null, '${DEPOSIT}'), (2, 'hold', null, '${SETTLED}'),
    (3, 'capture', null, '${SETTLED}'), (4, 'hold', null, '${FAILED}'), (5, 'release', null, '${FAILED}');
  insert into holds values (2, 1, '${SETTLED}', 10100, 'captured'), (4, 1, '${FAILED}', 5000, 'released');
  insert into ledger_entries values (7, 1, 1, 'KES', -100000, -100000), (1, 1, 1, 'KES', 100000, 100000),
    (1, 2, 3, 'KES', -10100, 89900), (2, 1, 3, 'KES', 100, 100), (3, 1, 3, 'KES', 10000, 10000),
    (4, 1, 3, 'TZS', -230500, -230500), (5, 1, 3, 'TZS', 230000, 230000), (6, 1, 3, 'TZS', 500, 500)`;

let server: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  server = await createTestDatabase('check-books');
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(TABLES);
});

beforeEach(() => client.query(SOUND));

afterAll(async () => {
  await client.end();
  await server.drop();
});

const check = () => checkBooks({ transfersDatabaseUrl: server.url, walletDatabaseUrl: server.url });

test('books in which each transfer has its capture or its release contain no contradiction', async () => {
  expect(await check()).toEqual([]);
});

test.each([
  ['a settled transfer without a capture', `delete from journals where id = 3`, 'the ledger has hold'],
  ['a second capture', `insert into journals values (9, 'capture', null, '${SETTLED}')`, 'hold, capture, capture'],
  ['a capture of another amount', `update transactions set target_amount = 229999`, 'its capture is'],
  ['a capture of another fee', `update transactions set fee = 99, source_amount = 10001`, 'its capture is'],
  [
    'a withdrawal to a bank that was booked against the float',
    `update transactions set metadata = '{"accountType": "bank"}' where id = '${SETTLED}'`,
    'its capture is',
  ],
  ['a hold of another amount', `update holds set amount_minor = 10000 where id = 2`, 'its hold is'],
  ['a failed transfer whose money stays reserved', `update holds set state = 'open' where id = 4`, 'its hold is open'],
  ['a failed transfer that was captured', `update journals set kind = 'capture' where id = 5`, 'was captured'],
  ['a capture without a transfer', `delete from transactions where id = '${SETTLED}'`, 'no transfer'],
  [
    'a deposit that was not booked',
    `delete from ledger_entries where journal_id = 1`,
    'a deposit, but the ledger has []',
  ],
  [
    'a deposit of another amount',
    `update transactions set target_amount = 1 where id = '${DEPOSIT}'`,
    'a deposit, but',
  ],
  ['a booked deposit without a transaction', `delete from transactions where id = '${DEPOSIT}'`, 'no deposit, but'],
  [
    'a refused deposit that was booked',
    `update transactions set status = 'FAILED' where id = '${DEPOSIT}'`,
    'but the ledger',
  ],
  ['a journal that makes money', `update ledger_entries set amount_minor = 501 where account_id = 6`, 'sum to zero'],
  ['a balance that is not its entries', `update accounts set posted_minor = 1 where id = 2`, 'the sum of its entries'],
  ['a lost entry', `delete from ledger_entries where account_id = 1 and account_seq = 1`, 'up to it'],
  [
    'a wallet that was below zero',
    `update ledger_entries set balance_after_minor = -1 where account_id = 1 and account_seq = 2`,
    'never below zero',
  ],
])('%s is found', async (_, tamper, line) => {
  await client.query(tamper);
  expect((await check()).join('\n')).toContain(line);
});

const RECIPIENT = '00000000-0000-7000-8000-00000000000b';
const OF_SENDER = `limits of ${SENDER} KES out:`;

test.each([
  ['an order that is not counted', 'update limit_usage set month_amount = 0', `${OF_SENDER} 0 is counted`],
  ['an order that is counted twice', 'update limit_usage set month_amount = 20000', `${OF_SENDER} 20000 is counted`],
  ['a failed transfer that still counts', 'update limit_usage set month_amount = 15000', 'should be 10000'],
  [
    'a count that stayed in an earlier month',
    `update limit_usage set month = '2026-10-01'`,
    `${OF_SENDER} 0 is counted`,
  ],
  ['a user without a count', 'delete from limit_usage', `${OF_SENDER} 0 is counted`],
  ['a count without an order', `insert into limit_usage values ('${RECIPIENT}', 'TZS', 'in', '2026-11-01', 1)`, 'be 0'],
  [
    'a payment to a merchant that is not counted',
    `update transactions set recipient_user_id = '${RECIPIENT}' where id = '${SETTLED}'`,
    `limits of ${RECIPIENT} TZS in: 0 is counted of the month, should be 230000`,
  ],
])('%s is found in the limits', async (_, tamper, line) => {
  await client.query(tamper);
  expect((await check()).join('\n')).toContain(line);
});

test.each([
  ['a count of an earlier month', `insert into limit_usage values ('${RECIPIENT}', 'TZS', 'in', '2026-10-01', 1)`],
  ['a closed account, whose limits are used up', `update limit_usage set month = '9999-12-31', month_amount = 1e17`],
  [
    'a month that has just begun, by a clock that may be wrong',
    `update transactions set created_at = '2026-11-30T21:10:00Z'`,
  ],
])('%s is no contradiction of the limits', async (_, tamper) => {
  await client.query(tamper);
  expect((await check()).filter((line) => line.startsWith('limits of'))).toEqual([]);
});

test('a payment to a merchant counts for its recipient', async () => {
  await client.query(`
    update transactions set recipient_user_id = '${RECIPIENT}' where id = '${SETTLED}';
    insert into limit_usage values ('${RECIPIENT}', 'TZS', 'in', '2026-11-01', 230000)`);
  expect((await check()).filter((line) => line.startsWith('limits of'))).toEqual([]);
});

test('books that lost commits may have a hold that was given back without a transfer, but none that is kept or captured', async () => {
  const checkLossy = () =>
    checkBooks({ transfersDatabaseUrl: server.url, walletDatabaseUrl: server.url }, { haveLostCommits: true });
  await client.query(`delete from transactions where id = '${FAILED}'`);
  expect(await checkLossy()).toEqual([]);
  expect((await check()).join()).toContain('no transfer');
  await client.query(`update holds set state = 'open' where id = 4`);
  expect((await checkLossy()).join()).toContain('its hold is open');
  await client.query(`delete from transactions where id = '${SETTLED}'`);
  expect((await checkLossy()).join()).toContain('its money was captured');
});
