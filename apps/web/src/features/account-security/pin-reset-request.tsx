import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { Email } from '@vuka/contracts/http/common';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import * as z from 'zod/mini';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { showError } from '#shared/toast-store.ts';
import { Button, buttonClass } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { requestPinReset } from './account-security.api.ts';

const MESSAGES = i18n('pin-reset-request', {
  email: 'Email',
  submit: 'Send link and code',
  sentTitle: 'Check your email and your phone',
  sent: 'If this account has a verified email and a verified phone number, the link and the code are on their way. They are valid for 10 minutes.',
  unverified: 'Without both, please contact support.',
  demo: 'Demonstration: open the link. The code is',
  open: 'Open the link',
  back: 'Back to log in',
  failed: 'The request failed',
});

const Form = z.object({ username: Email });

export function PinResetRequest() {
  const t = useStore(MESSAGES);
  const form = useForm(Form, { username: '' });
  const request = useMutation({
    mutationFn: requestPinReset,
    meta: { silent: true },
    onError: (error) => showError(t.failed, errorMessage(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!request.isPending && form.validate()) request.mutate(form.values.username.trim());
  };
  if (request.data) {
    const { demo } = request.data;
    return (
      <div className="grid gap-4">
        <Notice tone="info" title={t.sentTitle} role="status">
          <p>{t.sent}</p>
          <p>{t.unverified}</p>
        </Notice>
        {demo ? (
          <p className="text-small">
            {t.demo} <b className="nums">{demo.code}</b>
          </p>
        ) : null}
        {demo ? (
          <Link to={demo.link} className={buttonClass('primary')}>
            {t.open}
          </Link>
        ) : null}
        <Link to={PATHS.auth} className={buttonClass('quiet')}>
          {t.back}
        </Link>
      </div>
    );
  }
  return (
    <form ref={form.formRef} noValidate className="grid gap-5" onSubmit={submit}>
      <TextField
        {...form.field('username')}
        label={t.email}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit" isPending={request.isPending} isBusy={request.isPending}>
        {t.submit}
      </Button>
      <Link to={PATHS.auth} className={buttonClass('quiet')}>
        {t.back}
      </Link>
    </form>
  );
}
