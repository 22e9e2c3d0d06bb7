import { infiniteQueryOptions } from '@tanstack/react-query';
import { type TransactionListItem, TransactionListItem as TransactionSchema } from '@vuka/contracts/http/transfers';
import * as z from 'zod/mini';
import { parseAnswer, sendRequest } from '#shared/api-client.ts';
import { formatPhone, groupPhone } from '#shared/format/phone.ts';

interface Page {
  items: TransactionListItem[];
  nextPath: string | undefined;
}

async function fetchPage(path: string, signal: AbortSignal): Promise<Page> {
  const { json, nextPath } = await sendRequest(path, { signal });
  return { items: parseAnswer(z.array(TransactionSchema), json), nextPath };
}

/** "+255 763 456 789", or "0763 456 789" for a number of any country. */
export function formatSearched(phone: string): string {
  return phone.startsWith('0') ? `0${groupPhone(phone.slice(1))}` : formatPhone(phone);
}

/** The transactions to a whole phone number, newest first. */
export function transfersToQuery(phone: string) {
  return infiniteQueryOptions({
    queryKey: ['/api/admin/transactions', phone],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: `/api/admin/transactions?${new URLSearchParams({ recipient: phone })}`,
    getNextPageParam: ({ nextPath }) => nextPath,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    staleTime: 10_000,
    meta: { silent: true },
  });
}
