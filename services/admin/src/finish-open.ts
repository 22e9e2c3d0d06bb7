/** How long an open row is left to the request that wrote it, which may still be moving its money. */
export const LEFT_TO_REQUEST_MS = 10_000;

/** Smaller than the id of any row. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const PAGE_SIZE = 50;

/**
 * Finishes all open rows in the order of their ids, read page by page: rows that cannot be finished hold back none of
 * the others. `readPage` returns at most `limit` open rows after an id. Throws the first failure, after trying all.
 */
export async function finishOpen<Row extends { id: string }>(
  readPage: (after: string, limit: number) => Promise<Row[]>,
  finish: (row: Row) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let after = BEFORE_ALL;
  let page: Row[];
  do {
    page = await readPage(after, PAGE_SIZE);
    for (const row of page) {
      await finish(row).catch((error: unknown) => failures.push(error));
      after = row.id;
    }
  } while (page.length === PAGE_SIZE);
  if (failures.length > 0) throw failures[0];
}
