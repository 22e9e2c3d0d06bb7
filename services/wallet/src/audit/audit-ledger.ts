import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { Logger } from '@vuka/service-kit/logger';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db, WalletSchema } from '#db/schema.ts';
import {
  AFTER_ALL,
  type AuditProgress,
  BEFORE_ALL,
  loadProgress,
  NOTHING_CHECKED,
  saveProgress,
} from './audit-progress.store.ts';
import { type Finding, type Invariant, type JournalRange, OF_BALANCES, OF_HISTORY, OF_MESSAGES } from './invariants.ts';

export interface AuditDeps {
  /** A separate pool, created with `AUDIT_POOL`. */
  db: Db;
  logger: Logger;
  /** How often all history is read again, ms; 0: by each audit. */
  fullEveryMs: number;
  /** Journals read per statement. */
  journalsAtOnce?: number;
}

export interface LedgerAuditor {
  /**
   * Checks the balances and the history since the last audit; concurrent calls share one run. `isPaced`: nobody waits
   * for the result, so the audit leaves most of a core to transfers.
   */
  audit(options?: { isPaced?: boolean }): Promise<LedgerAudit>;
  /**
   * Reads older history again, in paced steps for less than a minute, from where the last call ended. Call it
   * repeatedly.
   */
  walk(): Promise<void>;
}

/** Forces index scans for ranges, also in statements that were planned when the tables were empty. */
export const AUDIT_POOL = { poolSize: 1, statementTimeoutMs: 60_000, indexScansOnly: true } as const;

/** Journals from transactions still open during an audit are checked again by the next one. */
const SETTLED_AFTER_SECONDS = 30;
/** About 60 ms of work. */
const JOURNALS_AT_ONCE = 2_000;
/** The pause between two ranges: reading a minute of full load in one go takes a core from transfers for seconds. */
const PAUSE_MS = 200;
/** With its pauses, a walk takes about a tenth of a core, since it is called once a minute. */
const WALK_MS = 25_000;

interface Checked extends Finding {
  invariant: Invariant;
}

/**
 * Audits the ledger without changing its rows or waiting for locks. Each audit reads the history that was added since
 * the last one. Its position is stored, and advances only when the money is right, so a violation is reported until it
 * is gone. Older history, which can only change by force, is read again in small steps (`walk`) every `fullEveryMs`, so
 * that neither a start nor an audit takes longer as the books grow. A step that finds a violation is repeated, and
 * every audit reports the violation.
 *
 * History is read in ranges, each in its own statement: one long snapshot would keep every old version of the busiest
 * accounts, and the writer would have to scan them. Only the end uses one snapshot, for the balances and the newest
 * journals.
 */
export function createLedgerAuditor(deps: AuditDeps): LedgerAuditor {
  let running: Promise<LedgerAudit> | undefined;
  let isPaced = false;
  let progress: AuditProgress | undefined;
  let foundByWalk: Checked[] = [];

  async function run(): Promise<LedgerAudit> {
    const startedAt = new Date();
    const { checkedTo, ...walked } = deps.fullEveryMs === 0 ? NOTHING_CHECKED : await known();
    const history = await checkHistory(deps, checkedTo, async () => {
      if (isPaced) await delay(PAUSE_MS);
    });
    const { findings, settled } = await checkSnapshot(deps.db, history.upTo);
    const all = inOrder([...history.findings, ...findings, ...foundByWalk]);
    await freezeAccounts(deps, all);
    const audit = await record(deps.db, all, startedAt);
    const isRight = [...history.findings, ...findings].every(
      ({ invariant, violations }) => violations === 0n || invariant === OF_MESSAGES,
    );
    if (isRight && deps.fullEveryMs > 0) await remember({ ...walked, checkedTo: settled });
    return audit;
  }

  async function known(): Promise<AuditProgress> {
    progress ??= (await loadProgress(deps.db)) ?? (await findStart(deps));
    return progress;
  }

  async function remember(next: AuditProgress): Promise<void> {
    await saveProgress(deps.db, next);
    progress = next;
  }

  /** The walk to go on with; undefined if the last one has ended, and the next one is not due. */
  async function walkNow(): Promise<AuditProgress | undefined> {
    const now = await known();
    if (now.walkBeganAt !== null && now.walkedTo < now.checkedTo) return now;
    const isDue = now.walkBeganAt === null || Date.now() - now.walkBeganAt.getTime() >= deps.fullEveryMs;
    return isDue ? { ...now, walkedTo: BEFORE_ALL, walkBeganAt: new Date() } : undefined;
  }

  async function walk(): Promise<void> {
    if (deps.fullEveryMs === 0) return;
    let now = await walkNow();
    const endsAtMs = performance.now() + WALK_MS;
    while (now && now.walkedTo < AFTER_ALL && performance.now() < endsAtMs) {
      const range = { after: now.walkedTo, upTo: await findEndOfStep(deps, now) };
      foundByWalk = (await checkRange(deps.db, range)).filter(({ violations }) => violations > 0n);
      if (foundByWalk.length > 0) return;
      const { checkedTo } = await known();
      // The walk ends at the position of the audits. What they check later belongs to the next walk.
      now = { ...now, checkedTo, walkedTo: range.upTo < checkedTo ? range.upTo : AFTER_ALL };
      await remember(now);
      await delay(PAUSE_MS);
    }
  }

  return {
    audit({ isPaced: asked = false } = {}) {
      isPaced = asked && (running === undefined || isPaced);
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    walk,
  };
}

/** The number of violations that concern money; unpublished messages are not counted. */
export function violationsOfMoney({ invariants }: LedgerAudit): number {
  return invariants.reduce((sum, { id, violations }) => (id === OF_MESSAGES.id ? sum : sum + violations), 0);
}

/** Checks history while there is a full range to which nothing can be added any more. */
async function checkHistory(
  deps: AuditDeps,
  from: bigint,
  pause: () => Promise<void>,
): Promise<{ findings: Checked[]; upTo: bigint }> {
  const findings: Checked[] = [];
  for (let after = from; ; ) {
    const upTo = await findEndOfRange(deps, after);
    if (upTo === undefined) return { findings, upTo: after };
    findings.push(...(await checkRange(deps.db, { after, upTo })));
    after = upTo;
    await pause();
  }
}

/** The end of the next range of a walk, at most the position of the audits. */
async function findEndOfStep(deps: AuditDeps, { walkedTo, checkedTo }: AuditProgress): Promise<bigint> {
  const end = await findEndOfRange(deps, walkedTo);
  return end === undefined || end > checkedTo ? checkedTo : end;
}

/**
 * Where audits begin on books without a stored position. If there are few journals, the first audit reads them all. If
 * there are many, as after an upgrade, it leaves the settled ones to the walk.
 */
async function findStart(deps: AuditDeps): Promise<AuditProgress> {
  const isLarge = (await findEndOfRange(deps, BEFORE_ALL)) !== undefined;
  if (isLarge) return { ...NOTHING_CHECKED, checkedTo: await findSettledPosition(deps.db, BEFORE_ALL) };
  return { checkedTo: BEFORE_ALL, walkedTo: AFTER_ALL, walkBeganAt: new Date() };
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

async function findSettledPosition(trx: Kysely<WalletSchema>, after: bigint): Promise<bigint> {
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
