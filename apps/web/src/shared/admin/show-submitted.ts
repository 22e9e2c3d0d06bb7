import { i18n } from '#shared/i18n/i18n.ts';
import { withRepeatNote } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';

const MESSAGES = i18n('admin/show-submitted', {
  refused: 'Refused by another administrator',
  refusedDetail: 'You sent this before, and it was refused since. Send it again for a new request.',
});

interface Outcome {
  /** Of a request that another administrator decides on. */
  status: string | undefined;
  isRepeat: boolean;
  title: string;
  description: string;
}

/** Shows what a request led to. A repeat may find that another administrator has refused it since the first attempt. */
export function showSubmitted({ status, isRepeat, title, description }: Outcome): void {
  const t = MESSAGES.get();
  if (status === 'refused') showError(t.refused, t.refusedDetail);
  else showToast({ title, description: withRepeatNote(description, isRepeat), tone: 'success' });
}
