import { Overloaded, overloaded } from '@vuka/service-kit/app-error';
import { createConcurrencyLimit } from '@vuka/service-kit/concurrency-limit';

/** The routes behind the gate, so that nothing else waits behind orders. */
export const ORDER_ROUTES: ReadonlySet<string> = new Set(['/api/transactions/create', '/api/withdrawals']);

/**
 * Senders should not wait longer than `slowMs`; a faster machine raises its own limit. `min` is what 32 orders a second need to
 * wait four seconds, as long as a call to transfers may take: processes that start may take the processor that long.
 */
const LIMIT = { min: 128, max: 1_000, start: 200, slowMs: 1_000 };
/** Places beyond the limit, for repeats of orders that were passed on before. */
const RESERVE = 32;
/** For this long after a start, orders that waited for this gateway arrive; the limit does not adapt to them. */
const STARTS_WITHIN_MS = 10_000;
/** Ids of recently passed-on orders. */
const REMEMBERED = 20_000;

export interface OrderGate {
  /**
   * Admits an order: `check` identifies the sender, `send` passes the order on. Throws `unavailable` before either if
   * too many orders are in flight, or shortly after transfers reported a long backlog.
   */
  letThrough<Signed, Result>(
    clientTransactionId: string,
    check: () => Promise<Signed>,
    send: (signed: Signed) => Promise<Result>,
  ): Promise<Result>;
  /** Orders that may be in flight at once. */
  readonly limit: number;
}

interface OrderGateOptions {
  /** Whether orders wait for a service that is being replaced. */
  isPaused?: () => boolean;
  nowMs?: () => number;
}

/**
 * The gate in front of orders. When a refusal reports a long backlog, the gate closes for a moment, so that orders
 * which would be refused anyway cost no session check and no query. An order that this process has passed on before
 * may have been accepted: it is admitted, and answered with its outcome.
 */
export function createOrderGate(options: OrderGateOptions = {}): OrderGate {
  const { isPaused = () => false, nowMs = () => performance.now() } = options;
  const createdMs = nowMs();
  const isStarting = () => nowMs() - createdMs < STARTS_WITHIN_MS;
  const limit = createConcurrencyLimit({ ...LIMIT, isPaused: () => isStarting() || isPaused(), nowMs });
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
        throw overloaded('the order gate is closed', retryAfterSeconds);
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
        throw overloaded('transfers is overloaded', error.retryAfterSeconds);
      } finally {
        end();
      }
    },
    get limit() {
      return limit.current;
    },
  };
}
