import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { Logger } from '@vuka/service-kit/logger';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db, WalletSchema } from '#db/schema.ts';
import { type Finding, type Invariant, type JournalRange, OF_BALANCES, OF_HISTORY, OF_MESSAGES } from './invariants.ts';

export interface AuditDeps {
  /** A separate pool, created with `AUDIT_POOL`. */
  db: Db;
  logger: Logger;
  fullEveryMs: number;
  /** Journals read per statement. */
  journalsAtOnce?: number;
}

export interface LedgerAuditor {
  /** Checks every invariant; concurrent calls share one run. */
  audit(): Promise<LedgerAudit>;
}

/** Forces index scans for ranges, also in statements that were planned when the tables were empty. */
export const AUDIT_POOL = { poolSize: 1, statementTimeoutMs: 60_000, indexScansOnly: true } as const;

/** Journals from transactions still open during an audit are checked again by the next one. */
const SETTLED_AFTER_SECONDS = 30;
const JOURNALS_AT_ONCE = 10_000;
const [BEFORE_ALL, AFTER_ALL] = [-(2n ** 63n), 2n ** 63n - 1n];

interface Checked extends Finding {
  invariant: Invariant;
}

/**
 * Audits the ledger without changing rows or waiting for locks. A full pass reads all history, at the start and every
 * `fullEveryMs`; audits in between read what was added since. The position advances only when the money is right, so a
 * violation is reported until it is gone.
 *
 * History is read in ranges, each in its own statement: a snapshot held open meanwhile would keep every old version of
 * the busiest accounts, and the writer would have to scan them. Only the end uses one snapshot, for the balances and
 * the newest journals.
 */
export function createLedgerAuditor(deps: AuditDeps): LedgerAuditor {
  let running: Promise<LedgerAudit> | undefined;
  let position = BEFORE_ALL;
  let fullAtMs = 0;

  async function run(): Promise<LedgerAudit> {
    const startedMs = Date.now();
    const isFull = position === BEFORE_ALL || startedMs - fullAtMs >= deps.fullEveryMs;
    const history = await checkHistory(deps, isFull ? BEFORE_ALL : position);
    const { findings, settled } = await checkSnapshot(deps.db, history.upTo);
    const all = inOrder([...history.findings, ...findings]);
    await freezeAccounts(deps, all);
    const audit = await record(deps.db, all, new Date(startedMs));
    const isClean = violationsOfMoney(audit) === 0;
    if (isClean && isFull) fullAtMs = startedMs;
    position = isClean ? settled : BEFORE_ALL;
    return audit;
  }

  return {
    audit() {
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

/** The number of violations that concern money; unpublished messages are not counted. */
export function violationsOfMoney({ invariants }: LedgerAudit): number {
  return invariants.reduce((sum, { id, violations }) => (id === OF_MESSAGES.id ? sum : sum + violations), 0);
}

/** Checks history while there is a full range to which nothing can be added any more. */
async function checkHistory(deps: AuditDeps, from: bigint): Promise<{ findings: Checked[]; upTo: bigint }> {
  const findings: Checked[] = [];
  for (let after = from; ; ) {
    const upTo = await findEndOfRange(deps, after);
    if (upTo === undefined) return { findings, upTo: after };
    findings.push(...(await checkRange(deps.db, { after, upTo })));
    after = upTo;
  }
}

async function findEndOfRange(deps: AuditDeps, after: bigint): Promise<bigint | undefined> {
  const { db, journalsAtOnce = JOURNALS_AT_ONCE } = deps;
  const { rows } = await sql<{ id: bigint }>`
    select id from journals
    where id > ${after} and created_at < now() - make_interval(secs => ${SETTLED_AFTER_SECONDS})
    order by id offset ${journalsAtOnce - 1} limit 1`.execute(db);
  return rows[0]?.id;
}

async function checkRange(db: Db, range: JournalRange): Promise<Checked[]> {
  const findings: Checked[] = [];
  for (const invariant of OF_HISTORY) findings.push(await check(db, invariant, invariant.query(range)));
  return findings;
}

function checkSnapshot(db: Db, after: bigint): Promise<{ findings: Checked[]; settled: bigint }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const findings = await checkRange(trx, { after, upTo: AFTER_ALL });
      for (const invariant of [...OF_BALANCES, OF_MESSAGES]) {
        findings.push(await check(trx, invariant, invariant.query));
      }
      return { findings, settled: await findSettledPosition(trx, after) };
    });
}

async function check(db: Db, invariant: Invariant, query: RawBuilder<Finding>): Promise<Checked> {
  const { rows } = await query.execute(db);
  const [finding] = rows;
  if (!finding) throw new Error(`${invariant.id} returned no finding`);
  return { invariant, ...finding };
}

/** Sums the findings of all ranges per invariant, in order. */
function inOrder(findings: readonly Checked[]): Checked[] {
  const sums = new Map<string, Checked>();
  for (const finding of findings) {
    const { invariant, checked, violations, accounts } = finding;
    const sum = sums.get(invariant.id) ?? { invariant, checked: 0n, violations: 0n, accounts: [] };
    sums.set(invariant.id, {
      invariant,
      checked: sum.checked + checked,
      violations: sum.violations + violations,
      accounts: [...sum.accounts, ...accounts],
    });
  }
  const numberOf = ({ invariant }: Checked) => Number(invariant.id.slice(1));
  return [...sums.values()].sort((a, b) => numberOf(a) - numberOf(b));
}

async function findSettledPosition(trx: Transaction<WalletSchema>, after: bigint): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from journals
    where id > ${after} and created_at < now() - make_interval(secs => ${SETTLED_AFTER_SECONDS})
    order by id desc limit 1`.execute(trx);
  return rows[0]?.id ?? after;
}

async function freezeAccounts({ db, logger }: AuditDeps, findings: Checked[]): Promise<void> {
  for (const { invariant, violations, accounts } of findings) {
    if (violations === 0n || invariant === OF_MESSAGES) continue;
    const { id, statement } = invariant;
    // Freezing a system account would stop every user, so for those only the error is logged.
    const frozen = await sql<{ code: string }>`
      update accounts set frozen_at = now()
      where id = any(${accounts}::bigint[]) and user_id is not null and frozen_at is null
      returning code`.execute(db);
    logger.error(
      {
        invariant: id,
        statement,
        violations: violations.toString(),
        accountIds: accounts.slice(0, 20),
        frozen: frozen.rows.slice(0, 20).map(({ code }) => code),
      },
      'the ledger breaks an invariant',
    );
  }
}

async function record(db: Db, findings: Checked[], checkedAt: Date): Promise<LedgerAudit> {
  const held = findings.filter(({ violations }) => violations === 0n).map(({ invariant }) => invariant.id);
  await sql`
    insert into audit_state (id, last_held_at) select id, ${checkedAt} from unnest(${held}::text[]) as held(id)
    on conflict (id) do update set last_held_at = excluded.last_held_at`.execute(db);
  const rows = await db.selectFrom('audit_state').select(['id', 'last_held_at']).execute();
  const lastHeldAt = new Map(rows.map((row) => [row.id, row.last_held_at]));
  return {
    holds: held.length === findings.length,
    checkedAt: checkedAt.toISOString(),
    invariants: findings.map(({ invariant, checked, violations }) => ({
      id: invariant.id,
      statement: invariant.statement,
      checked: Number(checked),
      violations: Number(violations),
      lastHeldAt: lastHeldAt.get(invariant.id)?.toISOString() ?? null,
    })),
  };
}
