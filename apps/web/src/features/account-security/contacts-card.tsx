import '#shared/i18n/security-refusals.ts';
import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CodeEntry, type CodeSent, type VerificationChannel } from '@vuka/contracts/http/contact-verification';
import { type FormEvent, useState } from 'react';
import { LIMITS_KEY } from '#shared/api/limits.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { TierBadge } from '#shared/limits/tier-badge.tsx';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { useForm } from '#shared/use-form.ts';
import { confirmCode, sendCode, VERIFICATION_KEY, verificationQuery } from './account-security.api.ts';
import { CodeField } from './code-field.tsx';

const MESSAGES = i18n('contacts-card', {
  title: 'Phone and email',
  why: 'Other merchants can pay you at your verified number. Verify both to be able to replace a forgotten PIN.',
  phone: 'Phone',
  email: 'Email',
  noPhone: 'Your number is not of a country that we serve, so it cannot be verified.',
  verify: 'Send code',
  again: 'Send a new code',
  sent: params('We sent a code to {to}. It is valid for 10 minutes.'),
  demo: params('Demonstration: the code is {code}.'),
  code: '6-digit code',
  confirm: 'Confirm',
  done: 'Verified',
  notSent: 'The code could not be sent',
  notConfirmed: 'The code was not accepted',
  failed: 'Your contacts could not be loaded',
});

export function ContactsCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(verificationQuery());
  return (
    <Card title={t.title}>
      <p className="px-4 pb-2 text-small text-ink2 sm:px-5">{t.why}</p>
      {data ? (
        <ul className="divide-y divide-line pb-1">
          {data.phone ? (
            <Contact
              channel="phone"
              label={t.phone}
              value={formatPhone(data.phone.value)}
              isVerified={data.phone.isVerified}
            />
          ) : (
            <li className="px-4 py-3 text-small text-ink2 sm:px-5">{t.noPhone}</li>
          )}
          <Contact channel="email" label={t.email} value={data.email.value} isVerified={data.email.isVerified} />
        </ul>
      ) : error ? (
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="grid gap-3 px-4 pb-5 sm:px-5">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
    </Card>
  );
}

interface ContactProps {
  channel: VerificationChannel;
  label: string;
  value: string;
  isVerified: boolean;
}

function Contact({ channel, label, value, isVerified }: ContactProps) {
  const t = useStore(MESSAGES);
  const [sent, setSent] = useState<CodeSent>();
  const send = useMutation({
    mutationFn: sendCode,
    meta: { silent: true },
    onSuccess: setSent,
    onError: (error) => showError(t.notSent, errorMessage(error)),
  });
  return (
    <li className="grid gap-3 px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 text-small text-ink2">
            {label} {isVerified ? null : <TierBadge tier="unverified" />}
          </p>
          <p className="nums font-medium [overflow-wrap:anywhere]">{value}</p>
        </div>
        {isVerified ? (
          <TierBadge tier="verified" />
        ) : (
          <Button
            variant={sent ? 'quiet' : 'secondary'}
            size="small"
            isPending={send.isPending}
            isBusy={send.isPending}
            aria-label={`${sent ? t.again : t.verify}: ${label}`}
            onClick={() => send.mutate(channel)}
          >
            {sent ? t.again : t.verify}
          </Button>
        )}
      </div>
      {sent && !isVerified ? <CodeForm key={sent.expiresAt} channel={channel} sent={sent} /> : null}
    </li>
  );
}

function CodeForm({ channel, sent }: { channel: VerificationChannel; sent: CodeSent }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm(CodeEntry, { code: '' });
  const confirm = useMutation({
    mutationFn: confirmCode,
    meta: { silent: true },
    async onSuccess() {
      showToast({ title: t.done, tone: 'success' });
      await Promise.all([VERIFICATION_KEY, LIMITS_KEY].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError: (error) => showError(t.notConfirmed, errorMessage(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!confirm.isPending && form.validate()) confirm.mutate({ channel, code: form.values.code });
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-3" onSubmit={submit}>
      <p role="status" className="text-small text-ink2">
        {t.sent({ to: channel === 'phone' ? formatPhone(sent.sentTo) : sent.sentTo })}{' '}
        {sent.demoCode ? <b className="nums">{t.demo({ code: sent.demoCode })}</b> : null}
      </p>
      <CodeField {...form.field('code')} label={t.code} />
      <Button type="submit" isPending={confirm.isPending} isBusy={confirm.isPending}>
        {t.confirm}
      </Button>
    </form>
  );
}
