import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { ApiError } from '#shared/api-client.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { endSession, logout } from './auth.api.ts';

const TEXT = {
  label: 'Log out',
  done: { title: 'Logged out', description: 'You have been successfully logged out.' },
  failed: 'Logout failed',
  tryAgain: 'Logout failed. Please try again.',
} as const;

export function LogoutButton() {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: logout,
    meta: { silent: true },
    onSuccess() {
      endSession(client);
      showToast({ ...TEXT.done, tone: 'success' });
    },
    onError(error) {
      showError(TEXT.failed, (error instanceof ApiError && error.body?.error) || TEXT.tryAgain);
    },
  });
  return (
    <Button variant="danger" className="w-full" isPending={mutation.isPending} onClick={() => mutation.mutate()}>
      {mutation.isPending ? null : <LogOut aria-hidden className="size-5" />}
      {TEXT.label}
    </Button>
  );
}
