import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { dayOf } from '@vuka/contracts/http/days';
import { MerchantAccount, MerchantDetail, Merchant as MerchantSchema } from '@vuka/contracts/http/merchants';
import * as z from 'zod/mini';
import { orNull, Text } from '#shared/api/fields.ts';
import { callApi, parseAnswer, sendRequest } from '#shared/api-client.ts';
import { fetchPage, type ListPage } from '#shared/list-page.ts';
import { pollByLength } from '#shared/pages-loaded.ts';
import { saveFile } from '#shared/save-file.ts';

// A record with an invalid date is still listed: its cell says so.
const Item = z.extend(MerchantSchema, {
  id: Text,
  merchantId: z._default(Text, ''),
  lockedUntil: orNull(Text),
  createdAt: Text,
});
export type Merchant = z.infer<typeof Item>;

/** Which merchants to list, and in what order; a leading `-` means descending. */
export interface MerchantFilters {
  search: string;
  sort: string;
}

export const MERCHANTS_KEY = ['/api/admin/merchants'] as const;

const LIST_KEY = [...MERCHANTS_KEY, 'list'] as const;

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;

function firstPath({ search, sort }: MerchantFilters, limit: number): string {
  return `/api/admin/merchants?${new URLSearchParams({ ...(search ? { search } : {}), sort, limit: String(limit) })}`;
}

/** The merchants that match, page by page. The previous results stay on screen while new ones load. */
export function merchantsQuery(filters: MerchantFilters) {
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, filters],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, Item, signal),
    initialPageParam: firstPath(filters, PAGE_SIZE),
    getNextPageParam: ({ nextPath }) => nextPath,
    select: ({ pages }) => ({
      merchants: pages.flatMap(({ items }) => items),
      total: pages.at(-1)?.total,
    }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    refetchInterval: pollByLength(30_000),
    refetchOnWindowFocus: true,
    refetchOnMount: true,
  });
}

/** Every merchant that matches, for an export. */
export async function fetchForExport(filters: MerchantFilters): Promise<Merchant[]> {
  const all: Merchant[] = [];
  let path: string | undefined = firstPath(filters, EXPORT_PAGE_SIZE);
  while (path !== undefined) {
    const page: ListPage<Merchant> = await fetchPage(path, Item);
    all.push(...page.items);
    path = page.nextPath;
  }
  return all;
}

/** Shows a merchant as blocked or active in every cached list, before the server answers. */
export function showBlocked(client: QueryClient, id: string, isBlocked: boolean): void {
  client.setQueriesData<InfiniteData<ListPage<Merchant>>>({ queryKey: LIST_KEY }, (list) =>
    list
      ? {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            items: page.items.map((merchant) => (merchant.id === id ? { ...merchant, isBlocked } : merchant)),
          })),
        }
      : undefined,
  );
}

/** Keyed under the list, so that a change of a merchant invalidates both. */
export function merchantQuery(id: string) {
  return queryOptions({
    queryKey: [...MERCHANTS_KEY, id],
    queryFn: ({ signal }) => callApi(`/api/admin/merchants/${encodeURIComponent(id)}`, MerchantDetail, { signal }),
    staleTime: 0,
    refetchInterval: 30_000,
    meta: { silent: true },
  });
}

/** Sends the wanted state, so that a repeat changes nothing. Returns the state that the server reports. */
export async function toggleBlock(id: string, isBlocked: boolean): Promise<boolean> {
  const path = `/api/admin/merchants/${encodeURIComponent(id)}/toggle-block`;
  const { json } = await sendRequest(path, { method: 'POST', body: { isBlocked } });
  const answer = z.safeParse(Item, json);
  return answer.success ? answer.data.isBlocked : isBlocked;
}

/** Gives an account the limits of a business, or takes them away. */
export function changeBusiness(id: string, isBusiness: boolean) {
  const path = `/api/admin/merchants/${encodeURIComponent(id)}/business`;
  return callApi(path, MerchantAccount, { method: 'POST', body: { isBusiness } });
}

export function unlockMerchant(id: string): Promise<Merchant> {
  return callApi(`/api/admin/merchants/${encodeURIComponent(id)}/unlock`, Item, { method: 'POST' });
}

/** Saves everything that is held about a merchant as a file. */
export async function downloadMerchantData(id: string, pin: string): Promise<void> {
  const path = `/api/admin/merchants/${encodeURIComponent(id)}/export`;
  const { json } = await sendRequest(path, { method: 'POST', body: { pin } });
  const { madeAt } = parseAnswer(z.looseObject({ madeAt: z.string() }), json);
  saveFile(`vuka-data-${id}-${dayOf(Date.parse(madeAt))}.json`, JSON.stringify(json, null, 2), 'application/json');
}

export function closeMerchant(id: string, typed: Record<string, string>) {
  return sendRequest(`/api/admin/merchants/${encodeURIComponent(id)}/close`, { method: 'POST', body: typed });
}
