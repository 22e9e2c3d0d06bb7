import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { MERCHANTS_KEY, type Merchant, showBlocked, toggleBlock } from './merchants.api.ts';

const MESSAGES = i18n('admin/toggle-block', {
  done: 'Account status updated',
  blocked: params('{name} is blocked and signed out everywhere'),
  active: params('{name} can sign in and send again'),
  failed: 'Failed to update account status',
  failedDetail: 'An error occurred, please try again',
});

const name = (merchant: Merchant): string => merchant.fullName || merchant.username;

/** Blocks or unblocks optimistically, and rolls back if the server refuses. */
export function useToggleBlock() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (merchant: Merchant) => toggleBlock(merchant.id, !merchant.isBlocked),
    meta: { silent: true },
    async onMutate(merchant) {
      // A list request in flight would bring back the previous state.
      await client.cancelQueries({ queryKey: MERCHANTS_KEY });
      showBlocked(client, merchant.id, !merchant.isBlocked);
    },
    onSuccess(isBlocked, merchant) {
      // The server's answer wins: another administrator may have changed the same account a moment ago.
      showBlocked(client, merchant.id, isBlocked);
      const description = (isBlocked ? t.blocked : t.active)({ name: name(merchant) });
      showToast({ title: t.done, description, tone: 'success' });
    },
    onError(error, merchant) {
      showBlocked(client, merchant.id, merchant.isBlocked);
      showFailure(t.failed, error, t.failedDetail);
    },
    onSettled: () => client.invalidateQueries({ queryKey: MERCHANTS_KEY }),
  });
}
