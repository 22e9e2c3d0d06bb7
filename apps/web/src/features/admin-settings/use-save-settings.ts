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
  waiting: 'Waits for another administrator',
  waitingDetail: 'The higher limits hold once another administrator approves them. The rest has been saved.',
  failed: 'Failed to update settings',
});

/**
 * Saves one group of settings and keeps what the server answered as being in force: without the `proposal` for which
 * another administrator is needed.
 */
export function useSaveSettings<Settings extends object>(
  save: (settings: Settings) => Promise<Settings & { proposal?: unknown }>,
  queryKey: QueryKey,
) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    meta: { silent: true },
    onSuccess({ proposal, ...saved }) {
      client.setQueryData(queryKey, saved);
      // The name may be another now.
      void loadAbout();
      const [title, description] = proposal ? [t.waiting, t.waitingDetail] : [t.done, t.doneDetail];
      showToast({ title, description, tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, errorMessage(error)),
  });
}
