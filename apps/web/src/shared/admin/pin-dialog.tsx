import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { useEffect } from 'react';
import { type ApiError, errorMessage, NetworkError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { Dialog } from './dialog.tsx';
import { FactorDialog } from './factor-dialog.tsx';
import { isFactorNeeded } from './failure-text.ts';
import { cancelPin, canTryPinAgain, givePin, PIN_QUESTION, refusePin, startAskingForPin } from './pin-question.ts';

const MESSAGES = i18n('admin/pin-dialog', {
  title: 'Confirm with your PIN',
  detail: 'Enter your PIN to confirm that it is you.',
  pin: 'Your PIN',
  cancel: 'Cancel',
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
    <Dialog title={t.title} onClose={cancelPin}>
      <form
        ref={formRef}
        noValidate
        className="grid gap-5 px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!giving.isPending && form.validate()) giving.mutate(form.values.pin);
        }}
      >
        <p className="text-small break-words text-ink2">{reason ? errorMessage(reason) : t.detail}</p>
        <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={cancelPin}>
            {t.cancel}
          </Button>
          <Button type="submit" isPending={giving.isPending} aria-disabled={giving.isPending}>
            {t.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
