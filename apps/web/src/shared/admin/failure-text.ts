import { ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';
import { showError } from '#shared/toast-store.ts';

/** Why a call failed, from the server or the network, or `fallback` if neither says. */
export function failureText(error: unknown, fallback: string): string {
  const hasWords = error instanceof ApiError ? Boolean(error.body?.error) : error instanceof NetworkError;
  return hasWords ? errorMessage(error, fallback) : fallback;
}

/** Nothing was done: the call needs the administrator's PIN or second factor. */
export function isPinNeeded(error: unknown): error is ApiError {
  return error instanceof ApiError && ['step_up_required', 'pin_required'].includes(error.code ?? '');
}

/** The PIN does not suffice: the call needs the administrator's second factor. */
export function isFactorNeeded(error: ApiError): boolean {
  return error.body?.reason === 'factor_not_recent';
}

/** Shows why a call failed. Shows nothing if the user cancelled the dialog that asks for it: they know. */
export function showFailure(title: string, error: unknown, fallback: string): void {
  if (!isPinNeeded(error)) showError(title, failureText(error, fallback));
}
