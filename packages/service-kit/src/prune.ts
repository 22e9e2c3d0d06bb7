import type { Kysely, RawBuilder } from 'kysely';

/** Rows that one statement deletes: it stays far below the statement timeout, and holds few locks. */
const BATCH = 10_000;

/**
 * Repeats a DELETE of at most `limit` rows until it finds fewer, so that pruning keeps up with any load. Returns how
 * many rows were deleted.
 */
export async function pruneInBatches<Schema>(
  db: Kysely<Schema>,
  deletion: (limit: number) => RawBuilder<unknown>,
  limit = BATCH,
): Promise<number> {
  for (let pruned = 0; ; ) {
    const { numAffectedRows = 0n } = await deletion(limit).execute(db);
    pruned += Number(numAffectedRows);
    if (numAffectedRows < limit) return pruned;
  }
}
