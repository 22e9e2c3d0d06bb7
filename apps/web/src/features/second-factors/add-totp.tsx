import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { AddTotp as AddTotpBody } from '@vuka/contracts/http/second-factors';
import { type FormEvent, Suspense } from 'react';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { lazyAgain } from '#shared/lazy-again.ts';
import { Button } from '#shared/ui/button.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { addTotp, beginTotp } from './second-factors.api.ts';

const MESSAGES = i18n('admin/add-totp', {
  scan: 'Scan this code with your authenticator app, or type the secret into it.',
  qr: 'QR code for your authenticator app',
  open: 'Open the app on this phone',
  name: 'Name of this device',
  code: 'Code that the app shows',
  add: 'Add the app',
  cancel: 'Cancel',
  loadFailed: 'The secret could not be made',
  failed: 'The authenticator app was not added',
  failedDetail: 'Please try again.',
});

const QrCode = lazyAgain(async () => (await import('#shared/ui/qr-code.tsx')).QrCode);

interface AddTotpProps {
  onDone: () => void;
  onCancel: () => void;
}

/** Shows an authenticator app's secret, once, and checks a code of it. */
export function AddTotp({ onDone, onCancel }: AddTotpProps) {
  const t = useStore(MESSAGES);
  // A new secret each time that the step is opened: it is neither kept nor refreshed behind the person's back.
  const { data, error, refetch } = useQuery({
    queryKey: ['new-totp-secret'],
    queryFn: beginTotp,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    meta: { silent: true },
  });
  if (error) return <LoadError title={t.loadFailed} detail={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  return (
    <div className="grid gap-4">
      <p className="text-small text-ink2">{t.scan}</p>
      <Suspense fallback={<Skeleton className="mx-auto size-48" />}>
        <QrCode text={data.uri} label={t.qr} className="mx-auto size-48 rounded-control" />
      </Suspense>
      <code className="rounded-control bg-sunken px-4 py-3 text-center text-small [overflow-wrap:anywhere] select-all">
        {data.secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <a href={data.uri} className="justify-self-center text-small font-semibold text-primary hover:underline">
        {t.open}
      </a>
      <CodeForm onDone={onDone} onCancel={onCancel} />
    </div>
  );
}

function CodeForm({ onDone, onCancel }: AddTotpProps) {
  const t = useStore(MESSAGES);
  const form = useForm(AddTotpBody, { name: '', code: '' });
  const adding = useMutation({
    mutationFn: addTotp,
    meta: { silent: true },
    onSuccess: onDone,
    onError: (error) => showFailure(t.failed, error, t.failedDetail),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!adding.isPending && form.validate()) adding.mutate(form.values);
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
      <TextField {...form.field('name')} label={t.name} maxLength={60} autoComplete="off" />
      <TextField
        {...form.field('code')}
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
      />
      <Button type="submit" isPending={adding.isPending} isBusy={adding.isPending}>
        {t.add}
      </Button>
      <Button variant="secondary" onClick={onCancel}>
        {t.cancel}
      </Button>
    </form>
  );
}
