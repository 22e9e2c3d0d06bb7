import type { WalletRejection, WalletResult } from '@vuka/contracts/internal/wallet';

export interface Account {
  id: bigint;
  code: string;
  userId: string | null;
  currency: string;
  postedMinor: bigint;
  heldMinor: bigint;
  seq: bigint;
  version: bigint;
  /** The minimum of posted minus held; null for system accounts, which may go negative. */
  floorMinor: bigint | null;
  isFrozen: boolean;
}

export type HoldState = 'open' | 'captured' | 'released';

/** A hold's id is the id of the journal that placed it. */
export interface Hold {
  id: bigint;
  accountId: bigint;
  transferId: string;
  amountMinor: bigint;
  state: HoldState;
}

interface RecordedJournal {
  id: bigint;
  requestHash: string;
  rejection: WalletRejection | null;
}

/**
 * The state that a batch works on: accounts by code, journals by key, holds by the key of the journal that placed them.
 */
export interface LedgerState {
  accounts: Map<string, Account>;
  journals: Map<string, RecordedJournal>;
  holds: Map<string, Hold>;
}

interface OperationBase {
  key: string;
  /** A hash of the fields that define the operation, to detect a key reused for something else. */
  requestHash: string;
  transferId: string;
  /** The code of the user's account. */
  account: string;
  amountMinor: bigint;
}
interface HoldOperation extends OperationBase {
  kind: 'hold';
  expiresAt: string | null;
}
export interface CaptureOperation extends OperationBase {
  kind: 'capture';
  holdKey: string;
  feeMinor: bigint;
  sourceCurrency: string;
  target: { currency: string; amountMinor: bigint; midMinor: bigint };
  /** The code of the account that receives the target amount. */
  destination: string;
}
interface ReleaseOperation extends Omit<OperationBase, 'amountMinor'> {
  kind: 'release';
  holdKey: string;
  reason: string;
}
interface DepositOperation extends OperationBase {
  kind: 'deposit';
  funding: string;
  userId: string;
  adminId: string;
  description: string;
}
/** Moves money between two of the operator's accounts; `account` is the one that it leaves. */
interface AdjustmentOperation extends OperationBase {
  kind: 'adjustment';
  /** The code of the account that receives the amount. */
  destination: string;
}
export type Operation = HoldOperation | CaptureOperation | ReleaseOperation | DepositOperation | AdjustmentOperation;

export interface Entry {
  accountId: bigint;
  accountSeq: bigint;
  currency: string;
  amountMinor: bigint;
  balanceAfterMinor: bigint;
}

/** The writes of one journal. A rejected journal has no entries and changes no account. */
export interface JournalWrites {
  journal: RecordedJournal & { key: string; operation: Operation };
  entries: Entry[];
  /** The accounts after it. */
  accounts: Account[];
  placed?: Hold;
  resolved?: { holdKey: string; hold: Hold };
}

export interface Decision {
  result: WalletResult;
  writes?: JournalWrites;
}

interface Leg {
  account: string;
  amountMinor: bigint;
}

/** Decides one operation against the state without changing it. `journalId` is the id to write it under. */
export function decide(state: LedgerState, operation: Operation, journalId: bigint): Decision {
  const known = state.journals.get(operation.key);
  if (known) return replay(known, operation);
  switch (operation.kind) {
    case 'hold':
      return decideHold(state, operation, journalId);
    case 'capture':
      return decideCapture(state, operation, journalId);
    case 'release':
      return decideRelease(state, operation, journalId);
    case 'deposit':
      return decideDeposit(state, operation, journalId);
    case 'adjustment':
      return decideAdjustment(state, operation, journalId);
  }
}

/** Applies a decision to the state, so that the next operation of the batch sees it. */
export function evolve(state: LedgerState, writes: JournalWrites): void {
  state.journals.set(writes.journal.key, writes.journal);
  for (const account of writes.accounts) state.accounts.set(account.code, account);
  if (writes.placed) state.holds.set(writes.journal.key, writes.placed);
  if (writes.resolved) state.holds.set(writes.resolved.holdKey, writes.resolved.hold);
}

function replay(known: RecordedJournal, operation: Operation): Decision {
  if (known.requestHash !== operation.requestHash) return refuse('key_reused');
  const recorded = { replayed: true, journalId: known.id.toString() };
  if (known.rejection === null) return { result: { outcome: 'applied', ...recorded } };
  return { result: { outcome: 'rejected', ...recorded, reason: known.rejection } };
}

function decideHold(state: LedgerState, operation: HoldOperation, journalId: bigint): Decision {
  const account = accountOf(state, operation.account);
  // Recorded, unlike a capture refused for a freeze: the caller gives the transfer up, so a late repeat must not hold.
  if (account.isFrozen) return reject(operation, journalId, 'account_frozen');
  const heldMinor = account.heldMinor + operation.amountMinor;
  if (account.floorMinor !== null && account.postedMinor - heldMinor < account.floorMinor) {
    return reject(operation, journalId, 'insufficient_funds');
  }
  const { transferId, amountMinor } = operation;
  return apply(operation, journalId, {
    entries: [],
    accounts: [{ ...account, heldMinor }],
    placed: { id: journalId, accountId: account.id, transferId, amountMinor, state: 'open' },
  });
}

function decideCapture(state: LedgerState, operation: CaptureOperation, journalId: bigint): Decision {
  const hold = state.holds.get(operation.holdKey);
  const account = accountOf(state, operation.account);
  const legs = captureLegs(operation);
  if (!hold) return refuse('hold_not_found');
  if (!legs || !isHoldOf(hold, account, operation) || hold.amountMinor !== operation.amountMinor) {
    return refuse('mismatch');
  }
  if (hold.state !== 'open') return reject(operation, journalId, 'hold_not_open');
  if (isAnyFrozen(state, legs)) return refuse('account_frozen');
  const unheld = { ...account, heldMinor: account.heldMinor - hold.amountMinor };
  return apply(operation, journalId, {
    ...post(state, legs, unheld),
    resolved: { holdKey: operation.holdKey, hold: { ...hold, state: 'captured' } },
  });
}

function decideRelease(state: LedgerState, operation: ReleaseOperation, journalId: bigint): Decision {
  const hold = state.holds.get(operation.holdKey);
  const account = accountOf(state, operation.account);
  if (!hold) return refuse('hold_not_found');
  if (!isHoldOf(hold, account, operation)) return refuse('mismatch');
  if (hold.state !== 'open') return reject(operation, journalId, 'hold_not_open');
  if (account.isFrozen) return refuse('account_frozen');
  return apply(operation, journalId, {
    entries: [],
    accounts: [{ ...account, heldMinor: account.heldMinor - hold.amountMinor }],
    resolved: { holdKey: operation.holdKey, hold: { ...hold, state: 'released' } },
  });
}

function decideDeposit(state: LedgerState, operation: DepositOperation, journalId: bigint): Decision {
  const { funding, account, amountMinor } = operation;
  const legs = [
    { account: funding, amountMinor: -amountMinor },
    { account, amountMinor },
  ];
  if (isAnyFrozen(state, legs)) return refuse('account_frozen');
  return apply(operation, journalId, post(state, legs));
}

function decideAdjustment(state: LedgerState, operation: AdjustmentOperation, journalId: bigint): Decision {
  const { account, destination, amountMinor } = operation;
  const isOfOperator = [account, destination].every((code) => accountOf(state, code).userId === null);
  if (!isOfOperator || account === destination || amountMinor <= 0n) return refuse('mismatch');
  const legs = [
    { account, amountMinor: -amountMinor },
    { account: destination, amountMinor },
  ];
  return apply(operation, journalId, post(state, legs));
}

/** The legs of a capture, summing to zero per currency; undefined when its amounts are inconsistent. */
function captureLegs(operation: CaptureOperation): Leg[] | undefined {
  const { account, amountMinor, feeMinor, target, sourceCurrency, destination } = operation;
  const netMinor = amountMinor - feeMinor;
  if (feeMinor < 0n || netMinor <= 0n || target.amountMinor <= 0n) return undefined;
  const charged = [
    { account, amountMinor: -amountMinor },
    { account: `fees:${sourceCurrency}`, amountMinor: feeMinor },
  ];
  const received = { account: destination, amountMinor: target.amountMinor };
  if (target.currency === sourceCurrency) {
    return target.amountMinor === netMinor ? [...charged, received].filter(isMovement) : undefined;
  }
  return [
    ...charged,
    { account: `fx:${sourceCurrency}`, amountMinor: netMinor },
    { account: `fx:${target.currency}`, amountMinor: -target.midMinor },
    received,
    { account: `margin:${target.currency}`, amountMinor: target.midMinor - target.amountMinor },
  ].filter(isMovement);
}

function isMovement(leg: Leg): boolean {
  return leg.amountMinor !== 0n;
}

function isHoldOf(hold: Hold, account: Account, operation: { transferId: string }): boolean {
  return hold.accountId === account.id && hold.transferId === operation.transferId;
}

/** The entries of the legs in order, and the accounts after them. `changed` overrides one account of the state. */
function post(state: LedgerState, legs: Leg[], changed?: Account): Pick<JournalWrites, 'entries' | 'accounts'> {
  const accounts = new Map<string, Account>();
  if (changed) accounts.set(changed.code, changed);
  const entries: Entry[] = [];
  for (const leg of legs) {
    const before = accounts.get(leg.account) ?? accountOf(state, leg.account);
    const after = { ...before, postedMinor: before.postedMinor + leg.amountMinor, seq: before.seq + 1n };
    accounts.set(leg.account, after);
    entries.push({
      accountId: after.id,
      accountSeq: after.seq,
      currency: after.currency,
      amountMinor: leg.amountMinor,
      balanceAfterMinor: after.postedMinor,
    });
  }
  return { entries, accounts: [...accounts.values()] };
}

/** Only user accounts are ever frozen: freezing a clearing account would stop every user because of one bad row. */
function isAnyFrozen(state: LedgerState, legs: Leg[]): boolean {
  return legs.some((leg) => accountOf(state, leg.account).isFrozen);
}

function accountOf(state: LedgerState, code: string): Account {
  const account = state.accounts.get(code);
  if (!account) throw new Error(`account ${code} is not loaded`);
  return account;
}

function apply(operation: Operation, id: bigint, writes: Omit<JournalWrites, 'journal'>): Decision {
  const { key, requestHash } = operation;
  return {
    result: { outcome: 'applied', replayed: false, journalId: id.toString() },
    writes: { journal: { id, key, requestHash, rejection: null, operation }, ...writes },
  };
}

/** Rejects permanently: the key stays rejected, so that a repeat cannot succeed after the caller has moved on. */
function reject(operation: Operation, id: bigint, reason: WalletRejection): Decision {
  const { key, requestHash } = operation;
  return {
    result: { outcome: 'rejected', replayed: false, journalId: id.toString(), reason },
    writes: { journal: { id, key, requestHash, rejection: reason, operation }, entries: [], accounts: [] },
  };
}

/** Refuses without a record: the same key may succeed once the reason is gone. */
function refuse(reason: WalletRejection): Decision {
  return { result: { outcome: 'rejected', replayed: false, reason } };
}
