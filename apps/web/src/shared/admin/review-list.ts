import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Proposal } from '@vuka/contracts/http/proposals';
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

export type ProposalsSchema<One extends Proposal> = z.ZodMiniType<{ proposals: One[]; nextCursor: string | null }>;

/** The proposals at this address that wait for another administrator. */
export function waitingProposalsQuery<One extends Proposal>(address: string, schema: ProposalsSchema<One>) {
  const read = ({ proposals }: { proposals: One[] }): One[] => proposals;
  return reviewListQuery({ key: [address], status: 'awaiting_approval', schema, read });
}
