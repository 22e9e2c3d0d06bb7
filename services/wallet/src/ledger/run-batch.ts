import type { WalletResult } from '@vuka/contracts/internal/wallet';
import type { OutboxPack } from '@vuka/service-kit/outbox';
import type pg from 'pg';
import { decide, evolve, type JournalWrites, type Operation } from './ledger.domain.ts';
import { type AccountDirectory, loadState, openAccounts, writeAndCommit } from './ledger.store.ts';
import { balancesChanged } from './ledger-batch.ts';

/**
 * Runs the operations in order in one transaction. Returns, once the commit is confirmed, a result for each, the number
 * of journals written and the messages to publish. Throws when nothing was written, or when the connection was lost and
 * the outcome is unknown.
 */
export async function runBatch(
  client: pg.Client,
  operations: readonly Operation[],
  deps: { directory: AccountDirectory; now: () => Date },
): Promise<{ results: WalletResult[]; written: number; pack: OutboxPack | undefined }> {
  await openAccounts(client, operations, deps.directory);
  const { state, firstJournalId } = await loadState(client, operations, deps.directory);
  const results: WalletResult[] = [];
  const batch: JournalWrites[] = [];
  for (const [index, operation] of operations.entries()) {
    const { result, writes } = decide(state, operation, firstJournalId + BigInt(index));
    results.push(result);
    if (!writes) continue;
    evolve(state, writes);
    batch.push(writes);
  }
  const pack = balancesChanged(batch, deps.now());
  if (batch.length > 0) await writeAndCommit(client, batch, pack);
  else await client.query('rollback');
  return { results, written: batch.length, pack };
}
