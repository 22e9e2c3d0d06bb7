import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { useEffect } from 'react';
import { type ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { FactorDialog } from './factor-dialog.tsx';
import { isFactorNeeded } from './failure-text.ts';
import { FormDialog } from './form-dialog.tsx';
import { cancelPin, canTryPinAgain, givePin, PIN_QUESTION, refusePin, startAskingForPin } from './pin-question.ts';

const MESSAGES = i18n('admin/pin-dialog', {
  title: 'Confirm with your PIN',
  detail: 'Enter your PIN to confirm that it is you.',
  pin: 'Your PIN',
  confirm: 'Confirm',
  noAnswer: 'The server could not be reached. Please try again.',
});

/** While mounted, asks for the PIN or second factor whenever a call is refused for lack of it. */
export function PinAsker() {
  const question = useStore(PIN_QUESTION);
  useEffect(startAskingForPin, []);
  if (!question) return null;
  return question.refusals.some(isFactorNeeded) ? <FactorDialog /> : <PinDialog refusals={question.refusals} />;
}

function PinDialog({ refusals }: { refusals: readonly ApiError[] }) {
  const t = useStore(MESSAGES);
  const form = useForm(PinConfirmation, { pin: '' });
  const { formRef } = form;
  const focusPin = (): void => formRef.current?.querySelector('input')?.focus();
  const giving = useMutation({
    mutationFn: givePin,
    meta: { silent: true },
    onError(error) {
      if (!canTryPinAgain(error)) return refusePin(error);
      form.setValues({ pin: '' });
      form.setErrors({ pin: error instanceof NetworkError ? t.noAnswer : errorMessage(error) });
      focusPin();
    },
  });
  // The dialog focuses its first control, which is the close button.
  useEffect(() => formRef.current?.querySelector('input')?.focus(), [formRef]);
  // The server says why the PIN is needed.
  const reason = refusals.find(({ code }) => code === 'pin_required');
  return (
    <FormDialog
      title={t.title}
      detail={reason ? errorMessage(reason) : t.detail}
      form={form}
      confirm={t.confirm}
      isPending={giving.isPending}
      onSubmit={() => giving.mutate(form.values.pin)}
      onClose={cancelPin}
    >
      <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
    </FormDialog>
  );
}
