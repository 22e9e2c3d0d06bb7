import '#shared/i18n/security-refusals.ts';
import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pin } from '@vuka/contracts/http/common';
import { CodeDigits, type CodeSent } from '@vuka/contracts/http/contact-verification';
import { UserX } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { errorMessage } from '#shared/api-client.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { endSession } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { DisclosureRow } from '#shared/ui/disclosure-row.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { useForm } from '#shared/use-form.ts';
import { isWrongPin } from '#shared/wrong-pin.ts';
import { closeAccount, sendClosingCode, verificationQuery } from './account-security.api.ts';
import { CodeField } from './code-field.tsx';

const MESSAGES = i18n('close-account-row', {
  title: 'Close account',
  first: 'Send or withdraw all your money first. Cents that are left cannot be paid out.',
  erased: 'Your name, contacts, PIN, saved recipients and messages are erased.',
  kept: 'The law requires us to keep the records of your transfers for ten years.',
  final: 'This cannot be undone.',
  start: 'Close my account',
  send: 'Send code',
  again: 'Send a new code',
  sent: params('We sent a code to {to}. It is valid for 10 minutes.'),
  demo: params('Demonstration: the code is {code}.'),
  code: '6-digit code',
  pin: 'PIN to close the account',
  cancel: 'Cancel',
  submit: 'Close for good',
  done: 'Account closed',
  notSent: 'The code could not be sent',
  failed: 'The account was not closed',
  notLoaded: 'Your contacts could not be loaded',
});

const ClosingValues = z.object({ pin: Pin, code: z.union([z.literal(''), CodeDigits]) });

/** A merchant closes the account for good, with the PIN and the code that goes to a verified number. */
export function CloseAccountRow() {
  const t = useStore(MESSAGES);
  const [isOpen, setOpen] = useState(false);
  const contentRef = useRef<HTMLDivElement>(null);
  const cancel = (): void => {
    flushSync(() => setOpen(false));
    // The button that had the focus is gone, and the one that opened the form is back.
    contentRef.current?.querySelector('button')?.focus();
  };
  return (
    <DisclosureRow Icon={UserX} title={t.title}>
      <div ref={contentRef} className="grid gap-4">
        <ul className="grid list-disc gap-1 pl-5 text-small text-ink2">
          {[t.first, t.erased, t.kept, t.final].map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {isOpen ? (
          <Closing onCancel={cancel} />
        ) : (
          <Button variant="danger" className="w-full" onClick={() => setOpen(true)}>
            {t.start}
          </Button>
        )}
      </div>
    </DisclosureRow>
  );
}

/** Whether the account is closed with a code depends on its number. */
function Closing({ onCancel }: { onCancel: () => void }) {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(verificationQuery());
  if (data) return <ClosingForm needsCode={data.phone?.isVerified === true} onCancel={onCancel} />;
  return (
    <>
      {error ? (
        <LoadError title={t.notLoaded} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-12" />
      )}
      <Button variant="secondary" onClick={onCancel}>
        {t.cancel}
      </Button>
    </>
  );
}

function ClosingForm({ needsCode, onCancel }: { needsCode: boolean; onCancel: () => void }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const [sent, setSent] = useState<CodeSent>();
  const form = useForm(ClosingValues, { pin: '', code: '' });
  useEffect(() => {
    // The button that opened the form is gone. A code that was sent is typed next, unless something is being typed.
    if (sent && document.activeElement instanceof HTMLInputElement) return;
    form.formRef.current?.querySelector<HTMLElement>(sent ? '[name="code"]' : 'button, input')?.focus();
  }, [form.formRef, sent]);
  const close = useMutation({
    mutationFn: closeAccount,
    meta: { silent: true },
    onSuccess() {
      endSession(client);
      showToast({ title: t.done, tone: 'success' });
    },
    onError(error) {
      if (isWrongPin(error)) form.clear('pin');
      showError(t.failed, errorMessage(error));
    },
  });
  // The PIN is the last step.
  const mayClose = !needsCode || sent !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (close.isPending || !form.validate()) return;
    const { pin, code } = form.values;
    close.mutate({ pin, ...(needsCode ? { code } : {}) });
  };
  return (
    <form ref={form.formRef} noValidate className="grid gap-4" onSubmit={submit}>
      {needsCode ? (
        <CodeRequest sent={sent} onSent={setSent}>
          <CodeField {...form.field('code')} label={t.code} />
        </CodeRequest>
      ) : null}
      {mayClose ? <PinField {...form.field('pin')} label={t.pin} autoComplete="current-password" /> : null}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" className="flex-1" onClick={onCancel}>
          {t.cancel}
        </Button>
        {mayClose ? (
          <Button
            type="submit"
            variant="destructive"
            className="flex-1 whitespace-nowrap"
            isPending={close.isPending}
            isBusy={close.isPending}
          >
            {t.submit}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

interface CodeRequestProps {
  sent: CodeSent | undefined;
  onSent: (sent: CodeSent) => void;
  /** The field for the code, once it is sent. */
  children: ReactNode;
}

function CodeRequest({ sent, onSent, children }: CodeRequestProps) {
  const t = useStore(MESSAGES);
  const send = useMutation({
    mutationFn: sendClosingCode,
    meta: { silent: true },
    onSuccess: onSent,
    onError: (error) => showError(t.notSent, errorMessage(error)),
  });
  return (
    <div className="grid gap-3">
      {sent ? (
        <>
          <p role="status" className="text-small text-ink2">
            {t.sent({ to: formatPhone(sent.sentTo) })}{' '}
            {sent.demoCode ? <b className="nums">{t.demo({ code: sent.demoCode })}</b> : null}
          </p>
          {children}
        </>
      ) : null}
      <Button
        variant={sent ? 'quiet' : 'secondary'}
        isPending={send.isPending}
        isBusy={send.isPending}
        onClick={() => send.mutate()}
      >
        {sent ? t.again : t.send}
      </Button>
    </div>
  );
}
