import { createHash } from 'node:crypto';
import type { Caller } from '@vuka/access/caller';
import type { Pricing } from '@vuka/contracts/internal/pricing';
import type { TransferOrder } from '@vuka/contracts/internal/transfers';
import { parseMoney } from '@vuka/money';
import { corridorOf } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { AppError } from '@vuka/service-kit/app-error';
import type { Batcher } from '@vuka/service-kit/batcher';

import type { QuoteRow, TransferRow } from '#db/schema.ts';
import { type CheckLimitsDeps, insertWithinLimits } from '#limits/check-limits.ts';
import type { Insertion } from '#limits/limits.domain.ts';
import { type CreateQuoteDeps, createQuote, tooSmall } from '#quotes/create-quote.ts';
import { type Price, priceTransfer } from '#quotes/quote.domain.ts';
import { priceOfQuote, toQuote } from '#quotes/quote.store.ts';
import { planPayout } from '#saga/planned-payout.ts';
import type { NewTransfer } from '#saga/transfer.store.ts';
import { type AcceptDeps, acceptOnce, countedOf, messagesOf, newTransferRow } from './accept-order.ts';

export interface CreateTransferDeps extends CreateQuoteDeps, AcceptDeps, CheckLimitsDeps {
  quotes: Batcher<string, QuoteRow | undefined>;
  inserts: Batcher<NewTransfer, Insertion>;
}

type Order = TransferOrder['order'];

/**
 * Accepts an order once per (user, clientTransactionId), at the server's price. Throws rate_changed (with the new
 * quote), insufficient_funds, limit_exceeded, idempotency_conflict, rate_unavailable, validation_failed.
 */
export async function createTransfer(
  deps: CreateTransferDeps,
  order: Order,
  caller: Caller,
): Promise<{ created: boolean; transfer: TransferRow }> {
  if (!caller.pinVerified) throw new AppError('invalid_pin');
  checkConsistency(order);
  const hash = hashOrder(order);
  const key = { userId: caller.userId, clientTransactionId: order.clientTransactionId };
  return acceptOnce(deps, key, {
    hash,
    async write() {
      const price = await agreePrice(deps, order, caller.userId);
      const row = toRow(order, price, { caller, hash, at: deps.now() });
      const messages = messagesOf(row, caller);
      const { isNew } = await insertWithinLimits(deps, countedOf(row), caller, (allowance) =>
        deps.inserts.submit({ row, note: [{ code: 'transfer_received' }], messages, allowance }),
      );
      return { row, isNew };
    },
  });
}

function checkConsistency(order: Order): void {
  const { source, target } = corridorOf(order.direction);
  const { direction } = order;
  if (order.sourceCurrency !== undefined && order.sourceCurrency !== source) {
    throw new AppError('source_currency_mismatch', {
      field: 'sourceCurrency',
      params: { currency: source, direction },
    });
  }
  if (order.targetCurrency !== undefined && order.targetCurrency !== target) {
    throw new AppError('target_currency_mismatch', {
      field: 'targetCurrency',
      params: { currency: target, direction },
    });
  }
  const prefix = recipientPrefix(order.direction);
  if (!order.recipientPhone.startsWith(prefix)) {
    throw new AppError('recipient_country_mismatch', { field: 'recipientPhone', params: { prefix, direction } });
  }
}

/**
 * Hashes the fields that identify the order: never the PIN, the fee, a time, or an id that changes with each attempt.
 */
function hashOrder(order: Order): Buffer {
  const fields = [
    order.direction,
    parseMoney(order.sourceAmount),
    parseMoney(order.targetAmount),
    order.recipientPhone,
  ];
  return createHash('sha256').update(fields.join('|')).digest();
}

/**
 * The price that the sender agreed to and that is in force. Throws rate_changed, with a quote of the current price,
 * when the order's amount or fee differs, or the fee that the sender saw is not known any more. An order without a fee
 * accepts its quote's fee.
 */
async function agreePrice(deps: CreateTransferDeps, order: Order, userId: string): Promise<Price> {
  const sourceAmount = parseMoney(order.sourceAmount);
  const found = order.quoteId ? await deps.quotes.submit(order.quoteId.toLowerCase()) : undefined;
  const isOfOrder =
    found?.user_id === userId && found.direction === order.direction && found.source_amount === sourceAmount;
  const quote = isOfOrder ? found : undefined;
  const fee = order.fee === undefined ? quote?.fee : parseMoney(order.fee);
  const agrees = (price: Price) =>
    price.targetAmount === parseMoney(order.targetAmount) && (fee === undefined || price.fee === fee);
  if (quote && quote.expires_at > deps.now()) {
    const held = priceOfQuote(quote);
    if (!agrees(held)) throw priceChanged(order, quote);
    return held;
  }
  const priceAt = (pricing: Pricing) => priceTransfer(pricing, order.direction, sourceAmount);
  const copied = priceAt(await deps.pricing.current());
  // Our copy of the prices may be stale, so refresh it before reporting a changed price.
  const price = agrees(copied) ? copied : priceAt(await deps.pricing.latest());
  if (price.targetAmount === 0n) throw tooSmall();
  // The order names no fee, and the quote that showed one was deleted or belongs to another order.
  const isFeeUnknown = order.quoteId !== undefined && fee === undefined;
  if (!agrees(price) || isFeeUnknown) throw priceChanged(order, await createQuote(deps, { userId, ...price }));
  return price;
}

function priceChanged(order: Order, now: QuoteRow): AppError {
  const isFeeAlone = now.target_amount === parseMoney(order.targetAmount);
  return new AppError(isFeeAlone ? 'transfer_fee_changed' : 'rate_changed', { details: { quote: toQuote(now) } });
}

function toRow(order: Order, price: Price, context: { caller: Caller; hash: Buffer; at: Date }): TransferRow {
  const { caller, hash, at } = context;
  return {
    ...newTransferRow(caller, at),
    transaction_type: 'transfer',
    recipient_phone: order.recipientPhone,
    client_transaction_id: order.clientTransactionId,
    request_hash: hash,
    direction: price.direction,
    source_amount: price.sourceAmount,
    source_currency: price.sourceCurrency,
    target_amount: price.targetAmount,
    target_currency: price.targetCurrency,
    fee: price.fee,
    mid_amount: price.midAmount,
    exchange_rate: price.rate,
    metadata: planPayout({ user_id: caller.userId, client_transaction_id: order.clientTransactionId }),
  };
}
