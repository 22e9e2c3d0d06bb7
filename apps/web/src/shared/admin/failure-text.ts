import { ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';

/** Why a call failed, in the server's or the network's words, or `fallback` where they have none. */
export function failureText(error: unknown, fallback: string): string {
  const hasWords = error instanceof ApiError ? Boolean(error.body?.error) : error instanceof NetworkError;
  return hasWords ? errorMessage(error, fallback) : fallback;
}
