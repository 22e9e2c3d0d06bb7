import { formatMoney } from '@vuka/money';
import type pg from 'pg';
import { withDatabase } from '#with-database.ts';

/** An acknowledged fact that the restored books do not have, or have in an earlier state. */
export interface LaterFact {
  kind: string;
  id: string;
  at: Date;
  /** Minor units; null if it involves no money. */
  amountMinor: bigint | null;
  currency: string;
  /** The state in the old books. */
  statusThen: string;
  /** The state in the restored books; empty if missing there. */
  statusNow: string;
  /** The transfer that it belongs to; empty if none. */
  transaction: string;
  /** The person concerned, and details that help to find it elsewhere. */
  detail: string;
  /** For a deposit, its entry in the administrators' register; otherwise empty. */
  entry: string;
  /** What to do about it; empty if that depends on its kind only, for which the runbook has a table. */
  action: string;
}

interface Source {
  database: string;
  table: string;
  /** kind, id, at, amount, currency, status, transaction, detail, and for deposits entry. */
  columns: string;
  where?: string;
  /** When a row was last changed: one from long before the moment may have been decided on after it. */
  changed: string;
  /** The status, if a later state is worth reporting. */
  status?: string;
}

/** Of the withdrawals that failed, those that an administrator refused: they wait for a decision again. */
const TRANSACTION_STATUS = `case when transaction_type = 'withdrawal' and error_code = 'refused' then 'refused' else status end`;
/** Only of deposits, whose ids the register makes: a merchant chooses those of orders, and could name any entry, or none. */
const ENTRY = `case when transaction_type = 'deposit'
  then substring(client_transaction_id from '^deposit:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') end`;
/** Of the tables on which administrators decide. */
const DECIDED = 'coalesce(decided_at, created_at)';
const SOURCES: readonly Source[] = [
  {
    database: 'transfers',
    table: 'transactions',
    columns: `transaction_type as kind, id, created_at as at, source_amount as amount, source_currency as currency,
      ${TRANSACTION_STATUS} as status, id as transaction,
      concat_ws(' ', 'user', user_id, 'to ' || nullif(recipient_phone, '')) as detail,
      ${ENTRY} as entry`,
    changed: 'updated_at',
    status: TRANSACTION_STATUS,
  },
  {
    database: 'transfers',
    table: 'money_transfers',
    columns: `'payout' as kind, id, created_at as at, amount, currency, state as status,
      transaction_id as transaction, 'to ' || destination_account as detail`,
    changed: 'created_at',
  },
  {
    database: 'admin',
    table: 'admin_deposits',
    columns: `kind || ' request' as kind, id, created_at as at, (amount * 100)::bigint as amount, currency,
      approval as status, '' as transaction, concat_ws(' ', 'user', beneficiary_user_id, reference) as detail`,
    // Books of an earlier release have no column ended_at.
    where: `transaction_id is null and to_jsonb(admin_deposits) ->> 'ended_at' is null`,
    changed: DECIDED,
    status: 'approval',
  },
  {
    database: 'admin',
    table: 'adjustments',
    columns: `'adjustment' as kind, id, created_at as at, (amount * 100)::bigint as amount, currency, status,
      '' as transaction, concat_ws(' ', kind, 'from', from_account, 'to', to_account, reference) as detail`,
    changed: DECIDED,
    status: 'status',
  },
  {
    database: 'identity',
    table: 'users',
    columns: `'registration' as kind, id, created_at as at, null::bigint as amount, '' as currency,
      case when is_active then 'active' else 'inactive' end as status, '' as transaction,
      email as detail`,
    changed: 'created_at',
  },
];
const PAGE = 5_000;
/** Longer than any commit takes after the time in its row. */
const MARGIN_MS = 3_600_000;

interface Row {
  kind: string;
  id: string;
  at: Date;
  amount: string | null;
  currency: string;
  status: string;
  transaction: string;
  detail: string;
  entry?: string | null;
}

/**
 * The facts since about a moment that the old books have and the restored ones do not, or have in another state. Both
 * are servers' addresses as the superuser; neither is changed.
 */
export async function findLaterFacts(
  servers: { before: string; restored: string; databasePrefix: string },
  since: Date,
): Promise<LaterFact[]> {
  const facts: LaterFact[] = [];
  for (const source of SOURCES) {
    const name = `${servers.databasePrefix}_${source.database}`;
    await withDatabase(servers.before, name, (before) =>
      withDatabase(servers.restored, name, async (restored) => {
        if (!(await hasTable(before, source.table))) return;
        const isRestored = await hasTable(restored, source.table);
        for await (const rows of readPages(before, source, new Date(since.getTime() - MARGIN_MS))) {
          const now = isRestored ? await readStatuses(restored, source, rows) : new Map<string, string>();
          facts.push(...laterOf(rows, now, source));
        }
      }),
    );
  }
  return facts.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Reads a table once, in the order of its ids: no index has the times, and a restore reads the books whole anyway. */
async function* readPages(client: pg.Client, { table, columns, changed, where = 'true' }: Source, since: Date) {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query<Row>(
      `select ${columns} from ${table} where ${changed} >= $1 and id > $2 and ${where} order by id limit ${PAGE}`,
      [since, last],
    );
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = end.id;
  }
}

/** Books of an earlier release lack tables of later ones. */
async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as "isThere"', [table]);
  return rows[0]?.isThere === true;
}

/** The statuses of the rows that the restored books have, by id. */
async function readStatuses(restored: pg.Client, { table, status }: Source, rows: Row[]): Promise<Map<string, string>> {
  const { rows: found } = await restored.query<{ id: string; status: string }>(
    `select id, ${status ?? "''"} as status from ${table} where id = any($1::uuid[])`,
    [rows.map(({ id }) => id)],
  );
  return new Map(found.map((row) => [row.id, row.status]));
}

function laterOf(rows: readonly Row[], now: ReadonlyMap<string, string>, { status }: Source): LaterFact[] {
  return rows
    .filter((row) => !now.has(row.id) || (status !== undefined && now.get(row.id) !== row.status))
    .map((row) => ({
      kind: row.kind,
      id: row.id,
      at: row.at,
      amountMinor: row.amount === null ? null : BigInt(row.amount),
      currency: row.currency,
      statusThen: row.status,
      statusNow: now.get(row.id) ?? '',
      transaction: row.transaction,
      detail: row.detail,
      entry: row.entry ?? '',
      action: '',
    }));
}

const HEADER = 'kind,id,time,amount,currency,status before,status now,transaction,detail,action';

/** Escapes cells that a spreadsheet would treat as formulas. */
export function toCsv(facts: readonly LaterFact[]): string {
  const lines = facts.map((fact) =>
    [
      fact.kind,
      fact.id,
      fact.at.toISOString(),
      fact.amountMinor === null ? '' : formatMoney(fact.amountMinor),
      fact.currency,
      fact.statusThen,
      fact.statusNow || 'missing',
      fact.transaction,
      fact.detail,
      fact.action,
    ]
      .map(toCell)
      .join(','),
  );
  return `${[HEADER, ...lines].join('\r\n')}\r\n`;
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line per kind: the number of missing facts, of facts in an earlier state, and the money involved. */
export function summarise(facts: readonly LaterFact[]): string[] {
  return [...Map.groupBy(facts, ({ kind }) => kind)].map(([kind, of]) => {
    const missing = of.filter(({ statusNow }) => !statusNow);
    const sums = new Map<string, bigint>();
    for (const { currency, amountMinor } of missing) {
      if (amountMinor !== null) sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
    }
    const money = [...sums].map(([currency, sum]) => `${currency} ${formatMoney(sum)}`).join(', ');
    const changed = of.length - missing.length;
    return `  ${kind}: ${missing.length} missing${money ? ` (${money})` : ''}${changed ? `, ${changed} back in an earlier state` : ''}`;
  });
}
