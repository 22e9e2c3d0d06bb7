import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { dayOf } from '@vuka/contracts/http/days';
import { Download } from 'lucide-react';
import type { FormEvent } from 'react';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { saveFile } from '#shared/save-file.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { DisclosureRow } from '#shared/ui/disclosure-row.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { readAllData } from './account-security.api.ts';

const MESSAGES = i18n('export-row', {
  title: 'Download your data',
  what: 'One file with everything that we hold about you: profile, devices, recipients, transfers, messages and more.',
  pin: 'PIN to download your data',
  submit: 'Download my data',
  done: 'Your data is downloaded',
  failed: 'Your data could not be downloaded',
});

/** Downloads everything that is held about the user. */
export function ExportRow() {
  const t = useStore(MESSAGES);
  const form = useForm(PinConfirmation, { pin: '' });
  const download = useMutation({
    mutationFn: readAllData,
    meta: { silent: true },
    onSuccess(data) {
      form.setValues({ pin: '' });
      saveFile(
        `vuka-data-${dayOf(Date.parse(data.madeAt))}.json`,
        JSON.stringify(data.file, null, 2),
        'application/json',
      );
      showToast({ title: t.done, tone: 'success' });
    },
    onError(error) {
      if (isWrongPin(error)) form.clear('pin');
      showError(t.failed, errorMessage(error));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!download.isPending && form.validate()) download.mutate(form.values.pin);
  };
  return (
    <DisclosureRow Icon={Download} title={t.title}>
      <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
        <p className="text-small text-ink2">{t.what}</p>
        <PinField {...form.field('pin')} label={t.pin} autoComplete="current-password" />
        <Button
          type="submit"
          variant="secondary"
          className="w-full"
          isPending={download.isPending}
          isBusy={download.isPending}
        >
          {t.submit}
        </Button>
      </form>
    </DisclosureRow>
  );
}
