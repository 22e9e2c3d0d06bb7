import type { WalletCommand } from '@vuka/contracts/internal/wallet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../test/memory-ledger.ts';
import { command, fitting } from '../../test/random-commands.ts';

function sumBy<T>(items: Iterable<T>, key: (item: T) => string, value: (item: T) => bigint) {
  const sums = new Map<string, bigint>();
  for (const item of items) sums.set(key(item), (sums.get(key(item)) ?? 0n) + value(item));
  return sums;
}

function checkInvariants(ledger: ReturnType<typeof createMemoryLedger>, entries: Map<string, bigint>) {
  const { accounts, holds } = ledger.state;
  const open = [...holds.values()].filter((hold) => hold.state === 'open');
  const held = sumBy(
    open,
    (hold) => hold.accountId.toString(),
    (hold) => hold.amountMinor,
  );
  for (const account of accounts.values()) {
    expect(account.postedMinor).toBe(entries.get(account.id.toString()) ?? 0n);
    expect(account.heldMinor).toBe(held.get(account.id.toString()) ?? 0n);
    if (account.floorMinor !== null) expect(account.postedMinor - account.heldMinor >= account.floorMinor).toBe(true);
  }
  const totals = sumBy(
    accounts.values(),
    (account) => account.currency,
    (account) => account.postedMinor,
  );
  for (const total of totals.values()) expect(total).toBe(0n);
}

/** The money moved by the applied commands, computed without the ledger's rules. */
function expectedWalletTotals(applied: WalletCommand[]) {
  const totals = new Map<string, bigint>();
  const add = (userId: string, cur: string, text: string, sign: bigint) => {
    const code = `wallet:${userId}:${cur}`;
    totals.set(code, (totals.get(code) ?? 0n) + sign * BigInt(text.replace('.', '')));
  };
  for (const each of applied) {
    if (each.kind === 'deposit') add(each.userId, each.currency, each.amount, 1n);
    if (each.kind !== 'capture') continue;
    add(each.userId, each.currency, each.amount, -1n);
    if (each.destination.kind === 'wallet') add(each.destination.userId, each.target.currency, each.target.amount, 1n);
  }
  return totals;
}

function runSequence(commands: WalletCommand[]) {
  const ledger = createMemoryLedger();
  const entrySums = new Map<string, bigint>();
  const firstResults = new Map<string, { outcome: string; journalId?: string | undefined }>();
  const applied: WalletCommand[] = [];
  for (const each of commands) {
    const before = new Map(ledger.state.accounts);
    const holdsBefore = new Map(ledger.state.holds);
    const { result, entries } = ledger.run(each);
    for (const sum of sumBy(
      entries,
      (entry) => entry.currency,
      (entry) => entry.amountMinor,
    ).values())
      expect(sum).toBe(0n);
    for (const entry of entries) {
      const id = entry.accountId.toString();
      entrySums.set(id, (entrySums.get(id) ?? 0n) + entry.amountMinor);
    }
    if (result.outcome === 'applied' && !result.replayed) applied.push(each);
    else {
      for (const [code, account] of before) expect(ledger.state.accounts.get(code)).toBe(account);
      expect(ledger.state.holds).toEqual(holdsBefore);
    }
    if (result.outcome === 'failed') throw new Error('the rules never fail');
    const first = firstResults.get(each.key);
    if (result.replayed) expect(result.journalId).toBe(first?.journalId);
    else if (result.journalId !== undefined) {
      expect(first).toBeUndefined();
      firstResults.set(each.key, result);
    }
    checkInvariants(ledger, entrySums);
  }
  for (const [code, total] of expectedWalletTotals(applied)) {
    expect(ledger.state.accounts.get(code)?.postedMinor).toBe(total);
  }
  return applied;
}

test('keeps every invariant after each of 10,000 random operations, and a refused one changes nothing', {
  timeout: 120_000,
}, () => {
  const kinds = new Set<string>();
  let operations = 0;
  const sequence = fc.array(command, { minLength: 50, maxLength: 50 }).map(fitting);
  fc.assert(
    fc.property(sequence, (commands) => {
      operations += commands.length;
      for (const each of runSequence(commands)) kinds.add(each.kind);
    }),
    { numRuns: 200, seed: 20260821 },
  );
  expect(operations).toBeGreaterThanOrEqual(10_000);
  expect([...kinds].sort()).toEqual(['capture', 'deposit', 'hold', 'release']);
});
