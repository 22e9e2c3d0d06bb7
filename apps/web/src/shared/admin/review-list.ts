import { infiniteQueryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callApi } from '#shared/api-client.ts';
import { pollByLength } from '#shared/pages-loaded.ts';

const PAGE_SIZE = 50;

/**
 * The items of one status that administrators decide on, page by page: `key` is the address of the list, `read` gets
 * the entries from a page.
 */
export function reviewListQuery<Page extends { nextCursor: string | null }, Entry>(options: {
  key: readonly [address: string];
  status: string;
  schema: z.ZodMiniType<Page>;
  read: (page: Page) => Entry[];
}) {
  const { key, status, schema, read } = options;
  return infiniteQueryOptions({
    queryKey: [...key, status],
    queryFn: ({ pageParam, signal }) =>
      callApi(`${key[0]}?status=${status}&limit=${PAGE_SIZE}${pageParam}`, schema, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor && `&cursor=${nextCursor}`,
    select: ({ pages }) => pages.flatMap(read),
    staleTime: 5_000,
    refetchInterval: pollByLength(15_000),
    refetchOnWindowFocus: true,
    refetchOnMount: true,
  });
}
