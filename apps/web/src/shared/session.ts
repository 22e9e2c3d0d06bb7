import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { AdminRole, FactorState } from '@vuka/contracts/http/admin-role';
import type { WalletCurrency } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { ApiError, AppFailure, sendRequest } from '#shared/api-client.ts';
import { PATHS } from '#shared/paths.ts';

export interface SessionUser {
  id: string;
  username: string;
  email: string;
  fullName: string;
  phone: string;
  defaultCurrency: WalletCurrency;
  isAdmin: boolean;
  merchantData: { merchantId: string } | null;
  adminRole: AdminRole | undefined;
  /** Of administrators, as the server names it. */
  secondFactor: FactorState | undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads the user leniently, because a missing name must not break the session. Undefined without an id. */
export function normaliseUser(body: unknown): SessionUser | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const raw = body as Record<string, unknown>;
  const id = typeof raw.id === 'number' ? String(raw.id) : text(raw.id);
  if (!id) return undefined;
  const merchant = raw.merchantData as { merchantId?: unknown } | null | undefined;
  return {
    id,
    username: text(raw.username) || text(raw.email),
    email: text(raw.email),
    fullName: text(raw.fullName) || text(raw.name),
    phone: text(raw.phone) || text(raw.phoneNumber),
    defaultCurrency: WALLET_CURRENCIES.find((currency) => currency === raw.defaultCurrency) ?? WALLET_CURRENCIES[0],
    isAdmin: raw.isAdmin === true,
    merchantData: merchant && typeof merchant.merchantId === 'string' ? { merchantId: merchant.merchantId } : null,
    adminRole: raw.adminRole as AdminRole | undefined,
    secondFactor: raw.secondFactor as FactorState | undefined,
  };
}

/**
 * Whether no request is needed: the server saw no session when it sent the sign-in page, and no sign-in has happened
 * since, in this tab or another.
 */
function isKnownSignedOut(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const sawNone = page?.serverTiming?.some(({ name }) => name === 'no-session') ?? false;
  return sawNone && window.location.pathname === PATHS.auth && !signedInHint.read();
}

async function fetchUser(signal: AbortSignal): Promise<SessionUser | null> {
  if (isKnownSignedOut()) return null;
  try {
    const user = normaliseUser((await sendRequest('/api/user', { signal })).json);
    if (!user) throw new AppFailure('answer_without_user');
    return user;
  } catch (error) {
    // Only a 401 means signed out; a network failure does not.
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export const USER_KEY = ['/api/user'] as const;

export function userQuery() {
  return queryOptions({
    queryKey: USER_KEY,
    queryFn: ({ signal }) => fetchUser(signal),
    staleTime: 0,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
    meta: { silent: true },
  });
}

/** The signed-in user, for components that render only behind the protected route. */
export function useSessionUser(): SessionUser | null {
  return useQuery({ ...userQuery(), refetchOnMount: false }).data ?? null;
}

const HINT_KEY = 'vuka.signed-in';

/** Whether this browser was signed in last time: lets the first requests start before the session is confirmed. */
export const signedInHint = {
  read: (): boolean => localStorage.getItem(HINT_KEY) === '1',
  write(isSignedIn: boolean): void {
    if (isSignedIn) localStorage.setItem(HINT_KEY, '1');
    else localStorage.removeItem(HINT_KEY);
  },
};

/** Calls back on a sign-in or sign-out in another tab, which shares this tab's cookie. */
export function onSignInElsewhere(listener: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === HINT_KEY) listener();
  });
}

let hasLoggedOut = false;

/** Whether the user signed out: the sign-in page then does not return to the previous page. */
export const logoutMark = {
  read: (): boolean => hasLoggedOut,
  write(value: boolean): void {
    hasLoggedOut = value;
  },
};

/** The session is over: forgets the user in this tab and the others. */
export function endSession(client: QueryClient): void {
  logoutMark.write(true);
  signedInHint.write(false);
  sessionStorage.clear();
  client.setQueryData(USER_KEY, null);
}
