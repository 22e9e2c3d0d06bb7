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

export function reportUncaughtErrors(): void {
  window.addEventListener('error', (event) =>
    showError(MESSAGES.get().error, messageOf(event.error, MESSAGES.get().unknownError)),
  );
  window.addEventListener('unhandledrejection', (event) =>
    showError(MESSAGES.get().rejection, messageOf(event.reason, MESSAGES.get().unknownRejection)),
  );
}
