import { Overloaded, overloaded } from '@vuka/service-kit/app-error';
import { createConcurrencyLimit } from '@vuka/service-kit/concurrency-limit';

/** The routes that go through the door, so that nothing else waits behind them. */
export const ORDER_ROUTES: ReadonlySet<string> = new Set(['/api/transactions/create', '/api/withdrawals']);

/** Whoever sends money does not wait gladly for longer. A machine that can do more raises its limit by itself. */
const LIMIT = { min: 64, max: 1_000, start: 200, slowMs: 1_000 };
/** For orders that were passed on before, beyond the limit. */
const RESERVE = 32;
/** Ids of orders that were passed on lately. */
const REMEMBERED = 20_000;

export interface OrderDoor {
  /**
   * Lets an order through: `check` says whose it is, `send` passes it on. Throws `unavailable` before either when too
   * many orders are under way, or a moment after the backlog was said to be too long.
   */
  letThrough<Signed, Result>(
    clientTransactionId: string,
    check: () => Promise<Signed>,
    send: (signed: Signed) => Promise<Result>,
  ): Promise<Result>;
  /** Orders that may be under way at once. */
  readonly limit: number;
}

/**
 * The door in front of orders. When a refusal says that the backlog is too long, it is closed for a moment, so that
 * orders which would be refused in any case cost no check of a session and no look into the books. An order that this
 * process has passed on before may have been accepted: it is let through, and answered with what became of it.
 */
export function createOrderDoor(nowMs: () => number = () => performance.now()): OrderDoor {
  const limit = createConcurrencyLimit({ ...LIMIT, nowMs });
  const known = new Set<string>();
  let closedUntilMs = Number.NEGATIVE_INFINITY;
  let retryAfterSeconds = 1;

  function remember(id: string): void {
    known.add(id);
    const [oldest] = known;
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  }

  function closeAfter(refusal: Overloaded): void {
    closedUntilMs = nowMs() + (refusal.closedForMs ?? 0);
    retryAfterSeconds = refusal.retryAfterSeconds ?? 1;
  }

  return {
    async letThrough(id, check, send) {
      const isKnown = known.has(id);
      if (!isKnown && nowMs() < closedUntilMs) {
        throw overloaded('the door for orders is closed', retryAfterSeconds);
      }
      const end = limit.begin(isKnown ? RESERVE : 0);
      try {
        const signed = await check();
        remember(id);
        return await send(signed);
      } catch (error) {
        if (!(error instanceof Overloaded)) throw error;
        known.delete(id);
        closeAfter(error);
        throw overloaded('transfers has too much to do', error.retryAfterSeconds);
      } finally {
        end();
      }
    },
    get limit() {
      return limit.current;
    },
  };
}
