import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';

const MESSAGES = i18n('global-errors', {
  error: 'An error occurred',
  unknownError: 'Unknown error',
  rejection: 'Promise rejection',
  unknownRejection: 'Unknown error in async operation',
});

function messageOf(reason: unknown, fallback: string): string {
  const message = reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : '';
  return message.slice(0, 160) || fallback;
}

const RELOAD_KEY = 'vuka.reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** After a new version was deployed, the old version's lazy files are gone: take the new one, but never in a loop. */
function reloadOnce(event: Event): void {
  const last = Number(sessionStorage.getItem(RELOAD_KEY) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  event.preventDefault();
  sessionStorage.setItem(RELOAD_KEY, String(Date.now()));
  window.location.reload();
}

export function reportUncaughtErrors(): void {
  window.addEventListener('error', (event) =>
    showError(MESSAGES.get().error, messageOf(event.error, MESSAGES.get().unknownError)),
  );
  window.addEventListener('unhandledrejection', (event) =>
    showError(MESSAGES.get().rejection, messageOf(event.reason, MESSAGES.get().unknownRejection)),
  );
  window.addEventListener('vite:preloadError', reloadOnce);
}
