import type { Subscription } from '#messaging/message-bus.ts';

/** The open subscriptions of a bus, which end with it. */
export interface Subscriptions {
  add(consumer: Subscription): Subscription;
  stopAll(): Promise<void>;
}

export function createSubscriptions(): Subscriptions {
  const open = new Set<Subscription>();
  return {
    add(consumer) {
      const subscription = {
        async stop() {
          open.delete(subscription);
          await consumer.stop();
        },
      };
      open.add(subscription);
      return subscription;
    },
    async stopAll() {
      await Promise.all([...open].map((subscription) => subscription.stop()));
    },
  };
}
