import { i18n } from '#shared/i18n/i18n.ts';
import { showError } from '#shared/toast-store.ts';

const MESSAGES = i18n('admin/refused-before', {
  title: 'Refused by another administrator',
  detail: 'You sent this before, and it was refused since. Send it again for a new request.',
});

/** A repeated request was received at the first attempt, and another administrator has refused it since. */
export function showRefusedBefore(): void {
  const { title, detail } = MESSAGES.get();
  showError(title, detail);
}
