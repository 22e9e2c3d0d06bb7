import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DeadMessage, DeadMessageReason } from '@vuka/contracts/http/queues';
import { Dialog } from '#shared/admin/dialog.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { useErrorText } from '#shared/admin/form-errors.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { QUEUES_KEY, type Settlement, settleDeadMessage } from './queues.api.ts';

const MESSAGES = i18n('admin/settle-dialog', {
  requeue: 'Send this message again?',
  drop: 'Drop this message?',
  requeueDetail: 'It goes back into its queue as a first attempt. Whoever handled it before will notice and skip it.',
  dropDetail: 'It will never be handled. The audit trail keeps its content.',
  reason: 'Reason',
  reasonHint: 'Kept in the audit trail',
  cancel: 'Cancel',
  confirmRequeue: 'Send again',
  confirmDrop: 'Drop message',
  requeued: 'Message sent again',
  dropped: 'Message dropped',
  failed: 'The message did not move',
  failedDetail: 'An error occurred, please try again',
});

interface SettleDialogProps {
  queue: string;
  message: DeadMessage;
  to: Settlement;
  onClose: () => void;
}

/** Asks why, then sends a dead message again or drops it. */
export function SettleDialog({ queue, message, to, onClose }: SettleDialogProps) {
  const t = useStore(MESSAGES);
  const errorText = useErrorText();
  const form = useForm(DeadMessageReason, { reason: '' });
  const settle = useSettle(to, onClose);
  const isDrop = to === 'drop';
  return (
    <Dialog title={isDrop ? t.drop : t.requeue} onClose={onClose}>
      <form
        ref={form.formRef}
        noValidate
        className="grid gap-5 px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (settle.isPending || !form.validate()) return;
          settle.mutate({ queue, id: message.id, to, reason: form.values.reason });
        }}
      >
        <p className="text-small text-ink2">{isDrop ? t.dropDetail : t.requeueDetail}</p>
        <TextField
          label={t.reason}
          hint={t.reasonHint}
          maxLength={500}
          {...form.field('reason')}
          error={errorText(form.errors.reason)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" variant={isDrop ? 'danger' : 'primary'} isPending={settle.isPending}>
            {isDrop ? t.confirmDrop : t.confirmRequeue}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useSettle(to: Settlement, onDone: () => void) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: settleDeadMessage,
    meta: { silent: true },
    onSuccess() {
      showToast({ title: to === 'drop' ? t.dropped : t.requeued, tone: 'success' });
      onDone();
    },
    onError: (error) => showError(t.failed, failureText(error, t.failedDetail)),
    onSettled: () => client.invalidateQueries({ queryKey: QUEUES_KEY }),
  });
}
