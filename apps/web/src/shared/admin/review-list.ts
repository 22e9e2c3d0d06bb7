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

/** A list of one kind of proposal. */
export interface ProposalList<One extends Proposal> {
  key: readonly [address: string];
  schema: z.ZodMiniType<{ proposals: One[]; nextCursor: string | null }>;
}

/** The proposals of a list that wait for another administrator. */
export function waitingProposalsQuery<One extends Proposal>(list: ProposalList<One>) {
  const read = ({ proposals }: { proposals: One[] }): One[] => proposals;
  return reviewListQuery({ ...list, status: 'awaiting_approval', read });
}
