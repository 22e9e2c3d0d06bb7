import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { EVENT_NAMES, TransactionChanged } from '@vuka/contracts/http/events';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { BALANCES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import { HISTORY_KEY, receiptKey } from '#shared/api/transactions.api.ts';
import { parseJson } from '#shared/api-client.ts';
import { pagesLoaded } from '#shared/pages-loaded.ts';
import { USER_KEY } from '#shared/session.ts';

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 60_000;
/** Without HTTP/2 a browser has six connections to us, which hidden tabs would use up. */
const HIDDEN_LIMIT_MS = 30_000;

/** The longest list, in pages, that is fetched again at every event. */
const SHORT_LIST_PAGES = 3;

type EventName = (typeof EVENT_NAMES)[number];

/** Invalidates the data that an event concerns; data on screen is then fetched again. */
export function applyEvent(client: QueryClient, name: EventName, data: string): void {
  const refresh = (queryKey: readonly unknown[], exact = false) => void client.invalidateQueries({ queryKey, exact });
  if (name === 'session') {
    refresh(USER_KEY);
    return;
  }
  refresh(BALANCES_KEY);
  if (name === 'balances') return;
  const changed = z.safeParse(TransactionChanged, parseJson(data));
  refresh(TRANSACTIONS_KEY, true);
  // A longer list would be fetched page by page for every event; its own polling updates it.
  void client.invalidateQueries({
    queryKey: HISTORY_KEY,
    predicate: (query) => pagesLoaded(query) <= SHORT_LIST_PAGES,
  });
  if (changed.success) refresh(receiptKey(changed.data.transactionId));
}

/**
 * Follows the user's own events. The browser resumes a broken stream on its own. If it gives up (a refusal, a gateway
 * restart) a new stream is opened, with increasing delays. A tab that has been hidden for a while closes its stream.
 * The polling of the queries continues in any case.
 */
function follow(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  let hasMissed = false;

  const open = (): void => {
    source = new EventSource('/api/events', { withCredentials: true });
    source.onopen = () => {
      retryMs = FIRST_RETRY_MS;
      // A new stream does not resume where the last one ended.
      if (hasMissed) applyEvent(client, 'transaction', '');
      hasMissed = false;
    };
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      hasMissed = true;
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    };
    for (const name of EVENT_NAMES) {
      source.addEventListener(name, (event) => applyEvent(client, name, String(event.data)));
    }
  };

  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    hasMissed = true;
  };
  const onVisibility = (): void => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(close, HIDDEN_LIMIT_MS);
    else if (!source) open();
  };

  open();
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(hiding);
    close();
  };
}

/** Live updates for the signed-in user, if the browser supports them. */
export function useLiveUpdates(userId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!userId || typeof EventSource === 'undefined') return;
    return follow(client);
  }, [client, userId]);
}
