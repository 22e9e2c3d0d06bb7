import { ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';
import { showError } from '#shared/toast-store.ts';

/** Why a call failed, in the server's or the network's words, or `fallback` where they have none. */
function failureText(error: unknown, fallback: string): string {
  const hasWords = error instanceof ApiError ? Boolean(error.body?.error) : error instanceof NetworkError;
  return hasWords ? errorMessage(error, fallback) : fallback;
}

/** Nothing was done: the call needs the administrator's PIN. */
export function isPinNeeded(error: unknown): error is ApiError {
  return error instanceof ApiError && ['step_up_required', 'pin_required'].includes(error.code ?? '');
}

/** Says why a call failed; nothing where its person was asked for their PIN and cancelled, since they know. */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (!isPinNeeded(error)) showError(title, failureText(error, fallback));
}
