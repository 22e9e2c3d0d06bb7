import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { CodeDigits } from '@vuka/contracts/http/contact-verification';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import * as z from 'zod/mini';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { resetPin } from './account-security.api.ts';
import { CodeField } from './code-field.tsx';
import { NEW_PIN, pinsMatch } from './new-pin.ts';

const MESSAGES = i18n('new-pin-form', {
  code: '6-digit code',
  next: 'New PIN',
  hint: 'Four digits. Avoid years, repeats and ones like 1234.',
  again: 'Confirm new PIN',
  submit: 'Set the new PIN',
  done: 'PIN changed',
  doneDetail: 'Log in with your new PIN.',
  failed: 'The PIN was not changed',
});

const NewPin = z.object({ code: CodeDigits, ...NEW_PIN }).check(pinsMatch);

/** `id` and `token` come from the link in the email. */
export function NewPinForm({ id, token }: { id: string; token: string }) {
  const t = useStore(MESSAGES);
  const navigate = useNavigate();
  const form = useForm(NewPin, { code: '', newPin: '', confirmPin: '' });
  const reset = useMutation({
    mutationFn: resetPin,
    meta: { silent: true },
    onSuccess() {
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
      void navigate(PATHS.auth, { replace: true });
    },
    onError: (error) => showError(t.failed, errorMessage(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reset.isPending || !form.validate()) return;
    const { code, newPin } = form.values;
    reset.mutate({ id, token, code, newPin });
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-5" onSubmit={submit}>
      <CodeField {...form.field('code')} label={t.code} />
      <PinField {...form.field('newPin')} label={t.next} hint={t.hint} autoComplete="new-password" />
      <PinField {...form.field('confirmPin')} label={t.again} autoComplete="new-password" />
      <Button type="submit" isPending={reset.isPending} isBusy={reset.isPending}>
        {t.submit}
      </Button>
    </form>
  );
}
