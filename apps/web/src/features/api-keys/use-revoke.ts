import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { API_KEYS_KEY, revokeApiKey } from './api-keys.api.ts';

const MESSAGES = i18n('admin/revoke-api-key', {
  done: 'API key revoked',
  doneDetail: params('{name} can no longer connect'),
  failed: 'The API key was not revoked',
  failedDetail: 'An error occurred, please try again',
});

export function useRevoke() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: ApiKey) => revokeApiKey(id),
    meta: { silent: true },
    onSuccess({ name }) {
      showToast({ title: t.done, description: t.doneDetail({ name }), tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, t.failedDetail),
    onSettled: () => client.invalidateQueries({ queryKey: API_KEYS_KEY }),
  });
}
