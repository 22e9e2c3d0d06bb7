import { randomUUID } from 'node:crypto';
import { COUNTRIES, type Direction, type WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { corridorOf, countryOf, DIRECTIONS } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import { type HeldQuote, type History, type Order, pricesNow } from './history.ts';
import { type Merchant, type Recipient, worth } from './merchants.ts';
import { decimalOf, feeOf, priceOf } from './price.ts';
import { askQuote } from './quoting.ts';

/** The share of withdrawals among the orders. */
const WITHDRAWALS = 0.2;
/** The shares of withdrawals to a bank, and of those at the approval limit or just above it. */
const TO_BANK = 0.15;
const AT_LIMIT = 0.25;
/** While this many withdrawals wait for a decision, new ones are drawn so that they need none. */
const MOST_UNDECIDED = 50;
/** The share of transfers for which a quote is asked first, and of those that use an earlier one. */
const QUOTED = 0.25;
const QUOTED_EARLIER = 0.25;
/** How often the merchant also confirms the fee. */
const FEE_CONFIRMED = 0.5;
const UNITS = [0.1, 0.25, 1] as const;

export type Recipients = Record<WalletCurrency, Recipient>;

/** The merchant's next order, added to the history. */
export async function nextOrder(merchant: Merchant, history: History, recipients: Recipients): Promise<Order> {
  const order = await drawOrder(merchant, history, recipients);
  history.orders.push(order);
  return order;
}

/** An order that is not noted. */
export async function drawOrder(merchant: Merchant, history: History, recipients: Recipients): Promise<Order> {
  const { random } = merchant;
  if (random.next() < WITHDRAWALS) return drawWithdrawal(merchant, history);
  const way = random.next();
  const earlier = way < QUOTED_EARLIER ? merchant.quotes.shift() : undefined;
  const direction = earlier?.direction ?? random.pick(DIRECTIONS);
  const amount = earlier?.sourceAmount ?? drawAmount(merchant, corridorOf(direction).source) + drawCents(merchant);
  const isAsked = !earlier && way < QUOTED_EARLIER + QUOTED;
  const quote = isAsked ? await askQuote(merchant, history, { direction, sourceAmount: amount }) : undefined;
  // Some are laid aside and used later, when they may have expired.
  if (quote && random.next() < 0.5) merchant.quotes.push(quote);
  return transferOf(merchant, { direction, amount, quote: earlier ?? quote, history, recipients });
}

/** A transfer at the price in force, without a quote, that is not noted. */
export function drawTransfer(merchant: Merchant, history: History, recipients: Recipients): Order {
  const direction = merchant.random.pick(DIRECTIONS);
  const amount = drawAmount(merchant, corridorOf(direction).source);
  return transferOf(merchant, { direction, amount, quote: undefined, history, recipients });
}

interface Drawn {
  direction: Direction;
  amount: bigint;
  quote: HeldQuote | undefined;
  history: History;
  recipients: Recipients;
}

function transferOf(merchant: Merchant, { direction, amount, quote, history, recipients }: Drawn): Order {
  const { source, target } = corridorOf(direction);
  const { payee, phone } = drawPayee(merchant, direction, recipients);
  const shown = quote ? { target: quote.targetAmount, fee: quote.fee } : priceOf(pricesNow(history), direction, amount);
  const fee = merchant.random.next() < FEE_CONFIRMED ? shown.fee : undefined;
  const order = emptyOrder(merchant);
  return {
    ...order,
    payee,
    number: phone,
    source,
    direction,
    path: '/api/transactions/create',
    sourceAmount: amount,
    targetAmount: shown.target,
    fee: fee ?? quote?.fee,
    quote,
    body: {
      direction,
      sourceAmount: decimalOf(amount),
      sourceCurrency: source,
      targetAmount: decimalOf(shown.target),
      targetCurrency: target,
      recipientPhone: phone,
      pin: merchant.pin,
      clientTransactionId: order.clientTransactionId,
      ...(quote ? { quoteId: quote.quoteId } : {}),
      ...(fee === undefined ? {} : { fee: decimalOf(fee) }),
    },
  };
}

function drawPayee({ random }: Merchant, direction: Direction, recipients: Recipients) {
  const prefix = recipientPrefix(direction);
  const target = corridorOf(direction).target;
  const phones: [Order['payee'], string][] = [
    ['phone', `${prefix}74345${String(random.between(0, 99)).padStart(2, '0')}00`],
    ['phone', `${prefix}748999888`],
    ['unknown phone', `+${unknownNumber(target)}`],
    ['merchant', recipients[target].phone],
  ];
  const [payee, phone] = random.pick(phones);
  return { payee, phone };
}

/** A number that the simulator's networks do not know. */
function unknownNumber(currency: WalletCurrency): string {
  const { callingCode } = COUNTRIES[countryOf(currency)];
  return callingCode + (currency === WALLET_CURRENCIES[0] ? '703456089' : '713456089');
}

function drawWithdrawal(merchant: Merchant, history: History): Order {
  const { random, phones, banks } = merchant;
  const currency = random.pick(WALLET_CURRENCIES);
  // Two people decide. A longer backlog would have to be decided after the faults.
  const mayNeedPeople = history.undecided < MOST_UNDECIDED;
  const isToBank = random.next() < TO_BANK && mayNeedPeople;
  const atLimit = history.approvalLimits[currency] + (mayNeedPeople ? random.pick([0n, 100n]) : 0n);
  const amount = random.next() < AT_LIMIT ? atLimit : drawAmount(merchant, currency);
  const order = emptyOrder(merchant);
  const shown = feeOf(pricesNow(history), 'withdrawal', currency, amount);
  const fee = random.next() < FEE_CONFIRMED ? shown : undefined;
  return {
    ...order,
    payee: isToBank ? 'bank' : 'own phone',
    number: isToBank ? null : merchant.numbers[currency],
    ...(isToBank ? { bankAccount: merchant.bankAccount } : {}),
    source: currency,
    direction: undefined,
    path: '/api/withdrawals',
    sourceAmount: amount,
    targetAmount: amount,
    fee,
    quote: undefined,
    body: {
      amount: String(amount / 100n),
      currency,
      linkedAccountId: (isToBank ? banks : phones)[currency],
      pin: merchant.pin,
      clientTransactionId: order.clientTransactionId,
      ...(fee === undefined ? {} : { fee: decimalOf(fee) }),
    },
  };
}

/** An amount of whole units, in minor units. */
function drawAmount({ random }: Merchant, currency: WalletCurrency): bigint {
  return BigInt(worth(currency, random.pick(UNITS)) + random.between(0, 9)) * 100n;
}

const drawCents = ({ random }: Merchant): bigint => (random.next() < 0.3 ? BigInt(random.between(1, 99)) : 0n);

function emptyOrder({ userId }: Merchant) {
  return {
    clientTransactionId: `CLIENT-${randomUUID()}`,
    userId,
    sentMs: 0,
    clearMs: 0,
    acknowledged: [],
    refused: [],
    isRepriced: false,
    unclear: 0,
    resolvedLate: false,
  };
}
