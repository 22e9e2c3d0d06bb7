import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';

const MESSAGES = i18n('global-errors', {
  error: 'An error occurred',
  unknownError: 'Unknown error',
  rejection: 'Promise rejection',
  unknownRejection: 'Unknown error in async operation',
});

/** Anything can be thrown: errors, objects with a message, or plain values. */
function messageOf(reason: unknown): string {
  if (typeof reason === 'object' && reason !== null) return 'message' in reason ? String(reason.message) : '';
  return reason === undefined || reason === null ? '' : String(reason);
}

const short = (text: string, fallback: string): string => text.slice(0, 160) || fallback;

export function reportUncaughtErrors(): void {
  window.addEventListener('error', (event) =>
    showError(MESSAGES.get().error, short(messageOf(event.error) || event.message, MESSAGES.get().unknownError)),
  );
  window.addEventListener('unhandledrejection', (event) =>
    showError(MESSAGES.get().rejection, short(messageOf(event.reason), MESSAGES.get().unknownRejection)),
  );
}
