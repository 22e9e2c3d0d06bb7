import { DAY_MS } from '@vuka/contracts/http/days';
import pg from 'pg';

/** Which transfers of a stopped product to multiply, and how often. */
export interface Filling {
  /** The server of the product's databases, as a superuser. */
  serverUrl: string;
  /** The prefix of the database names. */
  prefix: string;
  /** Everything written since this moment is copied. All transfers to copy were accepted after it. */
  since: Date;
  /** Copies of each transfer, which replace the original. */
  copies: number;
  /** The copies are spread evenly over this many days before now. */
  days: number;
  say(line: string): void;
}

interface Table {
  name: string;
  /** Selects the rows that the transfers wrote; `$1` is `since`. */
  where: string;
  /** How a column of a copy is computed from the row `old`, for copy number `copy`. Other columns keep their value. */
  columns: Record<string, string>;
  /** The product deletes rows that are older than this, so no such copies are made. */
  keptDays?: number;
}

/** Copies per statement: enough to be fast, few enough to show progress. */
const AT_ONCE = 100;

const each = (columns: readonly string[], make: (column: string) => string): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, make(column)]));
/** Ids that begin with a time. */
const ids = (...columns: string[]) => each(columns, (column) => `growth.id(old.${column}, copy)`);
const randomIds = (...columns: string[]) => each(columns, (column) => `growth.random_id(old.${column}, copy)`);
const times = (...columns: string[]) => each(columns, (column) => `growth.time(old.${column}, copy)`);
const journals = (...columns: string[]) => each(columns, (column) => `old.${column} + copy * growth.journals()`);

const OUTBOX: Table = {
  name: 'outbox',
  where: 'created_at >= $1',
  keptDays: 7,
  columns: { ...ids('pack_id'), ...times('created_at', 'published_at') },
};
const INBOX: Table = {
  name: 'inbox',
  where: 'processed_at >= $1',
  keptDays: 30,
  columns: { message_id: 'growth.id(old.message_id::uuid, copy)::text', ...times('processed_at') },
};
const CAPTURES = `select id from journals where kind = 'capture' and created_at >= $1`;

/** The tables that a transfer writes to, in each database. Live events are omitted: they are kept for an hour. */
const TABLES: Record<string, readonly Table[]> = {
  transfers: [
    {
      name: 'transactions',
      where: 'created_at >= $1',
      columns: {
        ...ids('id'),
        client_transaction_id: `'CLIENT-' || growth.id(old.id, copy)`,
        metadata: `jsonb_build_object('payoutId', growth.random_id((old.metadata->>'payoutId')::uuid, copy))`,
        ...times('created_at', 'updated_at'),
      },
    },
    {
      name: 'transaction_lifecycle',
      where: '"timestamp" >= $1',
      columns: { ...ids('transaction_id'), ...times('timestamp') },
    },
    {
      name: 'money_transfers',
      where: 'created_at >= $1',
      columns: { ...randomIds('id'), ...ids('transaction_id'), ...times('submitted_at', 'created_at', 'updated_at') },
    },
    OUTBOX,
  ],
  wallet: [
    {
      name: 'ledger_entries',
      where: `journal_id in (${CAPTURES})`,
      columns: {
        ...journals('journal_id'),
        account_seq: 'old.account_seq + copy * (select entries from growth.accounts where id = old.account_id)',
        balance_after_minor:
          'old.balance_after_minor + copy * (select amount from growth.accounts where id = old.account_id)',
      },
    },
    {
      name: 'holds',
      where: 'id in (select id from journals where created_at >= $1)',
      columns: { ...journals('id', 'resolved_by'), ...ids('transfer_id') },
    },
    {
      name: 'journals',
      where: 'created_at >= $1',
      columns: {
        ...journals('id', 'hold_id'),
        key: `growth.id(old.transfer_id, copy) || ':' || old.kind`,
        ...ids('transfer_id'),
        ...times('created_at'),
      },
    },
    OUTBOX,
  ],
  admin: [
    {
      name: 'notifications',
      where: 'created_at >= $1',
      keptDays: 90,
      columns: { ...ids('id', 'event_id'), ...times('created_at') },
    },
    INBOX,
  ],
  integration_log: [
    {
      name: 'integration_logs',
      where: '"timestamp" >= $1',
      columns: {
        ...ids('id'),
        transaction_id: 'growth.id(old.transaction_id::uuid, copy)::text',
        money_transfer_id: 'growth.random_id(old.money_transfer_id::uuid, copy)::text',
        ...times('timestamp'),
      },
    },
    INBOX,
  ],
  payout_simulator: [
    {
      name: 'payouts',
      where: 'created_at >= $1',
      columns: { ...randomIds('id'), ...times('created_at', 'callback_since') },
    },
    { name: 'ledger', where: 'paid_at >= $1', columns: { ...randomIds('id'), ...times('paid_at') } },
  ],
};

/** SQL functions that shift a copy's times and ids. Copy 0 is the oldest; the newest is one interval old. */
function helpers({ copies, days }: Filling): string {
  const everyMs = Math.round((days * DAY_MS) / copies);
  return `
    drop schema if exists growth cascade;
    create schema growth;
    create function growth.shift_ms(copy integer) returns bigint immutable language sql as
      'select (copy - ${copies})::bigint * ${everyMs}';
    create function growth.time(old timestamptz, copy integer) returns timestamptz stable language sql as
      $$ select old + make_interval(secs => growth.shift_ms(copy) / 1000.0) $$;
    create function growth.random_id(old uuid, copy integer) returns uuid immutable language sql as
      $$ select overlay(overlay(md5(old::text || copy) placing '4' from 13) placing '8' from 17)::uuid $$;
    create function growth.id(old uuid, copy integer) returns uuid immutable language sql as $$
      select (lpad(to_hex(('x' || translate(left(old::text, 13), '-', ''))::bit(48)::bigint + growth.shift_ms(copy)), 12, '0')
        || '7' || left(md5(old::text || copy), 3) || '8' || substr(md5(old::text || copy), 4, 15))::uuid $$`;
}

/**
 * Copies, in every table, the rows that transfers wrote since a moment. Ids, times, sequence numbers and balances are
 * as if the copies had been sent one after the other. The product must be stopped. The bodies of messages and of
 * provider calls are copied unchanged, so they name the original transfer, and encrypted ones cannot be decrypted.
 */
export async function fillBooks(filling: Filling): Promise<void> {
  for (const [database, tables] of Object.entries(TABLES)) {
    const url = new URL(filling.serverUrl);
    url.pathname = `/${filling.prefix}_${database}`;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    try {
      await prepare(client, database, filling);
      await takeOut(client, tables, filling);
      for (const table of tables) await copyRows(client, table, filling);
      if (database === 'wallet') await moveBalances(client, filling.copies);
      await client.query('drop schema growth cascade');
      filling.say(`  ${database}: vacuum ...`);
      await client.query('vacuum analyze');
    } finally {
      await client.end();
    }
  }
}

async function prepare(client: pg.Client, database: string, filling: Filling): Promise<void> {
  // Turns off the triggers that refuse to delete final rows: the originals must make way for their copies.
  await client.query('set session_replication_role = replica');
  await client.query(`set synchronous_commit = off; set work_mem = '256MB'`);
  await client.query(helpers(filling));
  if (database === 'wallet') await measureLedger(client, filling.since);
  if (database === 'integration_log') await makeMonths(client, filling.days);
}

/** Stores what one copy adds to the ledger: the range of journal ids, and the entries and amount per account. */
async function measureLedger(client: pg.Client, since: Date): Promise<void> {
  await client.query(`
    create table growth.accounts as
      select account_id as id, count(*) as entries, sum(amount_minor)::bigint as amount
      from ledger_entries where journal_id in (${at(since, CAPTURES)}) group by account_id;
    alter table growth.accounts add primary key (id);
    analyze growth.accounts`);
  // The journal ids of a ledger batch start at a multiple of 512.
  const { rows } = await client.query<{ range: string }>(
    at(since, 'select 512 * ((max(id) - min(id)) / 512 + 2) as range from journals where created_at >= $1'),
  );
  const { range } = rows[0] ?? {};
  await client.query(
    `create function growth.journals() returns bigint immutable language sql as 'select ${range}::bigint'`,
  );
}

/** Creates the partitions of past months, which the product creates only when a month's first call arrives. */
async function makeMonths(client: pg.Client, days: number): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('create table if not exists %I partition of integration_logs for values from (%L) to (%L)',
        'integration_logs_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month') as statement
      from generate_series(date_trunc('month', now() at time zone 'UTC' - make_interval(days => $1)),
        now() at time zone 'UTC', interval '1 month') as month`,
    [days],
  );
  for (const { statement } of rows) await client.query(statement);
}

const at = (since: Date, statement: string) => statement.replaceAll('$1', `'${since.toISOString()}'::timestamptz`);

/** Moves the originals out of the tables. All are copied before any is deleted: some are selected through others. */
async function takeOut(client: pg.Client, tables: readonly Table[], { since }: Filling): Promise<void> {
  for (const { name, where } of tables)
    await client.query(at(since, `create table growth.${name} as select * from ${name} where ${where}`));
  for (const { name, where } of tables) await client.query(at(since, `delete from ${name} where ${where}`));
}

/** The columns of a table, except those that the database fills in. */
const COLUMNS = `
  select attname as name from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    and coalesce(pg_get_expr(adbin, adrelid), '') !~ '^(nextval|pg_current_xact_id)'`;

async function copyRows(client: pg.Client, table: Table, { copies, days, say }: Filling): Promise<void> {
  const { name, columns, keptDays = days } = table;
  const { rows } = await client.query<{ name: string }>(COLUMNS, [name]);
  const own = rows.map((row) => row.name);
  const values = own.map((column) => columns[column] ?? `old."${column}"`);
  const first = Math.max(0, Math.floor(copies - (copies * keptDays) / days));
  for (let from = first; from < copies; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, copies);
    await client.query(
      `insert into ${name} (${own.map((column) => `"${column}"`).join(', ')})
        select ${values.join(', ')}
        from generate_series(${from}, ${to - 1}) as copy cross join growth.${name} as old order by copy`,
    );
    say(`  ${name}: ${to} of ${copies}`);
  }
}

/** Adds the copies to the balances, which already include the originals. */
async function moveBalances(client: pg.Client, copies: number): Promise<void> {
  await client.query(
    `update accounts set posted_minor = posted_minor + ($1 - 1) * amount, seq = seq + ($1 - 1) * entries
      from growth.accounts as grown where grown.id = accounts.id`,
    [copies],
  );
  await client.query(
    `select setval('ledger_batches', (select last_value from ledger_batches) + $1 * growth.journals() / 512)`,
    [copies],
  );
}
