import type { QueueFigures } from '@vuka/contracts/http/queues';

/** Whether the queue has messages but no consumer. */
export function isLeft({ ready, consumers }: Pick<QueueFigures, 'ready' | 'consumers'>): boolean {
  return (ready ?? 0) > 0 && consumers === 0;
}
