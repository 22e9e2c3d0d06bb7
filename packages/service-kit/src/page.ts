/**
 * Cuts a page from rows that were read with one more than `limit`, which tells whether there are others. `nextCursor` is
 * the cursor of the page's last row; null at the end of the list.
 */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: last !== undefined && found.length > limit ? cursorOf(last) : null };
}
