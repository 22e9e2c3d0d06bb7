import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Notification, type NotificationQuery, Notifications } from '@vuka/contracts/http/notifications';
import { callApi } from '#shared/api-client.ts';

export const PAGE = 50;

export function notificationsQuery(filter: Pick<NotificationQuery, 'channel' | 'status'>) {
  return infiniteQueryOptions({
    queryKey: ['/api/admin/notifications', filter.channel ?? 'all', filter.status ?? 'all'],
    queryFn: async ({ signal, pageParam }): Promise<Notification[]> => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...filter, before: pageParam })) if (value) query.set(name, value);
      return (await callApi(`/api/admin/notifications?${query}`, Notifications, { signal })).notifications;
    },
    initialPageParam: '',
    // A full page may be followed by another one.
    getNextPageParam: (last) => (last.length === PAGE ? last.at(-1)?.id : undefined),
    staleTime: 0,
    refetchOnMount: true,
    meta: { silent: true },
  });
}
