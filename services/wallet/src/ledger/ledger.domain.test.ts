import type { CaptureCommand, WalletCommand } from '@vuka/contracts/internal/wallet';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../test/memory-ledger.ts';

const amina = '018f0000-0000-7000-8000-000000000001';
const juma = '018f0000-0000-7000-8000-000000000002';
const admin = '018f0000-0000-7000-8000-0000000000aa';
const transferId = '018f0000-0000-7000-8000-000000000100';

const deposit: WalletCommand = {
  kind: 'deposit',
  key: 'd',
  transferId,
  userId: amina,
  currency: 'KES',
  amount: '100.00',
  adminId: admin,
  description: '',
};
const hold: WalletCommand = { kind: 'hold', key: 'h', transferId, userId: amina, currency: 'KES', amount: '60.00' };
const capture: CaptureCommand = {
  kind: 'capture',
  key: 'c',
  transferId,
  holdKey: 'h',
  userId: amina,
  currency: 'KES',
  amount: '60.00',
  fee: '1.00',
  target: { currency: 'TZS', amount: '1300.00', midAmount: '1386.50' },
  destination: { kind: 'payout' },
};
const release: WalletCommand = {
  kind: 'release',
  key: 'r',
  transferId,
  holdKey: 'h',
  userId: amina,
  currency: 'KES',
  reason: 'refused',
};

function ledgerAfter(...commands: WalletCommand[]) {
  const ledger = createMemoryLedger();
  for (const command of commands) ledger.run(command);
  return ledger;
}

function posted(ledger: ReturnType<typeof createMemoryLedger>) {
  const balances = [...ledger.state.accounts.values()].map(({ code, postedMinor }) => [code, postedMinor]);
  return Object.fromEntries(balances.filter(([, amount]) => amount !== 0n));
}

describe('captures', () => {
  test('moves a converted transfer through the exchange accounts, each currency summing to zero', () => {
    const ledger = ledgerAfter(deposit, hold, capture);
    expect(posted(ledger)).toEqual({
      'funding:KES': -10000n,
      [`wallet:${amina}:KES`]: 4000n,
      'fees:KES': 100n,
      'fx:KES': 5900n,
      'fx:TZS': -138650n,
      'payout-clearing:TZS': 130000n,
      'margin:TZS': 8650n,
    });
    expect(ledger.state.accounts.get(`wallet:${amina}:KES`)?.heldMinor).toBe(0n);
  });

  test('pays into the wallet of the recipient', () => {
    const ledger = ledgerAfter(deposit, hold, { ...capture, destination: { kind: 'wallet', userId: juma } });
    expect(posted(ledger)[`wallet:${juma}:TZS`]).toBe(130000n);
  });

  test('moves a transfer of one currency without touching the exchange accounts', () => {
    const target = { currency: 'KES', amount: '59.00', midAmount: '59.00' } as const;
    const ledger = ledgerAfter(deposit, hold, { ...capture, target, destination: { kind: 'wallet', userId: juma } });
    expect(posted(ledger)).toEqual({
      'funding:KES': -10000n,
      [`wallet:${amina}:KES`]: 4000n,
      'fees:KES': 100n,
      [`wallet:${juma}:KES`]: 5900n,
    });
  });

  test('keeps a wallet’s balance right when it pays itself', () => {
    const target = { currency: 'KES', amount: '59.00', midAmount: '59.00' } as const;
    const ledger = ledgerAfter(deposit, hold, { ...capture, target, destination: { kind: 'wallet', userId: amina } });
    expect(posted(ledger)[`wallet:${amina}:KES`]).toBe(9900n);
  });

  test('writes no zero entries when fee and margin are zero', () => {
    const target = { currency: 'TZS', amount: '1410.00', midAmount: '1410.00' } as const;
    const { entries } = ledgerAfter(deposit, hold).run({ ...capture, fee: '0.00', target });
    expect(entries.map(({ amountMinor }) => amountMinor)).toEqual([-6000n, 6000n, -141000n, 141000n]);
  });
});

const refusals: [string, WalletCommand[], WalletCommand, object][] = [
  [
    'a hold of more than is available',
    [deposit],
    { ...hold, amount: '100.01' },
    { outcome: 'rejected', reason: 'insufficient_funds', journalId: '2' },
  ],
  [
    'a hold of money that is already held',
    [deposit, hold],
    { ...hold, key: 'h2' },
    { outcome: 'rejected', reason: 'insufficient_funds' },
  ],
  [
    'a hold after its key was rejected, although the money is available now',
    [hold, deposit],
    hold,
    { outcome: 'rejected', reason: 'insufficient_funds', replayed: true, journalId: '1' },
  ],
  ['a capture after a release', [deposit, hold, release], capture, { outcome: 'rejected', reason: 'hold_not_open' }],
  ['a release after a capture', [deposit, hold, capture], release, { outcome: 'rejected', reason: 'hold_not_open' }],
  [
    'a second capture under another key',
    [deposit, hold, capture],
    { ...capture, key: 'c2' },
    { outcome: 'rejected', reason: 'hold_not_open' },
  ],
  ['a capture of a hold that does not exist', [deposit], capture, { outcome: 'rejected', reason: 'hold_not_found' }],
  [
    'a capture of another amount',
    [deposit, hold],
    { ...capture, amount: '59.99' },
    { outcome: 'rejected', reason: 'mismatch' },
  ],
  [
    'a capture by another user',
    [deposit, hold],
    { ...capture, userId: juma },
    { outcome: 'rejected', reason: 'mismatch' },
  ],
  [
    'a capture for another transfer',
    [deposit, hold],
    { ...capture, transferId: juma },
    { outcome: 'rejected', reason: 'mismatch' },
  ],
  [
    'a fee as large as the amount',
    [deposit, hold],
    { ...capture, fee: '60.00' },
    { outcome: 'rejected', reason: 'mismatch' },
  ],
  [
    'a transfer in one currency whose target differs from the net amount',
    [deposit, hold],
    { ...capture, target: { currency: 'KES', amount: '60.00', midAmount: '60.00' } },
    { outcome: 'rejected', reason: 'mismatch' },
  ],
  [
    'a key used for another amount',
    [deposit, hold],
    { ...hold, amount: '1.00' },
    { outcome: 'rejected', reason: 'key_reused' },
  ],
  [
    'a key used for another kind',
    [deposit, hold],
    { ...release, key: 'h' },
    { outcome: 'rejected', reason: 'key_reused' },
  ],
];
test.each(refusals)('refuses %s and changes nothing', (_name, given, command, expected) => {
  const ledger = ledgerAfter(...given);
  const before = structuredClone({ accounts: ledger.state.accounts, holds: ledger.state.holds });
  const { result, entries } = ledger.run(command);
  expect(result).toMatchObject(expected);
  expect(entries).toEqual([]);
  for (const [code, account] of before.accounts) expect(ledger.state.accounts.get(code)).toEqual(account);
  expect(ledger.state.holds).toEqual(before.holds);
});

test.each([deposit, hold, capture])('answers a repeated $kind with the first result', (command) => {
  const ledger = createMemoryLedger();
  const first = [deposit, hold, capture].map((each) => [each, ledger.run(each).result] as const);
  const original = first.find(([each]) => each === command)?.[1];
  expect(ledger.run(command).result).toEqual({ ...original, replayed: true });
});

test('treats a repeat with different texts as the same request', () => {
  const ledger = ledgerAfter(deposit, hold, release);
  expect(ledger.run({ ...release, reason: 'said otherwise' }).result).toMatchObject({
    outcome: 'applied',
    replayed: true,
  });
});

describe('a frozen account', () => {
  function frozen() {
    const ledger = ledgerAfter(deposit, hold);
    const code = `wallet:${amina}:KES`;
    const freeze = (isFrozen: boolean) => {
      const account = ledger.state.accounts.get(code);
      if (account) ledger.state.accounts.set(code, { ...account, isFrozen });
    };
    freeze(true);
    return { ledger, freeze };
  }

  test('rejects a hold permanently', () => {
    const { ledger, freeze } = frozen();
    const again = { ...hold, key: 'h2', amount: '1.00' };
    expect(ledger.run(again).result).toMatchObject({ reason: 'account_frozen' });
    freeze(false);
    expect(ledger.run(again).result).toMatchObject({ reason: 'account_frozen', replayed: true });
  });

  test.each([capture, release, { ...deposit, key: 'd2' }])('accepts a refused $kind once it is unfrozen', (command) => {
    const { ledger, freeze } = frozen();
    expect(ledger.run(command).result).toEqual({ outcome: 'rejected', replayed: false, reason: 'account_frozen' });
    freeze(false);
    expect(ledger.run(command).result).toMatchObject({ outcome: 'applied', replayed: false });
  });
});
