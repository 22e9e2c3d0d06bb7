import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pin } from '@vuka/contracts/http/common';
import { KeyRound } from 'lucide-react';
import type { FormEvent } from 'react';
import * as z from 'zod/mini';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { DisclosureRow } from '#shared/ui/disclosure-row.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { usePinChange } from '#shared/use-pin-change.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { SESSIONS_KEY } from './account-security.api.ts';
import { NEW_PIN, pinsMatch } from './new-pin.ts';

const MESSAGES = i18n('change-pin-row', {
  title: 'Change your PIN',
  current: 'Current PIN',
  next: 'New PIN',
  hint: 'Four digits. Avoid years, repeats and ones like 1234.',
  again: 'Confirm new PIN',
  submit: 'Change PIN',
  done: 'PIN changed',
  doneDetail: 'Your other sessions are signed out.',
  failed: 'The PIN was not changed',
});

const PinChange = z.object({ currentPin: Pin, ...NEW_PIN }).check(pinsMatch);
const EMPTY = { currentPin: '', newPin: '', confirmPin: '' };

export function ChangePinRow() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm(PinChange, EMPTY);
  const changePin = usePinChange('/api/change-pin');
  const change = useMutation({
    mutationFn: changePin,
    meta: { silent: true },
    async onSuccess() {
      form.setValues(EMPTY);
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
      await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
    onError(error) {
      if (isWrongPin(error)) form.clear('currentPin');
      showError(t.failed, errorMessage(error));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change.isPending || !form.validate()) return;
    const { currentPin, newPin } = form.values;
    change.mutate({ currentPin, newPin });
  };
  return (
    <DisclosureRow Icon={KeyRound} title={t.title}>
      <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
        <PinField {...form.field('currentPin')} label={t.current} autoComplete="current-password" />
        <PinField {...form.field('newPin')} label={t.next} hint={t.hint} autoComplete="new-password" />
        <PinField {...form.field('confirmPin')} label={t.again} autoComplete="new-password" />
        <Button type="submit" className="w-full" isPending={change.isPending} isBusy={change.isPending}>
          {t.submit}
        </Button>
      </form>
    </DisclosureRow>
  );
}
