import { dehydrate, hashKey, hydrate, type QueryClient } from '@tanstack/react-query';
import { BALANCES_KEY } from '#shared/api/balances.api.ts';
import { RATES_KEY } from '#shared/api/rates.api.ts';
import { TRANSACTIONS_KEY } from '#shared/api/transactions.api.ts';
import { NetworkError } from '#shared/api-client.ts';
import { type SessionUser, USER_KEY } from '#shared/session.ts';

// The last balances and transactions stay in this browser, so that they show at once and without a network. They go
// with the session: at sign-out, and when the server says that it is over.

const KEY = 'vuka.kept';
/** Raise it when the shape of what is kept changes. */
const FORMAT = 1;
/**
 * Older than this, a session may be over, and whoever holds the phone must be asked first, unless nobody can be asked.
 */
const TRUSTED_FOR_MS = 5 * 60_000;
const WRITE_DELAY_MS = 500;

const KEPT_KEYS = [USER_KEY, BALANCES_KEY, TRANSACTIONS_KEY, RATES_KEY];
const KEPT_HASHES = new Set(KEPT_KEYS.map((key) => hashKey(key)));
/** What shows at once to a merchant who comes right back, while it is asked for anew. */
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
  // What failed to load anew is still what was kept last, at its own time.
  if (KEPT_KEYS.some((key) => client.getQueryState(key)?.status === 'error')) return;
  const state = dehydrate(client, {
    shouldDehydrateQuery: (query) => query.state.status === 'success' && KEPT_HASHES.has(query.queryHash),
    shouldDehydrateMutation: () => false,
  });
  try {
    localStorage.setItem(KEY, JSON.stringify({ format: FORMAT, keptAt: Date.now(), state } satisfies Kept));
  } catch {
    // A full storage keeps nothing; the app needs none of it.
  }
}

/** Whether what was kept is of somebody else than who is here now, as far as that is known. */
function isOfAnother(client: QueryClient, { state }: Kept): boolean {
  const user = client.getQueryData<SessionUser | null>(USER_KEY);
  const owner = state.queries.find(({ queryHash }) => queryHash === USER_HASH)?.state.data as SessionUser | undefined;
  return user !== undefined && user?.id !== owner?.id;
}

/** Whether there is nobody to ask for what is current. */
function isAway(client: QueryClient): boolean {
  return !navigator.onLine || client.getQueryState(USER_KEY)?.error instanceof NetworkError;
}

/**
 * Fills the cache with what was kept, and keeps what comes from now on. A list is shown from here only while the server
 * cannot be asked: online, one that changes under the finger would be worse than a moment's wait. A balance of minutes
 * ago is replaced in place, and the server judges each transfer by its own.
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
    // A user who is gone takes everything along at once.
    if (query.queryHash === USER_HASH && query.state.data === null) write(client);
    else writeSoon();
    onAnswer();
  });
}
