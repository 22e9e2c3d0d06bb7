import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type ApiClient, order as orderBody, PIN, registerMerchant } from '@vuka/local/testing/api-client';
import { COUNTRIES } from '@vuka/money/corridors';
import { countryOf, RATED } from '@vuka/money/directions';
import { carriersOf } from '@vuka/money/networks';
import { recipientPrefix } from '@vuka/money/phones';
import { type History, isUnknown, type Order, type Payee } from './history.ts';
import type { Random } from './random.ts';

export interface Merchant {
  client: ApiClient;
  email: string;
  /** Sent in the present session. */
  wrongPins: number;
  userId: string;
  /** The id that administrators credit. */
  merchantId: string;
  /** The linked phone that they withdraw to. */
  accountId: string;
  /** Minor units of the source currency at the start. */
  funds: bigint;
  random: Random;
}

/** Amounts with what they buy at the demo rate, which does not change during a proof. */
const AMOUNTS = [
  ['100', '2303'],
  ['250', '5758'],
  ['1000', '23030'],
] as const;
const PREFIX = recipientPrefix(RATED.direction);
const OWN_PREFIX = COUNTRIES[countryOf(RATED.source)].callingCode;
/** The share of withdrawals among the orders. */
const WITHDRAWALS = 0.15;
const FUNDS_RICH = 10_000_000;
/** Too little for their orders, which compete for the last shillings. */
const FUNDS_POOR = 2_000;
export const REPEAT_MS = 150;
/** Checking PINs is bound by the processor: more registrations at once would only wait for each other. */
const REGISTERED_AT_ONCE = 4;
const REGISTRATION_TRIES = 5;

/** Registers merchants, signed in and funded; every eighth is poor. */
export async function registerMerchants(
  address: string,
  admin: ApiClient,
  random: Random,
  count: number,
): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let first = 0; first < count; first += REGISTERED_AT_ONCE) {
    const batch = Array.from({ length: Math.min(REGISTERED_AT_ONCE, count - first) }, (_, index) =>
      registerOne(address, admin, random, first + index),
    );
    merchants.push(...(await Promise.all(batch)));
  }
  return merchants;
}

/**
 * An attempt that an overloaded product refused leaves behind a merchant who sends nothing; the next attempt uses
 * another.
 */
async function registerOne(address: string, admin: ApiClient, random: Random, index: number): Promise<Merchant> {
  const funds = index % 8 === 7 ? FUNDS_POOR : FUNDS_RICH;
  for (let tries = 1; ; tries++) {
    try {
      const { client, user } = await registerMerchant(address, admin, { [RATED.source]: funds });
      return {
        client,
        email: user.email,
        wrongPins: 0,
        userId: user.id,
        merchantId: user.merchantData.merchantId,
        accountId: await linkPhone(client, index),
        funds: BigInt(funds) * 100n,
        random: random.fork(`merchant ${index}`),
      };
    } catch (error) {
      if (tries === REGISTRATION_TRIES) throw error;
      await delay(1_000);
    }
  }
}

/** A phone of the source currency's country, to withdraw to. */
async function linkPhone(client: ApiClient, index: number): Promise<string> {
  const account = {
    accountType: 'mobile_money',
    accountName: 'Own phone',
    phoneNumber: `+${OWN_PREFIX}7034${String(index).padStart(3, '0')}00`,
    carrier: carriersOf(countryOf(RATED.source))[0],
    pin: PIN,
  };
  const { status, body } = await client.post('/api/linked-accounts', account);
  if (status !== 201) throw new Error(`an account: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Sends one order after the other, in every way that clients do, until stopped. */
export async function keepSending(
  merchant: Merchant,
  history: History,
  options: { merchantPhone: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  while (!options.signal.aborted) {
    const order = draw(merchant, options.merchantPhone);
    history.orders.push(order);
    await sendAsDrawn(merchant, history, order);
    await delay(merchant.random.between(0, options.pauseMs * 2));
  }
}

function draw(merchant: Merchant, merchantPhone: string): Order {
  const { random, userId } = merchant;
  const isWithdrawal = random.next() < WITHDRAWALS;
  const phones: [Payee, string][] = [
    ['phone', `${PREFIX}76345${String(random.between(0, 99)).padStart(2, '0')}00`],
    ['phone', `${PREFIX}754999888`],
    ['unknown phone', `${PREFIX}713456089`],
    ['merchant', merchantPhone],
  ];
  const [payee, recipientPhone] = random.pick(phones);
  const [sourceAmount, targetAmount] = random.pick(AMOUNTS);
  const transfer = orderBody({ sourceAmount, targetAmount, recipientPhone });
  const { clientTransactionId, pin } = transfer;
  const { accountId: linkedAccountId } = merchant;
  const withdrawal = { amount: sourceAmount, currency: RATED.source, linkedAccountId, pin, clientTransactionId };
  return {
    clientTransactionId,
    userId,
    payee: isWithdrawal ? 'own phone' : payee,
    path: isWithdrawal ? '/api/withdrawals' : '/api/transactions/create',
    sourceAmount: BigInt(sourceAmount) * 100n,
    body: isWithdrawal ? withdrawal : transfer,
    acknowledged: [],
    refused: [],
    unclear: 0,
    resolvedLate: false,
  };
}

async function sendAsDrawn(merchant: Merchant, history: History, order: Order): Promise<void> {
  const way = merchant.random.next();
  if (way < 0.6) return sendUntilClear(merchant, history, order);
  if (way < 0.8) {
    // A double tap, a retry that overtakes the first request, a second tab.
    await Promise.all(Array.from({ length: 3 }, () => sendUntilClear(merchant, history, order)));
    return;
  }
  // Sent once, by a phone that then lost its network: the outcome is unknown unless the answer arrived.
  if (way < 0.88) return sendOnce(merchant, history, order);
  if (way < 0.94) {
    await sendUntilClear(merchant, history, order);
    return sendWithOtherAmount(merchant, history, order);
  }
  await sendWithWrongPin(merchant, history, order);
  return sendUntilClear(merchant, history, order);
}

/** Repeats an identical order until there is a clear answer, as the web app does. */
export async function sendUntilClear(merchant: Merchant, history: History, order: Order): Promise<void> {
  for (const deadline = Date.now() + history.patienceMs; Date.now() < deadline; ) {
    await sendOnce(merchant, history, order);
    if (!isUnknown(order)) return;
    await delay(REPEAT_MS);
  }
  history.surprises.push(`${order.clientTransactionId}: no clear answer within ${history.patienceMs} ms`);
}

async function post(
  { client }: Merchant,
  history: History,
  { path }: Order,
  body: object,
): Promise<Answer | undefined> {
  history.requests += 1;
  const count = (what: string) => history.answers.set(what, (history.answers.get(what) ?? 0) + 1);
  try {
    const answer = await client.post(path, body);
    count(String(answer.status));
    if (answer.status >= 400) history.errorBodies.add(JSON.stringify(answer.body));
    return answer;
  } catch (error) {
    // A connection may break with its gateway; a missing answer is a violation.
    const isTimeout = (error as Error).name === 'TimeoutError';
    count(isTimeout ? 'no answer in time' : 'connection lost');
    if (isTimeout) history.surprises.push('no answer within 10 s');
    return undefined;
  }
}

async function sendOnce(merchant: Merchant, history: History, order: Order): Promise<void> {
  const answer = await post(merchant, history, order, order.body);
  if (answer?.status === 201 || answer?.status === 200)
    order.acknowledged.push((answer.body.transaction ?? answer.body.withdrawal).id);
  else if (answer?.status === 422) order.refused.push(answer.body.code);
  else {
    order.unclear += 1;
    if (answer && !isComeBackLater(answer)) history.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

const isComeBackLater = ({ status, headers }: Answer): boolean =>
  status === 503 && Number(headers.get('retry-after')) > 0;

/** The same id with another amount is refused, whether or not the first order arrived. */
async function sendWithOtherAmount(merchant: Merchant, history: History, order: Order): Promise<void> {
  const other = order.payee === 'own phone' ? { amount: '500' } : { sourceAmount: '500', targetAmount: '11515' };
  const answer = await post(merchant, history, order, { ...order.body, ...other });
  if (answer && answer.status !== 409 && !isComeBackLater(answer)) {
    history.surprises.push(`another order under a known id: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

/** A session ends after thirty wrong PINs, also those whose answer was lost; a network may deliver each of them twice. */
const WRONG_PINS_OF_A_SESSION = 14;

async function sendWithWrongPin(merchant: Merchant, history: History, order: Order): Promise<void> {
  if (merchant.wrongPins === WRONG_PINS_OF_A_SESSION) await signInAgain(merchant, history);
  merchant.wrongPins += 1;
  const answer = await post(merchant, history, order, { ...order.body, pin: '9753' });
  if (answer && answer.status !== 401 && !isComeBackLater(answer)) {
    history.surprises.push(`a wrong PIN: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

/** Repeats until it succeeds, since services may be unavailable. */
async function signInAgain(merchant: Merchant, history: History): Promise<void> {
  const form = { username: merchant.email, pin: PIN };
  for (const deadline = Date.now() + history.patienceMs; Date.now() < deadline; ) {
    const answer = await merchant.client.post('/api/login', form).catch(() => undefined);
    if (answer?.status === 200) {
      merchant.wrongPins = 0;
      return;
    }
    await delay(REPEAT_MS);
  }
  history.surprises.push(`${merchant.email}: no sign-in within ${history.patienceMs} ms`);
}
