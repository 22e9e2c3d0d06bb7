import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { ApiError, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { endSession, logout } from './auth.api.ts';

const MESSAGES = i18n('logout-button', {
  label: 'Log out',
  doneTitle: 'Logged out',
  done: 'You have been successfully logged out.',
  failed: 'Logout failed',
  tryAgain: 'Logout failed. Please try again.',
});

export function LogoutButton() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: logout,
    meta: { silent: true },
    onSuccess() {
      endSession(client);
      showToast({ title: t.doneTitle, description: t.done, tone: 'success' });
    },
    onError(error) {
      showError(t.failed, error instanceof ApiError && error.body?.error ? errorMessage(error) : t.tryAgain);
    },
  });
  return (
    <Button variant="danger" className="w-full" isPending={mutation.isPending} onClick={() => mutation.mutate()}>
      {mutation.isPending ? null : <LogOut aria-hidden className="size-5" />}
      {t.label}
    </Button>
  );
}
