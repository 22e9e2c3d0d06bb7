import type { CaptureCommand, DepositCommand, HoldCommand, ReleaseCommand } from '@vuka/contracts/internal/wallet';
import { formatMoney } from '@vuka/money';
import type { WalletCurrency } from '@vuka/money/corridors';
import { isWalletCurrency } from '@vuka/money/currencies';
import type { TransferRow } from '#db/schema.ts';
import { withdrawalFactsOf } from './withdrawal.domain.ts';

/**
 * Wallet commands of a transfer. Each has a key derived from the transfer, so sending it again, from any process, has
 * no further effect.
 */
export function holdOf(transfer: TransferRow): HoldCommand {
  return { kind: 'hold', ...commonOf(transfer, 'hold'), amount: totalOf(transfer) };
}

/** Moves the held money to the receiving merchant, or to the operator's account that paid it out. */
export function captureOf(transfer: TransferRow): CaptureCommand {
  const { recipient_user_id: recipientUserId } = transfer;
  const isFromBank = withdrawalFactsOf(transfer)?.accountType === 'bank';
  return {
    kind: 'capture',
    ...commonOf(transfer, 'capture'),
    holdKey: keyOf(transfer, 'hold'),
    amount: totalOf(transfer),
    fee: formatMoney(transfer.fee),
    target: {
      currency: walletCurrency(transfer.target_currency),
      amount: formatMoney(transfer.target_amount),
      midAmount: formatMoney(transfer.mid_amount),
    },
    destination: recipientUserId
      ? { kind: 'wallet', userId: recipientUserId }
      : { kind: 'payout', ...(isFromBank ? { isFromBank } : {}) },
  };
}

export function releaseOf(transfer: TransferRow): ReleaseCommand {
  return {
    kind: 'release',
    ...commonOf(transfer, 'release'),
    holdKey: keyOf(transfer, 'hold'),
    reason: transfer.error_code ?? 'payout failed',
  };
}

export function depositOf(transfer: TransferRow): DepositCommand {
  const { adminId, description } = transfer.metadata as { adminId: string; description: string };
  return {
    kind: 'deposit',
    key: keyOf(transfer, 'deposit'),
    transferId: transfer.id,
    userId: transfer.user_id,
    currency: transfer.target_currency,
    amount: formatMoney(transfer.target_amount),
    adminId,
    description,
  };
}

/** Narrows to the wallet's currencies; a transfer in any other currency cannot have been accepted. */
export function walletCurrency(currency: TransferRow['source_currency']): WalletCurrency {
  if (!isWalletCurrency(currency)) throw new Error(`a transfer cannot be in ${currency}`);
  return currency;
}

function commonOf(transfer: TransferRow, kind: 'hold' | 'capture' | 'release') {
  return {
    key: keyOf(transfer, kind),
    transferId: transfer.id,
    userId: transfer.user_id,
    currency: walletCurrency(transfer.source_currency),
  };
}

function keyOf({ id }: TransferRow, kind: string): string {
  return `${id}:${kind}`;
}

/** What the sender pays: the amount plus the fee. */
function totalOf({ source_amount: amount, fee }: TransferRow): string {
  return formatMoney(amount + fee);
}
