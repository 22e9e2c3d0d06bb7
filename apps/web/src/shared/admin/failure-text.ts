import { ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';

/** Why a call failed, in the server's or the network's words, or `fallback` where they have none. */
export function failureText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.body?.error.slice(0, 160) || fallback;
  return error instanceof NetworkError ? errorMessage(error, fallback) : fallback;
}
