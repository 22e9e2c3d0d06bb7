import type { WalletRejection } from '@vuka/contracts/internal/wallet';
import { inOneTrip } from '@vuka/service-kit/database';
import { CLAIMED_BY_WRITER_SQL, type OutboxPack } from '@vuka/service-kit/outbox';
import type pg from 'pg';
import type { Account, HoldState, JournalWrites, LedgerState, Operation } from './ledger.domain.ts';
import { toParameters } from './ledger-batch.ts';
import { accountCodes } from './operation.ts';

/** The immutable fields of accounts, by code. */
export type AccountDirectory = Map<string, Pick<Account, 'id' | 'code' | 'userId' | 'currency' | 'floorMinor'>>;

/** A batch's journal ids start at its number times this. */
const IDS_PER_BATCH = 512n;
const DIRECTORY_LIMIT = 200_000;

interface AccountRow {
  id: bigint;
  code: string;
  posted_minor: bigint;
  held_minor: bigint;
  seq: bigint;
  version: bigint;
  is_frozen: boolean;
}
interface JournalRow {
  id: bigint;
  key: string;
  request_hash: string;
  rejection: WalletRejection | null;
}
interface HoldRow {
  key: string;
  id: bigint;
  account_id: bigint;
  transfer_id: string;
  amount_minor: bigint;
  state: HoldState;
}

const LOCK_ACCOUNTS = `
  select id, code, posted_minor, held_minor, seq, version, frozen_at is not null as is_frozen
  from accounts where id = any($1::bigint[]) order by id for no key update`;
const FIND_JOURNALS = 'select id, key, request_hash, rejection from journals where key = any($1::text[])';
// Not locked: resolving a hold requires the lock on its account, and the write checks that the hold is still open.
const FIND_HOLDS = `
  select journals.key, holds.id, account_id, holds.transfer_id, amount_minor, state
  from journals join holds on holds.id = journals.id where journals.key = any($1::text[])`;

/**
 * Begins the transaction, locks the accounts and reads what the operations need, in one round trip. The reads are
 * separate statements after the lock: a statement that waits for a lock continues with its snapshot from before the
 * wait. Throws when an account does not have the id that the directory gives.
 */
export async function loadState(
  client: pg.Client,
  operations: readonly Operation[],
  directory: AccountDirectory,
): Promise<{ state: LedgerState; firstJournalId: bigint }> {
  const known = [...new Set(operations.flatMap(accountCodes))].map((code) => knownAccount(directory, code));
  const ids = known.map((account) => account.id.toString());
  const keys = operations.map((operation) => operation.key);
  const holdKeys = operations.flatMap((operation) => ('holdKey' in operation ? [operation.holdKey] : []));
  const [, accounts, journals, holds, batch] = await inOneTrip([
    client.query('begin'),
    client.query<AccountRow>({ name: 'lock-accounts', text: LOCK_ACCOUNTS, values: [ids] }),
    client.query<JournalRow>({ name: 'find-journals', text: FIND_JOURNALS, values: [keys] }),
    client.query<HoldRow>({ name: 'find-holds', text: FIND_HOLDS, values: [holdKeys] }),
    client.query<{ nextval: bigint }>({ name: 'next-batch', text: "select nextval('ledger_batches')", values: [] }),
  ]);
  const rows = new Map(accounts.rows.map((row) => [row.id, row]));
  const state: LedgerState = { accounts: new Map(), journals: new Map(), holds: new Map() };
  for (const account of known) {
    const row = rows.get(account.id);
    if (row?.code !== account.code) {
      directory.clear();
      throw new Error(`account ${account.code} does not have the expected id`);
    }
    const { seq, version } = row;
    state.accounts.set(account.code, {
      ...account,
      postedMinor: row.posted_minor,
      heldMinor: row.held_minor,
      seq,
      version,
      isFrozen: row.is_frozen,
    });
  }
  for (const { id, key, request_hash: requestHash, rejection } of journals.rows) {
    state.journals.set(key, { id, requestHash, rejection });
  }
  for (const row of holds.rows) {
    const { key, id, state: holdState } = row;
    state.holds.set(key, {
      id,
      accountId: row.account_id,
      transferId: row.transfer_id,
      amountMinor: row.amount_minor,
      state: holdState,
    });
  }
  const [number] = batch.rows;
  if (!number) throw new Error('the batch got no number');
  return { state, firstJournalId: number.nextval * IDS_PER_BATCH };
}

const WRITE_BATCH = `
  with journal as (
    insert into journals (id, key, request_hash, kind, rejection, hold_id, transfer_id)
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::uuid[])
  ), entry as (
    insert into ledger_entries (account_id, account_seq, journal_id, currency, amount_minor, balance_after_minor)
    select * from unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::bigint[])
  ), placed as (
    insert into holds (id, account_id, transfer_id, amount_minor, state, expires_at, resolved_by)
    select * from unnest($14::bigint[], $15::bigint[], $16::uuid[], $17::bigint[], $18::text[], $19::timestamptz[],
      $20::bigint[])
  ), resolved as (
    update holds set state = change.state, resolved_by = change.journal_id
    from unnest($21::bigint[], $22::text[], $23::bigint[]) as change(id, state, journal_id)
    where holds.id = change.id and holds.state = 'open' returning 1
  ), account as (
    update accounts set posted_minor = change.posted, held_minor = change.held, seq = change.seq,
      version = accounts.version + 1, updated_at = now()
    from unnest($24::bigint[], $25::bigint[], $26::bigint[], $27::bigint[], $28::bigint[])
      as change(id, posted, held, seq, version)
    where accounts.id = change.id and accounts.version = change.version returning 1
  ), deposit as (
    insert into deposits (journal_id, transaction_id, user_id, admin_id, currency, amount_minor, description)
    select * from unnest($29::bigint[], $30::uuid[], $31::uuid[], $32::uuid[], $33::text[], $34::bigint[], $35::text[])
  ), pack as (
    insert into outbox (pack_id, messages, claimed_until)
    select $36::uuid, $37::text, ${CLAIMED_BY_WRITER_SQL} where $37 is not null
  )
  select
    must((select count(*) from account) = cardinality($24::bigint[]), 'an account has changed since it was read'),
    must((select count(*) from resolved) = cardinality($21::bigint[]), 'a hold is no longer open'),
    must(not exists (
      select 1 from unnest($10::bigint[], $11::text[], $12::bigint[]) as leg(journal_id, currency, amount)
      group by journal_id, currency having sum(amount) <> 0), 'a journal does not sum to zero')`;

/** Writes the batch and commits in one round trip. Throws when any part was refused; then nothing is written. */
export async function writeAndCommit(
  client: pg.Client,
  batch: readonly JournalWrites[],
  pack: OutboxPack | undefined,
): Promise<void> {
  const [, commit] = await inOneTrip([
    client.query({ name: 'write-batch', text: WRITE_BATCH, values: toParameters(batch, pack) }),
    client.query('commit'),
  ]);
  // A failed transaction answers its COMMIT without an error but with a different command tag.
  if (commit.command !== 'COMMIT') throw new Error(`the commit returned ${commit.command}`);
}

const OPEN_ACCOUNTS = `
  insert into accounts (code, user_id, currency, floor_minor)
  select code, user_id, currency, case when user_id is not null then 0 end
  from unnest($1::text[], $2::uuid[], $3::text[]) as account(code, user_id, currency)
  on conflict (code) do nothing`;
const FIND_ACCOUNTS = 'select id, code, user_id, currency, floor_minor from accounts where code = any($1::text[])';

/** Opens the accounts that the operations need and the directory lacks, in a separate transaction. */
export async function openAccounts(
  client: pg.Client,
  operations: readonly Operation[],
  directory: AccountDirectory,
): Promise<void> {
  if (directory.size > DIRECTORY_LIMIT) directory.clear();
  const unknown = [...new Set(operations.flatMap(accountCodes))].filter((code) => !directory.has(code)).sort();
  if (unknown.length === 0) return;
  const accounts = unknown.map((code) => parseCode(code));
  await client.query({
    name: 'open-accounts',
    text: OPEN_ACCOUNTS,
    values: [unknown, accounts.map(({ userId }) => userId), accounts.map(({ currency }) => currency)],
  });
  const { rows } = await client.query<{
    id: bigint;
    code: string;
    user_id: string | null;
    currency: string;
    floor_minor: bigint | null;
  }>({ name: 'find-accounts', text: FIND_ACCOUNTS, values: [unknown] });
  for (const { id, code, user_id: userId, currency, floor_minor: floorMinor } of rows) {
    directory.set(code, { id, code, userId, currency, floorMinor });
  }
}

function parseCode(code: string): { userId: string | null; currency: string } {
  const [purpose, ...rest] = code.split(':');
  const currency = rest.at(-1) ?? '';
  return { userId: purpose === 'wallet' ? (rest[0] ?? null) : null, currency };
}

function knownAccount(directory: AccountDirectory, code: string) {
  const account = directory.get(code);
  if (!account) throw new Error(`account ${code} is not open`);
  return account;
}
