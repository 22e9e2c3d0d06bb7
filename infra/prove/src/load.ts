import { liftLimits } from '@vuka/test-kit/lift-limits';
import { type Administrators, signInAdministrators } from './administrators.ts';
import { keepBlocking } from './blocks.ts';
import type { Recipients } from './draw-order.ts';
import { keepDecidingExceptions } from './exception-decisions.ts';
import type { History } from './history.ts';
import { type Merchant, registerMerchants, registerRecipients } from './merchants.ts';
import { keepMovingMoney, lowerCreditLimit } from './movements.ts';
import { keepOverseeing } from './oversight.ts';
import { keepChangingPin } from './pin-changes.ts';
import { keepRepricing } from './pricing-changes.ts';
import { keepAging } from './quoting.ts';
import type { Random } from './random.ts';
import { keepReading } from './readers.ts';
import { keepSending } from './sending.ts';
import { keepDeciding } from './withdrawal-decisions.ts';

/** Everyone who uses the product in a proof. */
export interface Cast extends Administrators {
  /** All of them; the last few are blocked or change their PIN from time to time, and order in between. */
  merchants: Merchant[];
  /** The merchants who receive transfers. */
  recipients: Recipients;
}

/** Merchants who also read, and their mean pause, ms. */
const READERS = 8;
const READ_PAUSE_MS = 250;
const MOVING_PAUSE_MS = 300;
/** Few, because hashing PINs is slow. */
const BLOCKED = 2;
const CHANGING_PINS = 2;
const OVERSEEING_PAUSE_MS = 500;
const REPRICING_PAUSE_MS = 500;
const AGING_PAUSE_MS = 1_000;
const DECIDING_PAUSE_MS = 300;
const DECIDING_EXCEPTIONS_PAUSE_MS = 1_000;

/** Registers everyone and funds them. */
export async function gatherCast(address: string, random: Random, merchants: number): Promise<Cast> {
  await liftLimits(address);
  const administrators = await signInAdministrators(address);
  const recipients = await registerRecipients(address);
  const count = merchants + BLOCKED + CHANGING_PINS;
  const registered = await registerMerchants(address, administrators.admin.client, random, count);
  await lowerCreditLimit(administrators);
  return { ...administrators, recipients, merchants: registered };
}

/** The merchants who are never blocked and keep their PIN. */
export const sendersOf = ({ merchants }: Cast): Merchant[] => merchants.slice(0, -(BLOCKED + CHANGING_PINS));

/** Runs every activity in parallel, until stopped. */
export async function keepBusy(
  cast: Cast,
  history: History,
  options: { random: Random; transfersDatabaseUrl: string; pauseMs: number; signal: AbortSignal },
): Promise<void> {
  const { admin, merchants, recipients } = cast;
  const { random, transfersDatabaseUrl, signal } = options;
  const senders = sendersOf(cast);
  const [blocked, changing] = [merchants.slice(senders.length, -CHANGING_PINS), merchants.slice(-CHANGING_PINS)];
  await Promise.all([
    ...senders.map((merchant) => keepSending(merchant, history, { ...options, recipients })),
    ...senders
      .slice(0, READERS)
      .map((merchant) => keepReading(merchant, history, { ...options, pauseMs: READ_PAUSE_MS })),
    ...blocked.map((merchant) => keepBlocking(merchant, admin, history, { recipients, signal })),
    ...changing.map((merchant) => keepChangingPin(merchant, history, { recipients, signal })),
    keepMovingMoney(cast, merchants, history, { random: random.fork('money'), pauseMs: MOVING_PAUSE_MS, signal }),
    keepOverseeing(admin, history, {
      random: random.fork('oversight'),
      transfersDatabaseUrl,
      pauseMs: OVERSEEING_PAUSE_MS,
      signal,
    }),
    keepRepricing(cast, history, { random: random.fork('prices'), pauseMs: REPRICING_PAUSE_MS, signal }),
    keepAging(merchants, transfersDatabaseUrl, { pauseMs: AGING_PAUSE_MS, signal }),
  ]);
}

/** The activities that must continue until every transfer has ended and its news has arrived. */
export async function keepServing(
  cast: Cast,
  history: History,
  { random, providerUrl, signal }: { random: Random; providerUrl: string; signal: AbortSignal },
): Promise<void> {
  await Promise.all([
    keepDeciding(cast, history, { random: random.fork('decisions'), pauseMs: DECIDING_PAUSE_MS, signal }),
    keepDecidingExceptions(cast.approver, history, { providerUrl, pauseMs: DECIDING_EXCEPTIONS_PAUSE_MS, signal }),
  ]);
}
