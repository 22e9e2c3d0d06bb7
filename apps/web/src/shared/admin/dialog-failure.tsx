import { useStore } from '@nanostores/react';
import { errorMessage, NetworkError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Notice } from '#shared/ui/notice.tsx';
import type { useForm } from '#shared/use-form.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { failureText, isPinNeeded } from './failure-text.ts';

const MESSAGES = i18n('admin/dialog-failure', {
  unanswered: 'No answer arrived, so this may have been done already. Confirm again: it is never done twice.',
});

interface DialogFailureProps {
  /** The error of the last attempt. */
  error: unknown;
  title: string;
  fallback: string;
  /** The text when no answer arrived; by default it says that it is safe to confirm again. */
  unanswered?: string;
}

/**
 * Shows inside the dialog why its last attempt failed, because a toast would be behind the dialog. Shows nothing for a
 * wrong PIN, which `askForPinAgain` reports at the field, or for a PIN prompt that the user cancelled.
 */
export function DialogFailure({ error, title, fallback, unanswered }: DialogFailureProps) {
  const t = useStore(MESSAGES);
  if (!error || isWrongPin(error) || isPinNeeded(error)) return null;
  if (error instanceof NetworkError) {
    return (
      <Notice tone="warn" role="alert">
        {unanswered ?? t.unanswered}
      </Notice>
    );
  }
  return (
    <Notice tone="bad" role="alert" title={title}>
      {failureText(error, fallback)}
    </Notice>
  );
}

type PinForm = ReturnType<typeof useForm<Record<string, string>>>;

/** After a failed attempt the form asks for the PIN again, and keeps everything else that was typed. */
export function askForPinAgain({ formRef, clear, setErrors }: PinForm, error: unknown): void {
  clear('pin');
  if (isWrongPin(error)) setErrors({ pin: errorMessage(error) });
  formRef.current?.querySelector<HTMLElement>('[name="pin"]')?.focus();
}
