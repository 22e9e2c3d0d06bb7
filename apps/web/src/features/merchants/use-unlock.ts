import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { MERCHANTS_KEY, type Merchant, unlockMerchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/unlock', {
  done: 'Account unlocked',
  doneDetail: params('{name} can try their PIN again now'),
  failed: 'Failed to unlock the account',
  failedDetail: 'An error occurred, please try again',
});

/** Ends a lock caused by too many wrong PINs. */
export function useUnlock() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<Merchant, 'id'>) => unlockMerchant(id),
    meta: { silent: true },
    onSuccess({ fullName, username }) {
      showToast({ title: t.done, description: t.doneDetail({ name: fullName || username }), tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, t.failedDetail),
    // The merchant's own page is cached under the same key.
    onSettled: () => client.invalidateQueries({ queryKey: MERCHANTS_KEY }),
  });
}
