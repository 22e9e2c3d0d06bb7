import { dehydrate, hashKey, hydrate, type QueryClient } from '@tanstack/react-query';
import { BALANCES_KEY, RATES_KEY, TRANSACTIONS_KEY } from '#shared/api/keys.ts';
import { NetworkError } from '#shared/api-client.ts';
import { type SessionUser, USER_KEY } from '#shared/session.ts';

// The last balances and transactions are stored in this browser, so that they show at once and offline. They are
// removed with the session: at sign-out, and when the server says that it is over.

const KEY = 'vuka.kept';
/** Increase when the format of the stored data changes. */
const FORMAT = 1;
/** After this time the session may be over. The server must then be asked first, unless it is unreachable. */
const TRUSTED_FOR_MS = 5 * 60_000;
const WRITE_DELAY_MS = 500;

const KEPT_KEYS = [USER_KEY, BALANCES_KEY, TRANSACTIONS_KEY, RATES_KEY];
const KEPT_HASHES = new Set(KEPT_KEYS.map((key) => hashKey(key)));
/** Shown at once to a merchant who returns soon, while it is fetched again. */
const USER_HASH = hashKey(USER_KEY);
const SHOWN_AT_ONCE = new Set([USER_HASH, hashKey(BALANCES_KEY)]);

interface Kept {
  format: number;
  keptAt: number;
  state: ReturnType<typeof dehydrate>;
}

function read(): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '') as Kept;
    return kept.format === FORMAT ? kept : undefined;
  } catch {
    return undefined;
  }
}

function write(client: QueryClient): void {
  if (client.getQueryData(USER_KEY) === null) {
    localStorage.removeItem(KEY);
    return;
  }
  // After a failed fetch the stored data is still the latest, with its own time.
  if (KEPT_KEYS.some((key) => client.getQueryState(key)?.status === 'error')) return;
  const state = dehydrate(client, {
    shouldDehydrateQuery: (query) => query.state.status === 'success' && KEPT_HASHES.has(query.queryHash),
    shouldDehydrateMutation: () => false,
  });
  try {
    localStorage.setItem(KEY, JSON.stringify({ format: FORMAT, keptAt: Date.now(), state } satisfies Kept));
  } catch {
    // The storage is full. The app works without it.
  }
}

/** Whether the stored data belongs to another user than the current one, if the current one is known. */
function isOfAnother(client: QueryClient, { state }: Kept): boolean {
  const user = client.getQueryData<SessionUser | null>(USER_KEY);
  const owner = state.queries.find(({ queryHash }) => queryHash === USER_HASH)?.state.data as SessionUser | undefined;
  return user !== undefined && user?.id !== owner?.id;
}

/** Whether the server is unreachable. */
function isAway(client: QueryClient): boolean {
  return !navigator.onLine || client.getQueryState(USER_KEY)?.error instanceof NetworkError;
}

/**
 * Fills the cache with the stored data, and stores new data from then on. Lists are restored only while the server is
 * unreachable: online, a list that changes under the user's finger would be worse than a moment's wait. A balance from
 * minutes ago is updated in place, and the server checks each transfer against the current one.
 */
export function keepData(client: QueryClient): void {
  const kept = read();
  const restore = (): void => {
    if (!kept || isOfAnother(client, kept)) return;
    const isTrusted = Date.now() - kept.keptAt < TRUSTED_FOR_MS;
    const queries = kept.state.queries.filter(({ queryHash }) =>
      isAway(client) ? !client.getQueryData(JSON.parse(queryHash)) : isTrusted && SHOWN_AT_ONCE.has(queryHash),
    );
    hydrate(client, { ...kept.state, queries });
  };
  restore();
  onKeptChange(client, () => {
    if (isAway(client)) restore();
  });
}

function onKeptChange(client: QueryClient, onAnswer: () => void): void {
  let isScheduled = false;
  const writeSoon = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    window.setTimeout(() => {
      isScheduled = false;
      write(client);
    }, WRITE_DELAY_MS);
  };
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.fetchStatus !== 'idle' || !KEPT_HASHES.has(query.queryHash)) return;
    // When the user is gone, all stored data is removed at once.
    if (query.queryHash === USER_HASH && query.state.data === null) write(client);
    else writeSoon();
    onAnswer();
  });
}
