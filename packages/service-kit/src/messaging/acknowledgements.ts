/** The acknowledging part of a channel: one tag, or every tag up to and including it. */
interface AckingChannel {
  ack(message: never, allUpTo?: boolean): void;
}

export interface Acknowledgements {
  /** Acknowledges a delivery at the end of this turn of the event loop. */
  ack(deliveryTag: number): void;
  /** Records that a delivery was settled in another way. */
  settled(deliveryTag: number): void;
  /** Sends pending acknowledgements at once. */
  flush(): void;
}

/** If more finished deliveries than this wait behind an unfinished one, they are acknowledged one by one. */
const MAX_HELD_BACK = 32;

interface AcknowledgementOptions {
  channel: AckingChannel;
  /** How many deliveries may be open at once; those held back count. */
  prefetch: number;
  onFailure: (error: unknown) => void;
}

/**
 * Acknowledges in runs: one frame for everything up to the first unfinished delivery, since each frame is a write to
 * the socket. A slow delivery holds back only a few others.
 */
export function createAcknowledgements({ channel, prefetch, onFailure }: AcknowledgementOptions): Acknowledgements {
  // If all were held back, the broker could deliver nothing more.
  const maxHeldBack = Math.min(MAX_HELD_BACK, Math.floor(prefetch / 2));
  /**
   * States of finished deliveries from `next` on: `done` is not yet acknowledged, `settled` was settled in another way.
   */
  const states = new Map<number, 'done' | 'settled'>();
  let next = 1;
  let held = 0;
  let isScheduled = false;

  function send(deliveryTag: number, allUpTo: boolean) {
    channel.ack({ fields: { deliveryTag } } as never, allUpTo);
  }

  function flush() {
    isScheduled = false;
    try {
      sendRun();
      if (held > maxHeldBack) sendSingles();
    } catch (error) {
      onFailure(error);
    }
  }

  function sendRun() {
    // The run must end with an open tag; the broker does not know any other.
    let last = 0;
    for (let state = states.get(next); state; state = states.get(next)) {
      states.delete(next);
      if (state === 'done') {
        last = next;
        held -= 1;
      }
      next += 1;
    }
    if (last > 0) send(last, true);
  }

  function sendSingles() {
    for (const [tag, state] of states) {
      if (state !== 'done') continue;
      send(tag, false);
      states.set(tag, 'settled');
    }
    held = 0;
  }

  return {
    ack(deliveryTag) {
      states.set(deliveryTag, 'done');
      held += 1;
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
    settled(deliveryTag) {
      states.set(deliveryTag, 'settled');
    },
    flush,
  };
}
