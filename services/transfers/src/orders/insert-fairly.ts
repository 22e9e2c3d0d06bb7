import type { Insertion } from '#limits/limits.domain.ts';
import type { NewTransfer } from '#saga/transfer.store.ts';

type Insert = (transfers: NewTransfer[]) => Promise<readonly (Insertion | Error)[]>;

/**
 * Inserts a batch. The insert adds to each transfer the earlier transfers of the same user in the batch, including
 * refused ones. A transfer that was refused because of others in its batch is therefore inserted again alone.
 */
export async function insertFairly(transfers: NewTransfer[], insert: Insert): Promise<(Insertion | Error)[]> {
  const insertions = [...(await insert(transfers))];
  for (const [index, transfer] of transfers.entries()) {
    const insertion = insertions[index];
    if (insertion !== 'over_day' && insertion !== 'over_month') continue;
    const hasCompany = transfers.some((other) => other !== transfer && other.row.user_id === transfer.row.user_id);
    if (hasCompany) insertions[index] = (await insert([transfer]))[0] ?? insertion;
  }
  return insertions;
}
