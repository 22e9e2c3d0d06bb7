import type { Notification } from '@vuka/contracts/http/notifications';

export type Occasion = readonly [Notification, ...Notification[]];

/** The messages of one event to one person together, in the place of the first of them. */
export function byOccasion(notifications: readonly Notification[]): Occasion[] {
  const groups = new Map<string, [Notification, ...Notification[]]>();
  for (const notification of notifications) {
    const { occasion = notification.id } = notification;
    const group = groups.get(occasion);
    if (group) group.push(notification);
    else groups.set(occasion, [notification]);
  }
  return [...groups.values()];
}
