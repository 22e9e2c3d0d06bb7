import type { ConfirmChannel, Message, Options } from 'amqplib';
import type { AmqpLink } from '#messaging/amqp-link.ts';
import type { PublishOutcome } from '#messaging/message-bus.ts';

/** A message in the broker's terms. `mandatory` requests a report when no queue takes it. */
export interface RawMessage {
  exchange: string;
  routingKey: string;
  content: Buffer;
  options: Options.Publish;
}

export interface RabbitmqPublisher {
  publish(messages: readonly RawMessage[]): Promise<PublishOutcome[]>;
  /** Listens for returned messages; call it for every new channel. */
  attach(channel: ConfirmChannel): void;
}

/** Matches a return, which arrives just before its confirm, with the publish. */
const PUBLISH_ID = 'publish-id';
/** Bounds the messages in memory; a full window already keeps the broker busy. */
const WINDOW = 1000;

/** Publishes with confirms over a link, many at a time. Each message waits at most `timeoutMs` for its confirm. */
export function createRabbitmqPublisher(link: () => AmqpLink | undefined, timeoutMs: number): RabbitmqPublisher {
  const returned = new Set<number>();
  let lastId = 0;
  let inFlight = 0;
  const waiting: (() => void)[] = [];

  function publishOne(channel: ConfirmChannel, message: RawMessage): Promise<PublishOutcome> {
    lastId += 1;
    const id = lastId;
    inFlight += 1;
    return new Promise<PublishOutcome>((resolve) => {
      const timer = setTimeout(
        () => settle({ status: 'unknown', error: `no confirm within ${timeoutMs} ms` }),
        timeoutMs,
      );
      let isSettled = false;
      function settle(outcome: PublishOutcome): void {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        inFlight -= 1;
        waiting.shift()?.();
        resolve(returned.delete(id) && outcome.status === 'confirmed' ? { status: 'unroutable' } : outcome);
      }
      try {
        const headers = { ...message.options.headers, [PUBLISH_ID]: id };
        const options = { ...message.options, headers, persistent: true };
        channel.publish(message.exchange, message.routingKey, message.content, options, (error: unknown) =>
          settle(error ? refusalOf(error) : { status: 'confirmed' }),
        );
      } catch (error) {
        settle({ status: 'unknown', error: String(error) });
      }
    });
  }

  async function publishSoon(message: RawMessage): Promise<PublishOutcome> {
    const channel = link()?.channel();
    if (!channel) return { status: 'unknown', error: 'not connected to the broker' };
    if (link()?.isBlocked()) return { status: 'unknown', error: 'the broker accepts no messages' };
    return publishOne(channel, message);
  }

  return {
    async publish(messages) {
      const outcomes: Promise<PublishOutcome>[] = [];
      for (const message of messages) {
        while (inFlight >= WINDOW) await new Promise<void>((resolve) => waiting.push(resolve));
        outcomes.push(publishSoon(message));
      }
      return Promise.all(outcomes);
    },
    attach(channel) {
      channel.on('return', (message: Message) => {
        const id: unknown = message.properties.headers?.[PUBLISH_ID];
        if (typeof id === 'number') returned.add(id);
      });
    },
  };
}

/** A broker's nack is a refusal; if the channel closed first, the outcome is unknown. */
function refusalOf(error: unknown): PublishOutcome {
  const text = error instanceof Error ? error.message : String(error);
  return { status: /nack/i.test(text) ? 'nacked' : 'unknown', error: text.slice(0, 500) };
}
