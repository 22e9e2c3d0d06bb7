import '#shared/i18n/security-refusals.ts';
import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { Pin } from '@vuka/contracts/http/common';
import { reason } from '@vuka/contracts/texts/reason';
import * as z from 'zod/mini';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { usePinChange } from '#shared/use-pin-change.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';

const MESSAGES = i18n('admin/security-settings', {
  title: 'Your PIN',
  current: 'Current PIN',
  next: 'New PIN',
  nextHint: 'Four digits. Avoid years, repeats and ones like 1234.',
  confirm: 'Confirm new PIN',
  submit: 'Change PIN',
  submitting: 'Changing...',
  done: 'PIN Changed',
  doneDetail: 'Your other sessions are signed out.',
  failed: 'Failed to change PIN',
});

const EMPTY = { currentPin: '', newPin: '', confirmPin: '' };

const PinChange = z.object({ currentPin: Pin, newPin: Pin, confirmPin: Pin }).check(
  z.refine(({ newPin, confirmPin }) => newPin === confirmPin, {
    error: reason('pins_different'),
    path: ['confirmPin'],
  }),
);

export function SecuritySettings() {
  const t = useStore(MESSAGES);
  const form = useForm(PinChange, EMPTY);
  const changePin = usePinChange('/api/admin/change-pin');
  const change = useMutation({
    mutationFn: changePin,
    meta: { silent: true },
    onSuccess() {
      form.setValues(EMPTY);
      showToast({ title: t.done, description: t.doneDetail, tone: 'success' });
    },
    onError(error) {
      if (isWrongPin(error)) form.clear('currentPin');
      showFailure(t.failed, error, errorMessage(error));
    },
  });
  const submit = (): void => {
    const { currentPin, newPin } = form.values;
    change.mutate({ currentPin, newPin });
  };
  return (
    <Card title={t.title}>
      <AdminForm form={form} submit={t.submit} submitting={t.submitting} isPending={change.isPending} onSubmit={submit}>
        <div className="grid max-w-merchant items-start gap-4 sm:grid-cols-3">
          <PinField {...form.field('currentPin')} label={t.current} autoComplete="current-password" />
          <PinField {...form.field('newPin')} label={t.next} hint={t.nextHint} autoComplete="new-password" />
          <PinField {...form.field('confirmPin')} label={t.confirm} autoComplete="new-password" />
        </div>
      </AdminForm>
    </Card>
  );
}
