import type { WalletClient } from '#clients/wallet.client.ts';
import type { TransferRow } from '#db/schema.ts';

/** A new order as this process has inserted it, and the request for its hold. */
export interface AcceptedHere {
  transfer: TransferRow;
  /** Rejects if the wallet did not answer; the hold is then requested again under the same key. */
  hold: ReturnType<WalletClient['execute']>;
}

/**
 * Orders that this process has just accepted. If it also executes them, it need neither read them nor ask the wallet a
 * second time. This is only a shortcut: the next step still checks the version of the transfer.
 */
export interface OrdersAcceptedHere {
  remember(accepted: AcceptedHere): void;
  /** Returns an order once. */
  take(transferId: string): AcceptedHere | undefined;
}

/** Commands arrive within milliseconds. After this time, the hold is requested again. */
const REMEMBERED_MS = 5_000;
const MOST = 5_000;

/** `nowMs` never goes back. */
export function createOrdersAcceptedHere(nowMs: () => number): OrdersAcceptedHere {
  const orders = new Map<string, AcceptedHere & { atMs: number }>();

  function forget(untilMs: number): void {
    for (const [id, { atMs }] of orders) {
      if (atMs > untilMs && orders.size <= MOST) return;
      orders.delete(id);
    }
  }

  return {
    remember(accepted) {
      const atMs = nowMs();
      orders.set(accepted.transfer.id, { ...accepted, atMs });
      forget(atMs - REMEMBERED_MS);
    },
    take(transferId) {
      const order = orders.get(transferId);
      orders.delete(transferId);
      return order && nowMs() - order.atMs <= REMEMBERED_MS ? order : undefined;
    },
  };
}
