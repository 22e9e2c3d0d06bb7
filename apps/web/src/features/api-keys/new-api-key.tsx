import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IssueApiKey, type IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown } from '#shared/submission-key.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { API_KEYS_KEY, issueApiKey } from './api-keys.api.ts';
import { IssuedKey } from './issued-key.tsx';

const MESSAGES = i18n('admin/new-api-key', {
  title: 'New API key',
  name: 'Name',
  nameHint: 'The program that will use it',
  pin: 'Your PIN',
  submit: 'Issue key',
  submitting: 'Issuing...',
  failed: 'No API key was issued',
  failedDetail: 'An error occurred, please try again',
  unknown: 'No answer arrived, so a key may have been issued that was never shown. If it is in the list, revoke it.',
});

const EMPTY = { name: '', pin: '' };

/** The form for a new key, replaced once by the key that was issued. */
export function NewApiKey() {
  const t = useStore(MESSAGES);
  const form = useForm(IssueApiKey, EMPTY);
  const [issued, setIssued] = useState<IssuedApiKey>();
  const issuing = useIssuing({
    onIssued(answer) {
      form.setValues(EMPTY);
      setIssued(answer);
    },
    onRefused: () => form.clear('pin'),
  });
  const done = (): void => {
    issuing.reset();
    flushSync(() => setIssued(undefined));
    // The button that had the focus is gone, so the focus moves to the form.
    form.formRef.current?.querySelector('input')?.focus();
  };
  return (
    <Card title={t.title}>
      {issued ? (
        <IssuedKey issued={issued} onDone={done} />
      ) : (
        <AdminForm
          form={form}
          submit={t.submit}
          submitting={t.submitting}
          isPending={issuing.isPending}
          onSubmit={() => issuing.mutate(form.values)}
        >
          <div className="grid max-w-merchant gap-4 sm:grid-cols-2">
            <TextField {...form.field('name')} label={t.name} hint={t.nameHint} maxLength={60} autoComplete="off" />
            <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
          </div>
          {issuing.error && isOutcomeUnknown(issuing.error) ? <Notice tone="warn">{t.unknown}</Notice> : null}
        </AdminForm>
      )}
    </Card>
  );
}

interface Outcomes {
  onIssued: (answer: IssuedApiKey) => void;
  onRefused: () => void;
}

function useIssuing({ onIssued, onRefused }: Outcomes) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: issueApiKey,
    meta: { silent: true },
    // The key leaves memory when the user leaves the page.
    gcTime: 0,
    onSuccess: onIssued,
    onError(error) {
      // Cleared with the message, not once the list is read again: the user may be typing the PIN by then.
      onRefused();
      showFailure(t.failed, error, t.failedDetail);
    },
    onSettled: () => client.invalidateQueries({ queryKey: API_KEYS_KEY }),
  });
}
