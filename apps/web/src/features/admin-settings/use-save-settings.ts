import { useStore } from '@nanostores/react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { isChangedMeanwhile } from '#shared/admin/changed-meanwhile.ts';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { loadAbout } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';

const MESSAGES = i18n('admin/save-settings', {
  done: 'Settings Updated',
  doneDetail: 'Your changes have been saved',
  waiting: 'Waiting for another administrator',
  waitingDetail:
    'The higher limits take effect once another administrator approves them. Everything else has been saved.',
  failed: 'Failed to update settings',
  changedMeanwhile: 'Another administrator has changed the same setting. Check the new values and save again.',
});

/** Another administrator has changed the same setting since it was shown. Nothing was sent. */
export class SettingChangedError extends Error {}

interface SettingsGroup<Settings> {
  read: () => Promise<Settings>;
  save: (settings: Settings & { replaces: Settings }) => Promise<Settings & { proposal?: unknown }>;
  queryKey: QueryKey;
}

/**
 * Saves one group of settings and caches the settings that the server returned as being in force, without the
 * `proposal` that waits for another administrator. The changes apply to the settings as they are by then: another
 * administrator may have changed others since they were shown. `change` throws SettingChangedError for the same one.
 */
export function useSaveSettings<Settings extends object>({ read, save, queryKey }: SettingsGroup<Settings>) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    async mutationFn(change: (inForce: Settings) => Settings) {
      const saveLatest = async () => {
        const inForce = await read();
        return save({ ...change(inForce), replaces: inForce });
      };
      try {
        return await saveLatest();
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error;
        // Another administrator has saved since the reading, for instance while the PIN was asked for.
        return saveLatest();
      }
    },
    meta: { silent: true },
    onSuccess({ proposal, ...saved }) {
      client.setQueryData(queryKey, saved);
      // The system name may have changed.
      void loadAbout();
      const [title, description] = proposal ? [t.waiting, t.waitingDetail] : [t.done, t.doneDetail];
      showToast({ title, description, tone: 'success' });
    },
    onError(error) {
      const isChanged = error instanceof SettingChangedError || isChangedMeanwhile(error);
      if (!isChanged) return showFailure(t.failed, error, errorMessage(error));
      showError(t.failed, t.changedMeanwhile);
      void client.invalidateQueries({ queryKey });
    },
  });
}
