import { queryOptions } from '@tanstack/react-query';
import { PasskeyOptions, SecondFactors } from '@vuka/contracts/http/second-factors';
import { callApi, sendOnce } from '#shared/api-client.ts';

export const SECOND_FACTORS_KEY = ['/api/admin/second-factors'] as const;

export function secondFactorsQuery() {
  return queryOptions({
    queryKey: SECOND_FACTORS_KEY,
    queryFn: ({ signal }) => callApi('/api/admin/second-factors', SecondFactors, { signal }),
    meta: { silent: true },
  });
}

/** Gives a second factor, which completes the sign-in or confirms the person. Never asks for another one meanwhile. */
const give = (body: object) => sendOnce('/api/admin/step-up', { method: 'POST', body });

export const giveCode = (code: string) => give({ code });

/** Lets the browser ask for one of the administrator's passkeys. Throws the browser's error if the person cancels. */
export async function givePasskey(): Promise<void> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    callApi('/api/admin/second-factors/challenge', PasskeyOptions, { method: 'POST', body: {} }),
  ]);
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  await give({ credential: await startAuthentication({ optionsJSON }) });
}

/** Whether the browser and this address can have passkeys: they are bound to a name, so an IP address has none. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** The person closed the browser's dialog, or let it time out: they know, so nothing is shown. */
export const isCancelled = (error: unknown): boolean => error instanceof Error && error.name === 'NotAllowedError';
