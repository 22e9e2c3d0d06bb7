/** The part of a channel that acknowledges: up to and including a tag, or that tag alone. */
interface AckingChannel {
  ack(message: never, allUpTo?: boolean): void;
}

export interface Acknowledgements {
  /** Acknowledges a delivery, at the end of this turn of the event loop. */
  ack(deliveryTag: number): void;
  /** A delivery was settled in another way. */
  settled(deliveryTag: number): void;
  /** Sends what is due at once. */
  flush(): void;
}

/** As many may be done behind one that is not before they are acknowledged one by one. */
const MAX_HELD_BACK = 32;

interface AcknowledgementOptions {
  channel: AckingChannel;
  /** How many deliveries may be open at once: what is held back counts among them. */
  prefetch: number;
  onFailure: (error: unknown) => void;
}

/**
 * Acknowledges in runs: one frame for everything that is done up to the first delivery that is not, since each frame of
 * its own is a write to the socket. A slow delivery holds back no more than a few others.
 */
export function createAcknowledgements({ channel, prefetch, onFailure }: AcknowledgementOptions): Acknowledgements {
  // Held back to the last, they would leave the broker nothing that it may still deliver.
  const maxHeldBack = Math.min(MAX_HELD_BACK, Math.floor(prefetch / 2));
  /** Done and not yet acknowledged, and those that were settled by themselves, from `next` on. */
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
    // The run must end with a tag that is still open, or the broker would not know it.
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
