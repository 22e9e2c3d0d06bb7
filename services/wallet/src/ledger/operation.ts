import { hash } from 'node:crypto';
import type { AdjustmentOrder, WalletCommand } from '@vuka/contracts/internal/wallet';
import { parseMoney } from '@vuka/money';
import type { CaptureOperation, Operation } from './ledger.domain.ts';

export function walletCode(userId: string, currency: string): string {
  return `wallet:${userId.toLowerCase()}:${currency}`;
}

/** Converts a command to an operation. Throws RangeError for an invalid amount. */
export function toOperation(command: WalletCommand): Operation {
  const { key } = command;
  const transferId = command.transferId.toLowerCase();
  const account = walletCode(command.userId, command.currency);
  switch (command.kind) {
    case 'hold': {
      const amountMinor = parseMoney(command.amount);
      const requestHash = hashOf(['hold', transferId, account, amountMinor]);
      return { kind: 'hold', key, requestHash, transferId, account, amountMinor, expiresAt: command.expiresAt ?? null };
    }
    case 'capture':
      return toCapture(command, { key, transferId, account });
    case 'release': {
      const { holdKey, reason } = command;
      const requestHash = hashOf(['release', transferId, account, holdKey]);
      return { kind: 'release', key, requestHash, transferId, account, holdKey, reason };
    }
    case 'deposit': {
      const { currency, description } = command;
      const amountMinor = parseMoney(command.amount);
      const userId = command.userId.toLowerCase();
      const adminId = command.adminId.toLowerCase();
      const requestHash = hashOf(['deposit', transferId, account, amountMinor, adminId]);
      const funding = `funding:${currency}`;
      return {
        kind: 'deposit',
        key,
        requestHash,
        transferId,
        account,
        amountMinor,
        funding,
        userId,
        adminId,
        description,
      };
    }
  }
}

function toCapture(
  command: Extract<WalletCommand, { kind: 'capture' }>,
  base: Pick<CaptureOperation, 'key' | 'transferId' | 'account'>,
): CaptureOperation {
  const { currency, holdKey, destination } = command;
  const amountMinor = parseMoney(command.amount);
  const feeMinor = parseMoney(command.fee);
  const target = {
    currency: command.target.currency,
    amountMinor: parseMoney(command.target.amount),
    midMinor: parseMoney(command.target.midAmount),
  };
  const isPayout = destination.kind === 'payout';
  const to = isPayout ? `payout-clearing:${target.currency}` : walletCode(destination.userId, target.currency);
  const requestHash = hashOf([
    'capture',
    base.transferId,
    base.account,
    holdKey,
    amountMinor,
    feeMinor,
    target.currency,
    target.amountMinor,
    target.midMinor,
    // The same for payments from the bank: releases before booked them as payouts, and a repeat must find them.
    to,
  ]);
  return {
    kind: 'capture',
    ...base,
    requestHash,
    amountMinor,
    holdKey,
    feeMinor,
    sourceCurrency: currency,
    target,
    destination: isPayout && destination.isFromBank ? `funding:${target.currency}` : to,
  };
}

/** Converts an adjustment to an operation under the key of its entry in the register. */
export function toAdjustment({ id, currency, amount, from, to }: AdjustmentOrder): Operation {
  const transferId = id.toLowerCase();
  const [account, destination] = [`${from}:${currency}`, `${to}:${currency}`];
  const amountMinor = parseMoney(amount);
  const requestHash = hashOf(['adjustment', transferId, account, destination, amountMinor]);
  return {
    kind: 'adjustment',
    key: `${transferId}:adjustment`,
    requestHash,
    transferId,
    account,
    destination,
    amountMinor,
  };
}

/** Every account that the operation may read or change. */
export function accountCodes(operation: Operation): string[] {
  switch (operation.kind) {
    case 'hold':
    case 'release':
      return [operation.account];
    case 'deposit':
      return [operation.account, operation.funding];
    case 'adjustment':
      return [operation.account, operation.destination];
    case 'capture': {
      const { account, destination, sourceCurrency: source, target } = operation;
      if (target.currency === source) return [account, destination, `fees:${source}`];
      const system = [`fees:${source}`, `fx:${source}`, `fx:${target.currency}`, `margin:${target.currency}`];
      return [account, destination, ...system];
    }
  }
}

/**
 * Hashes only the fields that define the operation: times, texts and generated ids would make a genuine repeat look
 * like a different request.
 */
function hashOf(fields: readonly (string | bigint)[]): string {
  return hash('sha256', fields.join('\n'), 'base64url').slice(0, 22);
}
