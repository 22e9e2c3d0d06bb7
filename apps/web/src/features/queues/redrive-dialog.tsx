import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RedriveDeadMessages } from '@vuka/contracts/http/queues';
import { askForPinAgain, DialogFailure } from '#shared/admin/dialog-failure.tsx';
import { FormDialog } from '#shared/admin/form-dialog.tsx';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { useSettled } from '#shared/use-settled.ts';
import { matchingQuery, QUEUES_KEY, REDRIVES_KEY, startRedrive } from './queues.api.ts';

const MESSAGES = i18n('admin/redrive-dialog', {
  title: params('Send many messages of {queue} again'),
  detail: 'Those that match go back into their queue as first attempts, oldest first. Mend the cause before.',
  type: 'Message type',
  typeHint: 'Exactly, such as transfer.settled.v1; empty for all',
  diedOf: 'Failed with',
  diedOfHint: 'A part of the error; empty for all',
  age: 'Dead for at least, in minutes',
  pace: 'Messages per second',
  matching: count({ one: '{count} message matches', many: '{count} messages match' }),
  counting: 'Counting',
  notCounted: params('Error counting the messages: {message}'),
  reason: 'Reason',
  reasonHint: 'Kept in the audit trail',
  pin: 'Your PIN',
  confirm: 'Requeue',
  started: 'The messages are being requeued',
  failed: 'No message was requeued',
  failedDetail: 'An error occurred, please try again',
  unanswered: 'No answer arrived, so it may have begun. Look at its progress before you confirm again.',
});

/** Longer than usual, because each count reads the whole dead-letter queue. */
const TYPING_PAUSE_MS = 400;

/** Asks which dead messages, says how many they are, and sends them again. */
export function RedriveDialog({ queue, onClose }: { queue: string; onClose: () => void }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm<Record<string, string>>(RedriveDeadMessages, {
    type: '',
    diedOf: '',
    olderThanMinutes: '0',
    perSecond: '20',
    reason: '',
    pin: '',
  });
  const starting = useMutation({
    mutationFn: (typed: Record<string, string>) => startRedrive(queue, typed),
    meta: { silent: true },
    onSuccess() {
      showToast({ title: t.started, tone: 'success' });
      onClose();
    },
    onError: (error) => askForPinAgain(form, error),
    onSettled: () => Promise.all([QUEUES_KEY, REDRIVES_KEY].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <FormDialog
      title={t.title({ queue })}
      detail={t.detail}
      form={form}
      confirm={t.confirm}
      isPending={starting.isPending}
      onSubmit={() => starting.mutate(form.values)}
      onClose={onClose}
    >
      <TextField {...form.field('type')} label={t.type} hint={t.typeHint} maxLength={200} autoComplete="off" />
      <TextField {...form.field('diedOf')} label={t.diedOf} hint={t.diedOfHint} maxLength={200} autoComplete="off" />
      <div className="grid grid-cols-2 items-end gap-3">
        <TextField {...form.field('olderThanMinutes')} label={t.age} inputMode="numeric" autoComplete="off" />
        <TextField {...form.field('perSecond')} label={t.pace} inputMode="numeric" autoComplete="off" />
      </div>
      <Matching queue={queue} filter={form.values} />
      <TextField {...form.field('reason')} label={t.reason} hint={t.reasonHint} maxLength={500} autoComplete="off" />
      <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
      <DialogFailure error={starting.error} title={t.failed} fallback={t.failedDetail} unanswered={t.unanswered} />
    </FormDialog>
  );
}

/** A dry run: the number of messages that match the filter. */
function Matching({ queue, filter }: { queue: string; filter: Record<string, string> }) {
  const t = useStore(MESSAGES);
  const settled = useSettled(filter, TYPING_PAUSE_MS);
  const { data, error } = useQuery(matchingQuery(queue, settled));
  return (
    <p role="status" className={`text-small font-medium ${error ? 'text-bad' : ''}`}>
      {error ? t.notCounted({ message: errorMessage(error) }) : data ? t.matching(data.matching) : t.counting}
    </p>
  );
}
