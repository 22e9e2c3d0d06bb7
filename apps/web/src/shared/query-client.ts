import { params } from '@nanostores/i18n';
import { hashKey, MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';
import { i18n, languageStarted } from '#shared/i18n/i18n.ts';
import { onSignInElsewhere, type SessionUser, USER_KEY } from '#shared/session.ts';
import { showError } from '#shared/toast-store.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `silent`: the caller shows the failure. */
    queryMeta: { silent?: boolean };
    mutationMeta: { silent?: boolean };
  }
}

const MESSAGES = i18n('query-client', {
  authentication: 'Authentication Error',
  invalidCredentials: 'Invalid credentials. Please check your username and PIN.',
  request: 'Request Error',
  status: params('Error {status}: {message}'),
  network: 'Network Error',
  query: 'Query Error',
  unknown: 'Unknown Error',
});

function showNetworkError(error: unknown): void {
  showError(MESSAGES.get().network, errorMessage(error));
}

/** The toast of a failed call whose screen has no message of its own for it. */
function showRequestError(error: unknown): void {
  if (error instanceof NetworkError) showNetworkError(error);
  else if (error instanceof ApiError && error.status === 401)
    showError(MESSAGES.get().authentication, MESSAGES.get().invalidCredentials);
  else if (error instanceof ApiError)
    showError(MESSAGES.get().request, MESSAGES.get().status({ status: error.status, message: errorMessage(error) }));
  else showError(MESSAGES.get().unknown, errorMessage(error));
}

function showQueryError(error: unknown): void {
  if (error instanceof NetworkError || (error instanceof ApiError && error.status === 401)) showRequestError(error);
  else if (error instanceof Error) showError(MESSAGES.get().query, errorMessage(error));
  else showError(MESSAGES.get().unknown, errorMessage(error));
}

/** Drops cached data when the user changes, whether in this tab, in another one, or by signing out. */
function dropDataOfOthers(client: QueryClient): void {
  const userHash = hashKey(USER_KEY);
  let lastId: string | undefined;
  client.getQueryCache().subscribe(({ query }) => {
    const user: SessionUser | null | undefined = query.queryHash === userHash ? query.state.data : undefined;
    if (user === undefined) return;
    const id = user?.id ?? '';
    const isAnother = lastId !== undefined && lastId !== id;
    lastId = id;
    if (isAnother) client.removeQueries({ predicate: ({ queryHash }) => queryHash !== userHash });
  });
}

/** The queries that a refreshed session makes stale: balances, transactions, the ledger and the dashboards. */
const OF_SESSION = /balances|transactions|ledger|overview/;

export function createQueryClient(): QueryClient {
  // TanStack Query assumes to be online; a page that opens offline must notice when the network returns.
  onlineManager.setOnline(navigator.onLine);
  // A poll that keeps failing shows one toast, not one every 30 seconds.
  const failing = new Set<string>();
  const endSessionOf = (error: unknown): void => {
    if (error instanceof ApiError && error.endsSession) client.setQueryData(USER_KEY, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        endSessionOf(error);
        if (query.meta?.silent || failing.has(query.queryHash)) return;
        failing.add(query.queryHash);
        void languageStarted().then(() => showQueryError(error));
      },
      onSuccess(data, { queryHash, queryKey, state }) {
        failing.delete(queryHash);
        if (data && queryKey[0] === USER_KEY[0] && state.dataUpdateCount > 1)
          void client.invalidateQueries({ predicate: (query) => OF_SESSION.test(query.queryHash) });
      },
    }),
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        endSessionOf(error);
        if (!mutation.meta?.silent) showRequestError(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      // 'always': a payment requested offline fails at once, and is never sent later without the user's knowledge.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  dropDataOfOthers(client);
  onSignInElsewhere(() => void client.invalidateQueries({ queryKey: USER_KEY }));
  return client;
}
