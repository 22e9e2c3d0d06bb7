import * as z from 'zod/mini';
import { parseAnswer, sendRequest } from './api-client.ts';

/** One page of a list whose answers name the next page in their `Link` header. */
export interface ListPage<Item> {
  items: Item[];
  /** The address of the next page; undefined on the last page. */
  nextPath: string | undefined;
  /** The number of items on all pages; undefined if the server did not count them. */
  total: number | undefined;
}

/** Reads one page of a list. Throws as `sendRequest` does. */
export async function fetchPage<Item>(
  path: string,
  item: z.ZodMiniType<Item>,
  signal?: AbortSignal,
): Promise<ListPage<Item>> {
  const { json, nextPath, total } = await sendRequest(path, signal ? { signal } : {});
  return { items: parseAnswer(z.array(item), json), nextPath, total };
}
