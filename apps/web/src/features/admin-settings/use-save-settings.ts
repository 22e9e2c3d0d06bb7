import { useStore } from '@nanostores/react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { loadAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';

const MESSAGES = i18n('admin/save-settings', {
  done: 'Settings Updated',
  doneDetail: 'Your changes have been saved',
  failed: 'Failed to update settings',
});

/** Saves one group of settings and keeps what the server answered. */
export function useSaveSettings<Settings>(save: (settings: Settings) => Promise<Settings>, queryKey: QueryKey) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    meta: { silent: true },
    onSuccess(saved) {
      client.setQueryData(queryKey, saved);
      // The name may be another now.
      void loadAbout();
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, errorMessage(error)),
  });
}
