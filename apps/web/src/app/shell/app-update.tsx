import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { keepAppOffline, takeNewVersion, useNewVersion } from '#shared/app-version.ts';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('app-update', { ready: 'A new version of the app is ready.', update: 'Update' });

/** Registers the service worker once the user is signed in, and offers a newer version of the app. */
export function AppUpdate() {
  const t = useStore(MESSAGES);
  useEffect(keepAppOffline, []);
  const isReady = useNewVersion();
  return (
    <div role="status" className="no-print">
      {isReady ? (
        <p className="flex flex-wrap items-center justify-center gap-x-3 bg-primary-soft px-4 text-small font-medium text-primary-ink">
          {t.ready}
          <button
            type="button"
            className="min-h-12 font-semibold underline underline-offset-2"
            onClick={takeNewVersion}
          >
            {t.update}
          </button>
        </p>
      ) : null}
    </div>
  );
}
