import type { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { Logger } from '@vuka/service-kit/logger';
import { sql, type Transaction } from 'kysely';
import type { Db, WalletSchema } from '#db/schema.ts';
import { type Finding, INVARIANTS, type Invariant } from './invariants.ts';

export interface AuditDeps {
  /** A pool of its own, with a statement timeout that a full pass fits in. */
  db: Db;
  logger: Logger;
  fullEveryMs: number;
}

export interface LedgerAuditor {
  /** Checks every invariant; calls at the same time share one run. */
  audit(): Promise<LedgerAudit>;
}

/** Journals of transactions that were open when an audit read the ledger are looked at again by the next. */
const SETTLED_AFTER_SECONDS = 30;

interface Checked extends Finding {
  invariant: Invariant;
}

/**
 * Audits from a snapshot that changes nothing and waits for nobody. A full pass reads all history, at the start and
 * every `fullEveryMs`; between full passes an audit follows what was added since. Only a clean audit moves on, so that
 * a violation is reported until it is gone.
 */
export function createLedgerAuditor(deps: AuditDeps): LedgerAuditor {
  let running: Promise<LedgerAudit> | undefined;
  let position = 0n;
  let fullAtMs = 0;

  async function run(): Promise<LedgerAudit> {
    const startedMs = Date.now();
    const isFull = position === 0n || startedMs - fullAtMs >= deps.fullEveryMs;
    const { findings, settled } = await checkSnapshot(deps.db, isFull ? 0n : position);
    const holds = findings.every(({ violations }) => violations === 0n);
    if (holds && isFull) fullAtMs = startedMs;
    position = holds ? settled : 0n;
    await freezeAccounts(deps, findings);
    return record(deps.db, findings, new Date(startedMs));
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

function checkSnapshot(db: Db, position: bigint): Promise<{ findings: Checked[]; settled: bigint }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const findings: Checked[] = [];
      for (const invariant of INVARIANTS) {
        const { rows } = await invariant.query(position).execute(trx);
        const [finding] = rows;
        if (!finding) throw new Error(`${invariant.id} gave no finding`);
        findings.push({ invariant, ...finding });
      }
      return { findings, settled: await findSettledPosition(trx, position) };
    });
}

async function findSettledPosition(trx: Transaction<WalletSchema>, position: bigint): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from journals where created_at < now() - make_interval(secs => ${SETTLED_AFTER_SECONDS})
    order by id desc limit 1`.execute(trx);
  return rows[0]?.id ?? position;
}

async function freezeAccounts({ db, logger }: AuditDeps, findings: Checked[]): Promise<void> {
  for (const { invariant, violations, accounts } of findings) {
    if (violations === 0n) continue;
    const { id, statement } = invariant;
    // Frozen accounts of the system would stop everybody; for them there is the error alone.
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
