import { createHash } from 'node:crypto';
import type { Quote } from '@vuka/contracts/http/rates';
import type { TransferOrder } from '@vuka/contracts/internal/transfers';
import { EXECUTE_TRANSFER } from '@vuka/contracts/messages/transfers';
import { formatMoney, parseMoney } from '@vuka/money';
import { AppError } from '@vuka/service-kit/app-error';
import type { Batcher } from '@vuka/service-kit/batcher';
import { cloudEvent } from '@vuka/service-kit/cloud-event';
import { uuidv7 } from '@vuka/service-kit/ids';
import { COMMANDS, EVENTS } from '@vuka/service-kit/messaging/topology';
import type { Caller } from '@vuka/service-kit/tokens';
import type { QuoteRow, TransferRow } from '#db/schema.ts';
import { type CreateQuoteDeps, createQuote, tooSmall } from '#quotes/create-quote.ts';
import { currenciesOf, type Price, priceTransfer } from '#quotes/quote.domain.ts';
import { priceOfQuote, toQuote } from '#quotes/quote.store.ts';
import { refusal } from './advance-transfer.ts';
import { afterTransition, changedEvent, type SagaDeps, transitionOf } from './saga.ts';
import type { ClientKey, NewTransfer } from './transfer.store.ts';
import { stateOf } from './transfer.view.ts';

export interface CreateTransferDeps
  extends CreateQuoteDeps,
    Pick<SagaDeps, 'wallet' | 'transitions' | 'transfers' | 'logger' | 'now'> {
  byClientKey: Batcher<ClientKey, TransferRow | undefined>;
  quotes: Batcher<string, QuoteRow | undefined>;
  inserts: Batcher<NewTransfer, boolean>;
}

/** A command that no worker ever took is sent once more after this long, past the broker's own retries. */
const COMMAND_LOST_AFTER_MS = 20 * 60_000;

type Order = TransferOrder['order'];

/**
 * Accepts an order once for its (user, clientTransactionId), at the server's price. Throws rate_changed (with the new
 * quote), insufficient_funds, idempotency_conflict, rate_unavailable, validation_failed.
 */
export async function createTransfer(
  deps: CreateTransferDeps,
  order: Order,
  caller: Caller,
): Promise<{ created: boolean; transfer: TransferRow }> {
  if (!caller.pinVerified) throw new AppError('invalid_pin', 'Invalid PIN');
  checkConsistency(order);
  const hash = hashOrder(order);
  const key = { userId: caller.userId, clientTransactionId: order.clientTransactionId };
  const known = await deps.byClientKey.submit(key);
  if (known) return { created: false, transfer: replay(known, hash) };

  const price = await agreePrice(deps, order, caller.userId);
  const row = toRow(order, price, { caller, hash, at: deps.now() });
  const isNew = await deps.inserts.submit({ row, note: 'Transfer received.', messages: messagesOf(row, caller) });
  if (!isNew) {
    const winner = await deps.byClientKey.submit(key);
    if (!winner) throw new Error('a transfer that is known cannot be found');
    return { created: false, transfer: replay(winner, hash) };
  }
  return { created: true, transfer: await reserveNow(deps, row) };
}

function checkConsistency(order: Order): void {
  const [source, target] = currenciesOf(order.direction);
  const issue = (path: string, message: string) =>
    new AppError('validation_failed', message, { issues: [{ path, message }] });
  if (order.sourceCurrency !== undefined && order.sourceCurrency !== source) {
    throw issue('sourceCurrency', `sourceCurrency must be ${source} for ${order.direction}`);
  }
  if (order.targetCurrency !== undefined && order.targetCurrency !== target) {
    throw issue('targetCurrency', `targetCurrency must be ${target} for ${order.direction}`);
  }
  const prefix = order.direction === 'KES_TO_TZS' ? '+255' : '+254';
  if (!order.recipientPhone.startsWith(prefix)) {
    throw issue('recipientPhone', `The recipient's number must start with ${prefix} for ${order.direction}`);
  }
}

/** Over what makes the order the same order; never the PIN, a time, or an id made anew for each try. */
function hashOrder(order: Order): Buffer {
  const fields = [
    order.direction,
    parseMoney(order.sourceAmount),
    parseMoney(order.targetAmount),
    order.recipientPhone,
  ];
  return createHash('sha256').update(fields.join('|')).digest();
}

/** The answer that the first request got, or idempotency_conflict when it was another order. */
function replay(known: TransferRow, hash: Buffer): TransferRow {
  if (!known.request_hash.equals(hash)) {
    throw new AppError('idempotency_conflict', 'This clientTransactionId was used for a different transfer.');
  }
  if (known.step === 'failed' && known.error_code === 'insufficient_funds') throw insufficientFunds();
  return known;
}

async function agreePrice(deps: CreateTransferDeps, order: Order, userId: string): Promise<Price> {
  const sourceAmount = parseMoney(order.sourceAmount);
  const quote = order.quoteId ? await deps.quotes.submit(order.quoteId) : undefined;
  const isLive =
    quote?.user_id === userId &&
    quote.direction === order.direction &&
    quote.source_amount === sourceAmount &&
    quote.expires_at > deps.now();
  const price = isLive
    ? priceOfQuote(quote)
    : priceTransfer(await deps.pricing.current(), order.direction, sourceAmount);
  if (price.targetAmount === 0n) throw tooSmall();
  if (price.targetAmount !== parseMoney(order.targetAmount)) {
    throw rateChanged(isLive ? toQuote(quote) : toQuote(await createQuote(deps, { userId, ...price })));
  }
  return price;
}

function rateChanged(quote: Quote): AppError {
  return new AppError('rate_changed', 'The exchange rate has changed. Please confirm the new amount.', {
    details: { quote },
  });
}

function toRow(order: Order, price: Price, context: { caller: Caller; hash: Buffer; at: Date }): TransferRow {
  const { caller, hash, at } = context;
  return {
    id: uuidv7(at.getTime()),
    user_id: caller.userId,
    recipient_user_id: null,
    recipient_name: null,
    recipient_phone: order.recipientPhone,
    sender_phone: caller.phone,
    transaction_type: 'transfer',
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
    status: 'PENDING',
    step: 'created',
    waiting_reason: null,
    error_code: null,
    error_message: null,
    metadata: {},
    is_open: true,
    version: 1,
    attempts: 0,
    next_action_at: new Date(at.getTime() + COMMAND_LOST_AFTER_MS),
    created_at: at,
    updated_at: at,
  };
}

function messagesOf(row: TransferRow, caller: Caller): NewTransfer['messages'] {
  return [
    { exchange: COMMANDS, envelope: executeCommand(row.id, caller.requestId, row.created_at) },
    { exchange: EVENTS, envelope: changedEvent({ ...row, version: 0 }, 'created', stateOf(row), row.created_at) },
  ];
}

export function executeCommand(transferId: string, causationid: string, at: Date) {
  return cloudEvent(
    {
      source: '/vuka/transfers',
      type: EXECUTE_TRANSFER,
      subject: transferId,
      correlationid: transferId,
      causationid,
      data: { transferId },
    },
    at,
  );
}

/**
 * Reserves the money while the sender waits, so that too little is said at once. Without an answer the transfer stands
 * as accepted: the worker repeats the hold under the same key.
 */
async function reserveNow(deps: CreateTransferDeps, transfer: TransferRow): Promise<TransferRow> {
  try {
    const hold = await deps.wallet.execute({
      kind: 'hold',
      key: `${transfer.id}:hold`,
      transferId: transfer.id,
      userId: transfer.user_id,
      currency: transfer.source_currency as 'KES' | 'TZS',
      amount: formatMoney(transfer.source_amount + transfer.fee),
    });
    if (hold.outcome === 'applied') return transfer;
    const refused = refusal(hold.reason);
    const transition = transitionOf(transfer, refused, deps.now());
    const isTaken = await deps.transitions.submit(transition);
    if (hold.reason === 'insufficient_funds') throw insufficientFunds();
    return isTaken ? afterTransition(transition) : transfer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_funds') throw error;
    deps.logger.warn(
      { transferId: transfer.id, err: (error as Error).message },
      'accepted without a hold; the worker repeats it',
    );
    return transfer;
  }
}

function insufficientFunds(): AppError {
  return new AppError('insufficient_funds', 'Amount exceeds available balance');
}
