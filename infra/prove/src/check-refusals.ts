import pg from 'pg';
import type { Books } from './check-books.ts';
import type { Order } from './history.ts';

/** A change of a wallet's available balance, or a hold that the ledger refused for lack of money; minor units. */
export interface Step {
  /** Journals of an account are numbered in the order in which they were decided. */
  journal: bigint;
  account: string;
  /** Undefined for a refused hold. */
  change: bigint | undefined;
  transferId: string;
}

/** A transfer or withdrawal that requested a hold. */
export interface Asked {
  id: string;
  clientTransactionId: string;
  /** The wallet that pays, and the amount to hold including the fee; minor units. */
  account: string;
  total: bigint;
}

/** Entries, holds, and the ends of holds. */
const STEPS = `
  select journal_id::text as journal, code as account, amount_minor::text as change, '' as transfer_id
    from ledger_entries join accounts on accounts.id = account_id where user_id is not null
  union all
  select holds.id::text, code, (-amount_minor)::text, transfer_id::text from holds join accounts on accounts.id = account_id
  union all
  select resolved_by::text, code, amount_minor::text, transfer_id::text
    from holds join accounts on accounts.id = account_id where resolved_by is not null
  union all
  select id::text, null, null, transfer_id::text from journals where kind = 'hold' and rejection = 'insufficient_funds'`;

const ASKED = `
  select id, client_transaction_id as "clientTransactionId", 'wallet:' || user_id || ':' || source_currency as account,
    (source_amount + fee)::text as total
  from transactions where transaction_type in ('transfer', 'withdrawal')`;

/**
 * Every refusal for lack of money was right: by the ledger's tables, the wallet's available balance was below the
 * amount plus fee when the hold was refused. Returns a line per contradiction.
 */
export async function checkRefusals(books: Books, orders: readonly Order[]): Promise<string[]> {
  const transfers = new pg.Client({ connectionString: books.transfersDatabaseUrl });
  const ledger = new pg.Client({ connectionString: books.walletDatabaseUrl });
  await Promise.all([transfers.connect(), ledger.connect()]);
  try {
    const { rows: asked } = await transfers.query<Omit<Asked, 'total'> & { total: string }>(ASKED);
    const { rows: steps } = await ledger.query<Record<'journal' | 'account' | 'change' | 'transfer_id', string>>(STEPS);
    return refusedThoughFunded(
      orders,
      asked.map((row) => ({ ...row, total: BigInt(row.total) })),
      steps.map(({ journal, account, change, transfer_id: transferId }) => ({
        journal: BigInt(journal),
        account,
        change: change === null ? undefined : BigInt(change),
        transferId,
      })),
    );
  } finally {
    await Promise.all([transfers.end(), ledger.end()]);
  }
}

export function refusedThoughFunded(
  orders: readonly Pick<Order, 'clientTransactionId' | 'refused'>[],
  asked: readonly Asked[],
  steps: readonly Step[],
): string[] {
  const byId = new Map(asked.map((each) => [each.id, each]));
  const spendable = new Map<string, bigint>();
  const refused = new Set<string>();
  const wrong: string[] = [];
  for (const { account, change, transferId } of inOrder(steps)) {
    if (change !== undefined) {
      spendable.set(account, (spendable.get(account) ?? 0n) + change);
      continue;
    }
    const of = byId.get(transferId);
    if (!of) continue;
    refused.add(of.clientTransactionId);
    const had = spendable.get(of.account) ?? 0n;
    if (had >= of.total) wrong.push(`${of.id}: refused for lack of ${of.total}, when the wallet could spend ${had}`);
  }
  for (const { clientTransactionId: key, refused: codes } of orders) {
    if (codes.length > 0 && !refused.has(key))
      wrong.push(`${key}: ${codes[0]}, but the ledger did not refuse its hold`);
  }
  return wrong;
}

/** By journal. The order within a journal does not matter: its changes take effect together, and a refusal has none. */
const inOrder = (steps: readonly Step[]): Step[] =>
  steps.toSorted((a, b) => (a.journal < b.journal ? -1 : Number(a.journal > b.journal)));
