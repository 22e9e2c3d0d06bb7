import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Administrator } from '@vuka/contracts/http/administrators';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { ADMINISTRATORS_KEY, unlockAdministrator } from './administrators.api.ts';

const MESSAGES = i18n('admin/unlock-administrator', {
  requested: 'Unlock requested',
  requestedDetail: 'Another administrator has to confirm it within 24 hours',
  done: 'Account unlocked',
  doneDetail: params('{name} can try their PIN again now'),
  failed: 'Failed to unlock the account',
  failedDetail: 'An error occurred, please try again',
});

/** Requests the unlock of an administrator, or confirms another administrator's request. */
export function useUnlockAdministrator() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Administrator) => unlockAdministrator(id),
    meta: { silent: true },
    onSuccess(answer, { fullName: name }) {
      const isWaiting = 'unlockRequest' in answer;
      const description = isWaiting ? t.requestedDetail : t.doneDetail({ name });
      showToast({ title: isWaiting ? t.requested : t.done, description, tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, t.failedDetail),
    onSettled: () => client.invalidateQueries({ queryKey: ADMINISTRATORS_KEY }),
  });
}
