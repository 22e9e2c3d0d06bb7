import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '@vuka/service-kit/batcher';
import { exchange } from '@vuka/service-kit/http-exchange';
import type { Logger } from '@vuka/service-kit/logger';
import { Pool } from 'undici';
import { toCallback } from '#answers/payout.view.ts';
import type { Db, PayoutRow } from '#db/schema.ts';
import { type Effect, type EffectName, findEffect, numberOf } from '#effects/effect.domain.ts';
import { type CallbackAttempt, noteAttempts } from './callback.store.ts';
import { signCallback } from './sign-callback.ts';
import type { SigningKey } from './signing-key.ts';

const GIVE_UP_AFTER_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const MAX_IN_FLIGHT = 1_000;
/**
 * Far more than are in flight while the receiver keeps up. With 64, a receiver that answered in 0.2 s under load got at
 * most 300 callbacks per second, seconds late, and inquired about the other payouts meanwhile.
 */
const CONNECTIONS = 512;
const TIMEOUT_MS = 10_000;
const DRAIN_MS = 3_000;
/** The time between two writes of attempts' results. The leases of unwritten results are far longer. */
const NOTING_PACE_MS = 100;

/** Effects that the parameter `attempts` limits to that many first attempts. */
const PER_ATTEMPT: readonly EffectName[] = [
  'forged_signature',
  'unknown_key',
  'bad_digest',
  'expired_signature',
  'wrong_host',
  'unsigned',
  'wrong_amount',
  'wrong_currency',
  'wrong_msisdn',
  'wrong_id',
  'unknown_status',
];

export interface CallbackSender {
  readonly hasRoom: boolean;
  /** Sends the callbacks of these payouts, once each, and writes the results. Never throws. */
  send(rows: readonly PayoutRow[]): Promise<void>;
  /** Resolves when this payout's callback in flight, if any, has been answered. */
  whenSent(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface CallbackSenderDeps {
  db: Db;
  logger: Logger;
  url: URL;
  key: () => SigningKey;
  now: () => Date;
}

/**
 * Reports the final states of payouts to the subscriber, signed again at each attempt, for 15 minutes until a 200.
 */
export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
  const pool = new Pool(deps.url.origin, {
    connections: CONNECTIONS,
    connect: { timeout: 2_000 },
  });
  const attempts = createBatcher<CallbackAttempt, undefined>({
    paceMs: NOTING_PACE_MS,
    run: (made) => noteAttempts(deps.db, made),
  });
  const onTheWay = new Map<string, Promise<void>>();

  async function post(body: Record<string, unknown>, effects: readonly Effect[]): Promise<boolean> {
    const text = JSON.stringify(body);
    const headers = signCallback(deps.key(), { url: deps.url, body: text, now: new Date(), effects });
    try {
      const request = { method: 'POST', path: deps.url.pathname, headers, body: text, timeoutMs: TIMEOUT_MS } as const;
      return (await exchange(pool, request)).status === 200;
    } catch (error) {
      deps.logger.debug({ err: error }, 'a callback did not arrive');
      return false;
    }
  }

  async function attempt(row: PayoutRow): Promise<void> {
    const effects = row.effects.filter(
      (effect) =>
        !PER_ATTEMPT.includes(effect.name) ||
        row.callback_attempts < numberOf(effect, 'attempts', Number.POSITIVE_INFINITY),
    );
    const body = toCallback(row, effects);
    const copies = numberOf(findEffect(effects, 'callback_duplicated'), 'times', 3);
    const isRepeated = findEffect(effects, 'callback_duplicated') !== undefined;
    const answers = await Promise.all(Array.from({ length: isRepeated ? copies : 1 }, () => post(body, effects)));
    const isTaken = answers.some(Boolean);
    // Contradicts only a readable COMPLETED that was received: another effect may have spoiled the first callback.
    const isTold = isTaken && body.status === 'COMPLETED';
    if (isTold && findEffect(effects, 'completed_then_failed')) await post({ ...body, status: 'FAILED' }, effects);
    await attempts.submit({ id: row.id, nextAt: isTaken ? null : nextAttemptAt(row, deps.now()) });
  }

  return {
    get hasRoom() {
      return onTheWay.size < MAX_IN_FLIGHT;
    },
    async send(rows) {
      const sending = rows
        .filter(({ id }) => !onTheWay.has(id))
        .map((row) => {
          const sent = attempt(row)
            .catch((error: unknown) =>
              deps.logger.warn({ err: error, payoutId: row.id }, 'the result of a callback was not written'),
            )
            .finally(() => onTheWay.delete(row.id));
          onTheWay.set(row.id, sent);
          return sent;
        });
      await Promise.all(sending);
    },
    whenSent: async (id) => onTheWay.get(id),
    async close() {
      await Promise.race([Promise.all(onTheWay.values()), delay(DRAIN_MS, undefined, { ref: false })]);
      await pool.destroy();
    },
  };
}

function nextAttemptAt(row: PayoutRow, now: Date): Date | null {
  const since = row.callback_since ?? now;
  if (now.getTime() - since.getTime() > GIVE_UP_AFTER_MS) return null;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.callback_attempts, 10), LONGEST_PAUSE_MS);
  return new Date(now.getTime() + pauseMs);
}
