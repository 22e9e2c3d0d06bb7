import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AddPasskey } from '@vuka/contracts/http/second-factors';
import { KeyRound, Smartphone } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import * as z from 'zod/mini';
import { showFailure } from '#shared/admin/failure-text.ts';
import { hasPasskeys, isCancelled, SECOND_FACTORS_KEY } from '#shared/admin/second-factor.api.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { USER_KEY } from '#shared/session.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { AddTotp } from './add-totp.tsx';
import { addPasskey } from './second-factors.api.ts';

const MESSAGES = i18n('admin/add-factor', {
  passkey: 'Add a passkey',
  totp: 'Add an authenticator app',
  name: 'Name of this device',
  nameHint: 'So that you recognise it in your list, such as “Work laptop”.',
  create: 'Create the passkey',
  cancel: 'Cancel',
  added: 'Second factor added',
  failed: 'The second factor was not added',
  failedDetail: 'Please try again.',
  needsName:
    'Passkeys do not work at an IP address. Open this page by its name, for example at localhost, or use an authenticator app.',
});

const Form = z.object({ name: AddPasskey.shape.name });

/** Adding a second factor: a choice of the kind, then its steps. */
export function AddFactor() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [kind, setKind] = useState<'passkey' | 'totp'>();
  const stop = (): void => setKind(undefined);
  const done = async (): Promise<void> => {
    stop();
    showToast({ title: t.added, tone: 'success' });
    await client.invalidateQueries({ queryKey: SECOND_FACTORS_KEY });
    await client.invalidateQueries({ queryKey: USER_KEY });
  };
  if (kind === 'passkey') return <NamePasskey onDone={done} onCancel={stop} />;
  if (kind === 'totp') return <AddTotp onDone={done} onCancel={stop} />;
  return (
    <div className="grid gap-3">
      {hasPasskeys() ? (
        <Button variant="secondary" onClick={() => setKind('passkey')}>
          <KeyRound aria-hidden className="size-5" />
          {t.passkey}
        </Button>
      ) : (
        <Notice tone="info">{t.needsName}</Notice>
      )}
      <Button variant="secondary" onClick={() => setKind('totp')}>
        <Smartphone aria-hidden className="size-5" />
        {t.totp}
      </Button>
    </div>
  );
}

function NamePasskey({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const t = useStore(MESSAGES);
  const form = useForm(Form, { name: '' });
  const adding = useMutation({
    mutationFn: addPasskey,
    meta: { silent: true },
    onSuccess: onDone,
    onError(error) {
      if (!isCancelled(error)) showFailure(t.failed, error, t.failedDetail);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!adding.isPending && form.validate()) adding.mutate(form.values.name);
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
      <TextField {...form.field('name')} label={t.name} hint={t.nameHint} maxLength={60} autoComplete="off" />
      <Button type="submit" isPending={adding.isPending} isBusy={adding.isPending}>
        {t.create}
      </Button>
      <Button variant="secondary" onClick={onCancel}>
        {t.cancel}
      </Button>
    </form>
  );
}
