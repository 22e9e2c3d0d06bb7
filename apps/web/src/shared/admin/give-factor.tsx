import './admin-refusals.ts';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { TotpCode } from '@vuka/contracts/http/second-factors';
import { KeyRound } from 'lucide-react';
import type { FormEvent } from 'react';
import * as z from 'zod/mini';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { giveCode, givePasskey, hasPasskeys, isCancelled, secondFactorsQuery } from './second-factor.api.ts';

const MESSAGES = i18n('admin/give-factor', {
  passkey: 'Use a passkey',
  passkeyElsewhere: 'Your passkey does not work at this address. Open this page by its name instead of its IP address.',
  code: 'Code of your authenticator app',
  confirm: 'Confirm',
  failed: 'This did not work',
  loadFailed: 'Your second factors could not be loaded',
});

const Form = z.object({ code: TotpCode });

/** Asks for a passkey or a code, whichever the administrator has. */
export function GiveFactor({ onGiven }: { onGiven: () => void }) {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(secondFactorsQuery());
  const passkey = useMutation({ mutationFn: givePasskey, meta: { silent: true }, onSuccess: onGiven });
  if (error) return <LoadError title={t.loadFailed} detail={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-24" />;
  const kinds = new Set(data.factors.map(({ kind }) => kind));
  return (
    <div className="grid gap-5">
      {passkey.error && !isCancelled(passkey.error) ? (
        <Notice tone="bad" role="alert" title={t.failed}>
          {errorMessage(passkey.error)}
        </Notice>
      ) : null}
      {kinds.has('passkey') && hasPasskeys() ? (
        <Button isPending={passkey.isPending} isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          <KeyRound aria-hidden className="size-5" />
          {t.passkey}
        </Button>
      ) : null}
      {kinds.has('passkey') && !hasPasskeys() ? <Notice tone="info">{t.passkeyElsewhere}</Notice> : null}
      {kinds.has('totp') ? <CodeForm isMain={!kinds.has('passkey')} onGiven={onGiven} /> : null}
    </div>
  );
}

function CodeForm({ isMain, onGiven }: { isMain: boolean; onGiven: () => void }) {
  const t = useStore(MESSAGES);
  const form = useForm(Form, { code: '' });
  const giving = useMutation({
    mutationFn: giveCode,
    meta: { silent: true },
    onSuccess: onGiven,
    onError(error) {
      form.setValues({ code: '' });
      form.setErrors({ code: errorMessage(error) });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!giving.isPending && form.validate()) giving.mutate(form.values.code);
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
      <TextField
        {...form.field('code')}
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
      />
      <Button
        type="submit"
        variant={isMain ? 'primary' : 'secondary'}
        isPending={giving.isPending}
        isBusy={giving.isPending}
      >
        {t.confirm}
      </Button>
    </form>
  );
}
