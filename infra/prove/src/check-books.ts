import pg from 'pg';

/** The databases that hold the books of a run: one for transfers, one for the ledger. */
export interface Books {
  transfersDatabaseUrl: string;
  walletDatabaseUrl: string;
}

/** A row of the transfers table; amounts in minor units. */
interface Transfer {
  id: string;
  user_id: string;
  recipient_user_id: string | null;
  status: string;
  source_currency: string;
  target_currency: string;
  total: string;
  fee: string;
  target_amount: string;
  margin: string;
  /** An administrator paid it by hand. */
  is_to_bank: boolean;
}

/** What the ledger booked for one transfer; amounts in minor units. */
interface Booked {
  /** The kinds of its journals that were not refused. */
  kinds: string[];
  holds: { account: string; amount: string; state: string }[];
  /** The entries of its captures. */
  captured: Entry[];
}

interface Entry {
  account: string;
  amount: string;
}

const TRANSFERS = `
  select id, user_id, recipient_user_id, status, source_currency, target_currency, (source_amount + fee)::text as total,
    fee::text, target_amount::text, (mid_amount - target_amount)::text as margin,
    coalesce(metadata ->> 'accountType' = 'bank', false) as is_to_bank
  from transactions where transaction_type in ('transfer', 'withdrawal')`;

const KINDS = `
  select transfer_id, kind from journals where rejection is null and kind in ('hold', 'capture', 'release')`;

const HOLDS = `
  select transfer_id, code as account, amount_minor::text as amount, state
  from holds join accounts on accounts.id = account_id`;

const CAPTURED = `
  select transfer_id, code as account, amount_minor::text as amount
  from journals join ledger_entries on journal_id = journals.id join accounts on accounts.id = account_id
  where kind = 'capture'`;

const DEPOSITS = `
  select id, user_id, status, target_currency as currency, target_amount::text as amount
  from transactions where transaction_type = 'deposit'`;

const DEPOSITED = `
  select transfer_id, code as account, amount_minor::text as amount
  from journals join ledger_entries on journal_id = journals.id join accounts on accounts.id = account_id
  where kind = 'deposit' and rejection is null`;

/** Statements that hold for the ledger at any time; each returns the rows that contradict it. */
const LEDGER: { statement: string; contradictions: string }[] = [
  {
    statement: 'the entries of a journal sum to zero in each currency',
    contradictions: `select journal_id || ' ' || currency as what from ledger_entries
      group by journal_id, currency having sum(amount_minor) <> 0`,
  },
  {
    statement: 'a refused journal, a hold and a release have no entries',
    contradictions: `select distinct journals.id::text as what from journals join ledger_entries on journal_id = journals.id
      where rejection is not null or kind in ('hold', 'release')`,
  },
  {
    statement: 'the balance after each entry is the sum of the entries up to it',
    contradictions: `select code || ' ' || account_seq as what from (
        select account_id, account_seq, balance_after_minor,
          sum(amount_minor) over (partition by account_id order by account_seq) as total,
          row_number() over (partition by account_id order by account_seq) as place
        from ledger_entries) as entry join accounts on accounts.id = account_id
      where balance_after_minor <> total or account_seq <> place`,
  },
  {
    statement: 'an account has the sum of its entries, and reserves the sum of its open holds',
    contradictions: `select code as what from accounts where
      posted_minor <> coalesce((select sum(amount_minor) from ledger_entries where account_id = accounts.id), 0)
      or held_minor <> coalesce(
        (select sum(amount_minor) from holds where account_id = accounts.id and state = 'open'), 0)`,
  },
  {
    statement: 'a wallet was never below zero, and has what it reserves',
    contradictions: `select code as what from accounts where user_id is not null and (posted_minor < held_minor or exists (
      select from ledger_entries where account_id = accounts.id and balance_after_minor < 0))`,
  },
];

/**
 * Where the limits' count of the present month, which is that of the newest transfer, differs from the transfers. Deposits
 * do not count. Nothing is compared within three hours of a month's end: with a clock that is wrong by 20 minutes, or a
 * payment that waits for the end of an outage, a transfer may count for the month before or after. A count of another
 * month belongs to someone who has sent nothing since. The limits of a closed account are used up until the year 9999.
 */
const MISCOUNTED = `
  with newest as (
    select max(created_at) at time zone 'Africa/Nairobi' as ordered_at from transactions
  ), present as (
    select date_trunc('month', ordered_at) as month from newest
    where date_trunc('month', ordered_at - interval '3 hours') = date_trunc('month', ordered_at + interval '3 hours')
  ), counted as (
    select user_id, source_currency::text as currency, 'out' as side, source_amount as amount, created_at
    from transactions where transaction_type in ('transfer', 'withdrawal') and status not in ('FAILED', 'CANCELLED')
    union all
    select recipient_user_id, target_currency::text, 'in', target_amount, created_at from transactions
    where transaction_type = 'transfer' and recipient_user_id is not null and status not in ('FAILED', 'CANCELLED')
  ), due as (
    select user_id, currency, side, sum(amount) as amount from counted, present
    where date_trunc('month', created_at at time zone 'Africa/Nairobi') = present.month
    group by user_id, currency, side
  )
  select user_id || ' ' || currency || ' ' || side as whose, counted::text, coalesce(amount, 0)::text as due
  from present, limit_usage used full join due using (user_id, currency, side),
    lateral (select case when used.month = present.month then month_amount else 0 end as counted) as current
  where counted <> coalesce(amount, 0) and coalesce(used.month, present.month) < '9999-12-31'`;

/**
 * Compares the transfers with the ledger, by queries that share nothing with the product's audit: each settled transfer
 * has one capture with its figures, each failed transfer released its hold, each deposit is booked once, and the ledger
 * adds up. Compares the counts of the limits with the transfers, too. Expects that every transfer has ended. With `haveLostCommits` the ledger may
 * have a transfer that the transfers table lost, if it returned the money. Returns a line per contradiction.
 */
export async function checkBooks(books: Books, { haveLostCommits = false } = {}): Promise<string[]> {
  const transfers = new pg.Client({ connectionString: books.transfersDatabaseUrl });
  const ledger = new pg.Client({ connectionString: books.walletDatabaseUrl });
  await Promise.all([transfers.connect(), ledger.connect()]);
  try {
    return [
      ...(await checkLedger(ledger)),
      ...(await checkTransfers(transfers, ledger, haveLostCommits)),
      ...(haveLostCommits ? [] : await checkDeposits(transfers, ledger)),
      ...(await checkLimits(transfers)),
    ];
  } finally {
    await Promise.all([transfers.end(), ledger.end()]);
  }
}

async function checkLedger(ledger: pg.Client): Promise<string[]> {
  const contradictions: string[] = [];
  for (const { statement, contradictions: query } of LEDGER) {
    const { rows } = await ledger.query<{ what: string }>(query);
    contradictions.push(...rows.map(({ what }) => `ledger: not true of ${what}: ${statement}`));
  }
  return contradictions;
}

async function checkLimits(transfers: pg.Client): Promise<string[]> {
  const { rows } = await transfers.query<Record<'whose' | 'counted' | 'due', string>>(MISCOUNTED);
  return rows.map(
    ({ whose, counted, due }) => `limits of ${whose}: ${counted} is counted of the month, should be ${due}`,
  );
}

async function checkTransfers(transfers: pg.Client, ledger: pg.Client, haveLostCommits: boolean): Promise<string[]> {
  const contradictions: string[] = [];
  const booked = await readBooked(ledger);
  const { rows } = await transfers.query<Transfer>(TRANSFERS);
  for (const transfer of rows) {
    const found = differencesOf(transfer, booked.get(transfer.id));
    contradictions.push(...found.map((difference) => `${transfer.id}: ${transfer.status}, but ${difference}`));
    booked.delete(transfer.id);
  }
  for (const [id, row] of booked) {
    const found = haveLostCommits ? differencesOfFailed(row) : ['it is in the ledger'];
    contradictions.push(...found.map((difference) => `${id}: no transfer, but ${difference}`));
  }
  return contradictions;
}

/** Each deposit has one journal, from the funding account to the wallet, and there is no other. */
async function checkDeposits(transfers: pg.Client, ledger: pg.Client): Promise<string[]> {
  const { rows: deposits } = await transfers.query<Deposit>(DEPOSITS);
  const { rows: entries } = await ledger.query<OfTransfer & Entry>(DEPOSITED);
  const booked = Map.groupBy(entries, ({ transfer_id: id }) => id);
  const due = new Map(deposits.map((deposit) => [deposit.id, depositedBy(deposit)]));
  return [...new Set([...due.keys(), ...booked.keys()])].flatMap((id) => {
    const found = (booked.get(id) ?? []).map(({ account, amount }) => ({ account, amount }));
    const right = due.get(id);
    if (right && isSame(found, right)) return [];
    return [`${id}: ${right ? 'a deposit' : 'no deposit'}, but the ledger has ${JSON.stringify(found)}`];
  });
}

interface Deposit extends Pick<Transfer, 'id' | 'user_id' | 'status'> {
  currency: string;
  amount: string;
}

function depositedBy({ user_id: userId, status, currency, amount }: Deposit): Entry[] {
  if (status !== 'SETTLED') return [];
  return [
    { account: walletOf(userId, currency), amount },
    { account: `funding:${currency}`, amount: `-${amount}` },
  ];
}

async function readBooked(ledger: pg.Client): Promise<Map<string, Booked>> {
  const booked = new Map<string, Booked>();
  const of = (id: string) => {
    const row = booked.get(id) ?? { kinds: [], holds: [], captured: [] };
    booked.set(id, row);
    return row;
  };
  const kinds = await ledger.query<OfTransfer & { kind: string }>(KINDS);
  for (const { transfer_id: id, kind } of kinds.rows) of(id).kinds.push(kind);
  const holds = await ledger.query<OfTransfer & Booked['holds'][number]>(HOLDS);
  for (const { transfer_id: id, ...hold } of holds.rows) of(id).holds.push(hold);
  const captured = await ledger.query<OfTransfer & Entry>(CAPTURED);
  for (const { transfer_id: id, ...entry } of captured.rows) of(id).captured.push(entry);
  return booked;
}

interface OfTransfer {
  transfer_id: string;
}

function differencesOf(transfer: Transfer, booked: Booked = { kinds: [], holds: [], captured: [] }): string[] {
  return transfer.status === 'SETTLED' ? differencesOfSettled(transfer, booked) : differencesOfFailed(booked);
}

function differencesOfFailed({ kinds, holds }: Booked): string[] {
  const kept = holds.find(({ state }) => state !== 'released');
  return [
    ...(kinds.includes('capture') ? ['its money was captured'] : []),
    ...(kept ? [`its hold is ${kept.state}`] : []),
  ];
}

function differencesOfSettled(transfer: Transfer, { kinds, holds, captured }: Booked): string[] {
  const held = [
    { account: walletOf(transfer.user_id, transfer.source_currency), amount: transfer.total, state: 'captured' },
  ];
  return [
    ...(isSame(kinds, ['hold', 'capture']) ? [] : [`the ledger has ${kinds.join(', ') || 'nothing'}`]),
    ...(isSame(holds, held) ? [] : [`its hold is ${JSON.stringify(holds)}`]),
    ...(isSame(captured, entriesOf(transfer)) ? [] : [`its capture is ${JSON.stringify(captured)}`]),
  ];
}

/** What a capture must book: the sender pays amount and fee, and the recipient or the payout gets the target amount. */
function entriesOf(transfer: Transfer): Entry[] {
  const { source_currency: source, target_currency: target, recipient_user_id: recipient } = transfer;
  const payer = transfer.is_to_bank ? `funding:${target}` : `payout-clearing:${target}`;
  const [total, fee, paid, margin] = [
    BigInt(transfer.total),
    BigInt(transfer.fee),
    BigInt(transfer.target_amount),
    BigInt(transfer.margin),
  ] as const;
  const exchanged = [
    { account: `fx:${source}`, amount: total - fee },
    { account: `fx:${target}`, amount: -(paid + margin) },
    { account: `margin:${target}`, amount: margin },
  ];
  return [
    { account: walletOf(transfer.user_id, source), amount: -total },
    { account: `fees:${source}`, amount: fee },
    { account: recipient ? walletOf(recipient, target) : payer, amount: paid },
    ...(source === target ? [] : exchanged),
  ]
    .filter(({ amount }) => amount !== 0n)
    .map(({ account, amount }) => ({ account, amount: String(amount) }));
}

/** Whether two lists have the same items, in any order. */
function isSame(found: readonly unknown[], expected: readonly unknown[]): boolean {
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected));
}

const walletOf = (userId: string, currency: string) => `wallet:${userId}:${currency}`;
