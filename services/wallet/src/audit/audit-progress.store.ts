import type { Db } from '#db/schema.ts';

/** How far the ledger's history has been checked; positions are ids of journals. */
export interface AuditProgress {
  /** The audits have checked every journal up to this one, each after it was settled. */
  checkedTo: bigint;
  /** The position of the current walk; `AFTER_ALL` when it has ended. */
  walkedTo: bigint;
  walkBeganAt: Date | null;
}

export const BEFORE_ALL = -(2n ** 63n);
export const AFTER_ALL = 2n ** 63n - 1n;
export const NOTHING_CHECKED: AuditProgress = { checkedTo: BEFORE_ALL, walkedTo: BEFORE_ALL, walkBeganAt: null };

/** Undefined if no audit has stored any. */
export async function loadProgress(db: Db): Promise<AuditProgress | undefined> {
  const row = await db.selectFrom('audit_progress').selectAll().executeTakeFirst();
  return row && { checkedTo: row.checked_to, walkedTo: row.walked_to, walkBeganAt: row.walk_began_at };
}

export async function saveProgress(db: Db, { checkedTo, walkedTo, walkBeganAt }: AuditProgress): Promise<void> {
  const values = { checked_to: checkedTo, walked_to: walkedTo, walk_began_at: walkBeganAt };
  await db
    .insertInto('audit_progress')
    .values({ only_row: true, ...values })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(values))
    .execute();
}
