import type { WalletCommand, WalletResult } from '@vuka/contracts/internal/wallet';
import { type Account, decide, type Entry, evolve, type LedgerState } from '#ledger/ledger.domain.ts';
import { accountCodes, toOperation } from '#ledger/operation.ts';

/** An in-memory ledger: the rules without the database. */
export function createMemoryLedger() {
  const state: LedgerState = { accounts: new Map(), journals: new Map(), holds: new Map() };
  let lastId = 0n;
  return {
    state,
    run(command: WalletCommand): { result: WalletResult; entries: Entry[] } {
      const operation = toOperation(command);
      for (const code of accountCodes(operation)) {
        if (!state.accounts.has(code)) state.accounts.set(code, emptyAccount(code, BigInt(state.accounts.size + 1)));
      }
      lastId += 1n;
      const { result, writes } = decide(state, operation, lastId);
      if (writes) evolve(state, writes);
      return { result, entries: writes?.entries ?? [] };
    },
  };
}

function emptyAccount(code: string, id: bigint): Account {
  const [kind, owner = '', currency] = code.split(':');
  const isWallet = kind === 'wallet';
  return {
    id,
    code,
    userId: isWallet ? owner : null,
    currency: currency ?? owner,
    postedMinor: 0n,
    heldMinor: 0n,
    seq: 0n,
    version: 0n,
    floorMinor: isWallet ? 0n : null,
    isFrozen: false,
  };
}
