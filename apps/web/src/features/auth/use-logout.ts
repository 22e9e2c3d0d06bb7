import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, AppFailure, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { endSession } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { logout } from './auth.api.ts';

const MESSAGES = i18n('use-logout', {
  doneTitle: 'Logged out',
  done: 'You have been successfully logged out.',
  failed: 'Logout failed',
  tryAgain: 'Logout failed. Please try again.',
});

/** Whether the failure has a text for the user, of the server's or of this app's. */
function hasText(error: unknown): boolean {
  return error instanceof ApiError ? Boolean(error.body?.error) : error instanceof AppFailure;
}

export function useLogout() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: logout,
    meta: { silent: true },
    onSuccess() {
      endSession(client);
      showToast({ title: t.doneTitle, description: t.done, tone: 'success' });
    },
    onError(error) {
      showError(t.failed, hasText(error) ? errorMessage(error) : t.tryAgain);
    },
  });
}
