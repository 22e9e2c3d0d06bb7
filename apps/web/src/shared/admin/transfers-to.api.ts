import { infiniteQueryOptions } from '@tanstack/react-query';
import { TransactionListItem } from '@vuka/contracts/http/transfers';
import { formatPhone, groupPhone } from '#shared/format/phone.ts';
import { fetchPage } from '#shared/list-page.ts';

/** "+255 763 456 789", or "0763 456 789" for a number of any country. */
export function formatSearched(phone: string): string {
  return phone.startsWith('0') ? `0${groupPhone(phone.slice(1))}` : formatPhone(phone);
}

/** The transactions to a whole phone number, newest first. */
export function transfersToQuery(phone: string) {
  return infiniteQueryOptions({
    queryKey: ['/api/admin/transactions', phone],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, TransactionListItem, signal),
    initialPageParam: `/api/admin/transactions?${new URLSearchParams({ recipient: phone })}`,
    getNextPageParam: ({ nextPath }) => nextPath,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    staleTime: 10_000,
    meta: { silent: true },
  });
}
