import type { MessageBus } from '@vuka/service-kit/messaging/message-bus';
import type { Labelled, Metrics } from '@vuka/service-kit/metrics';

/**
 * The embedded bus's queues, for the alerts and the dashboard. RabbitMQ exports such figures itself. While the bus is
 * unavailable there are none.
 */
export function exportQueues(metrics: Pick<Metrics, 'gauges'>, bus: Pick<MessageBus, 'health' | 'stats'>): void {
  const labels = ['queue', 'state'];
  metrics.gauges('vuka_queue_messages', 'Messages in a queue of the embedded bus', labels, async () => {
    const stats = bus.health().connected ? await bus.stats().catch(() => []) : [];
    return stats.flatMap(({ queue, ready, unacked, dead }) =>
      Object.entries({ ready, unacked, dead }).flatMap(([state, value]): Labelled[] =>
        value === null ? [] : [{ labels: { queue, state }, value }],
      ),
    );
  });
}
