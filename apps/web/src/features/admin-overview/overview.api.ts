import { queryOptions } from '@tanstack/react-query';
import { AdminOverview } from '@vuka/contracts/http/overview';
import { callApi } from '#shared/api-client.ts';

export function overviewQuery() {
  return queryOptions({
    queryKey: ['/api/admin/overview'],
    queryFn: ({ signal }) => callApi('/api/admin/overview', AdminOverview, { signal }),
    staleTime: 0,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchInterval: 30_000,
  });
}
