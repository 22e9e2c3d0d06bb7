import { BALANCES_CHANGED, type BalancesChanged } from '@vuka/contracts/messages/wallet';
import { EVENTS } from '@vuka/contracts/topology';
import { formatMoney } from '@vuka/money';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { type OutboxPack, writeMessages } from '@vuka/service-kit/outbox';
import type { Account, Hold, JournalWrites } from './ledger.domain.ts';

type Column = (string | null)[];

/**
 * The parameters of the statement that writes a batch: one array per column, so that every batch size uses the same
 * plan.
 */
export function toParameters(
  batch: readonly JournalWrites[],
  pack: OutboxPack | undefined,
): (Column | string | null)[] {
  const { inserted, updated } = holdRows(batch);
  const entries = batch.flatMap((writes) =>
    writes.entries.map((entry) => ({ ...entry, journalId: writes.journal.id })),
  );
  const accounts = changedAccounts(batch);
  const deposits = batch.flatMap(({ journal }) =>
    journal.operation.kind === 'deposit' && journal.rejection === null
      ? [{ id: journal.id, ...journal.operation }]
      : [],
  );
  const journals = batch.map(({ journal }) => journal);
  return [
    column(journals, (journal) => journal.id),
    column(journals, (journal) => journal.key),
    column(journals, (journal) => journal.requestHash),
    column(journals, (journal) => journal.operation.kind),
    column(journals, (journal) => journal.rejection),
    column(batch, ({ placed, resolved }) => (placed ?? resolved?.hold)?.id ?? null),
    column(journals, (journal) => journal.operation.transferId),
    column(entries, (entry) => entry.accountId),
    column(entries, (entry) => entry.accountSeq),
    column(entries, (entry) => entry.journalId),
    column(entries, (entry) => entry.currency),
    column(entries, (entry) => entry.amountMinor),
    column(entries, (entry) => entry.balanceAfterMinor),
    column(inserted, (row) => row.hold.id),
    column(inserted, (row) => row.hold.accountId),
    column(inserted, (row) => row.hold.transferId),
    column(inserted, (row) => row.hold.amountMinor),
    column(inserted, (row) => row.hold.state),
    column(inserted, (row) => row.expiresAt),
    column(inserted, (row) => row.resolvedBy),
    column(updated, (row) => row.hold.id),
    column(updated, (row) => row.hold.state),
    column(updated, (row) => row.resolvedBy),
    column(accounts, (account) => account.id),
    column(accounts, (account) => account.postedMinor),
    column(accounts, (account) => account.heldMinor),
    column(accounts, (account) => account.seq),
    column(accounts, (account) => account.version),
    column(deposits, (deposit) => deposit.id),
    column(deposits, (deposit) => deposit.transferId),
    column(deposits, (deposit) => deposit.userId),
    column(deposits, (deposit) => deposit.adminId),
    column(deposits, (deposit) => currencyOf(deposit.funding)),
    column(deposits, (deposit) => deposit.amountMinor),
    column(deposits, (deposit) => deposit.description),
    pack?.id ?? null,
    pack ? writeMessages(pack.messages) : null,
  ];
}

/** The currency of an account of the operator, such as `funding:KES`. */
const currencyOf = (code: string): string => code.slice(code.lastIndexOf(':') + 1);

function column<Row>(rows: readonly Row[], read: (row: Row) => string | bigint | null): Column {
  return rows.map((row) => {
    const value = read(row);
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

interface HoldRow {
  hold: Hold;
  expiresAt: string | null;
  resolvedBy: bigint | null;
}

/**
 * A hold placed and resolved in the same batch is inserted as resolved, since a statement does not see its own inserts.
 */
function holdRows(batch: readonly JournalWrites[]): { inserted: HoldRow[]; updated: HoldRow[] } {
  const inserted = new Map<bigint, HoldRow>();
  const updated: HoldRow[] = [];
  for (const { journal, placed, resolved } of batch) {
    const { operation } = journal;
    if (placed && operation.kind === 'hold') {
      inserted.set(placed.id, { hold: placed, expiresAt: operation.expiresAt, resolvedBy: null });
    }
    if (!resolved) continue;
    const row = inserted.get(resolved.hold.id);
    if (row) inserted.set(resolved.hold.id, { ...row, hold: resolved.hold, resolvedBy: journal.id });
    else updated.push({ hold: resolved.hold, expiresAt: null, resolvedBy: journal.id });
  }
  return { inserted: [...inserted.values()], updated };
}

/** Each changed account once, in its state after the last journal. */
function changedAccounts(batch: readonly JournalWrites[]): Account[] {
  const accounts = new Map<bigint, Account>();
  for (const writes of batch) for (const account of writes.accounts) accounts.set(account.id, account);
  return [...accounts.values()];
}

/** The event of the batch: one message per commit, or none if no wallet changed. */
export function balancesChanged(batch: readonly JournalWrites[], time: Date): OutboxPack | undefined {
  const at = time.toISOString();
  const changes: BalancesChanged['changes'] = batch.flatMap(({ journal, accounts }) =>
    accounts.flatMap(({ userId, currency, postedMinor, heldMinor }) =>
      userId === null
        ? []
        : [
            {
              userId,
              currency: currency as BalancesChanged['changes'][number]['currency'],
              transferId: journal.operation.transferId,
              available: formatMoney(postedMinor - heldMinor),
              at,
            },
          ],
    ),
  );
  if (changes.length === 0) return undefined;
  const data: BalancesChanged = { changes };
  const envelope = cloudEvent({ source: '/vuka/wallet', type: BALANCES_CHANGED, data }, time);
  return { id: envelope.id, messages: [{ exchange: EVENTS, envelope }] };
}
