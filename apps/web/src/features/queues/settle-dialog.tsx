import { useStore } from '@nanostores/react';
import { type DeadMessage, SettleDeadMessage } from '@vuka/contracts/http/queues';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { QUEUES_KEY, type Settlement, settleDeadMessage } from './queues.api.ts';

const MESSAGES = i18n('admin/settle-dialog', {
  requeue: 'Send this message again?',
  drop: 'Drop this message?',
  requeueDetail: 'It goes back into its queue as a first attempt. A service that has already handled it will skip it.',
  dropDetail: 'It will never be handled. The audit trail keeps its content.',
  reason: 'Reason',
  reasonHint: 'Kept in the audit trail',
  confirmRequeue: 'Send again',
  confirmDrop: 'Drop message',
  requeued: 'Message sent again',
  dropped: 'Message dropped',
  failed: 'The message was not moved',
  failedDetail: 'An error occurred, please try again',
});

interface SettleDialogProps {
  queue: string;
  message: DeadMessage;
  to: Settlement;
  onClose: () => void;
}

/** Asks for a reason and the PIN, then sends a dead message again or drops it. */
export function SettleDialog({ queue, message, to, onClose }: SettleDialogProps) {
  const t = useStore(MESSAGES);
  const isDrop = to === 'drop';
  return (
    <DecisionDialog
      title={isDrop ? t.drop : t.requeue}
      detail={isDrop ? t.dropDetail : t.requeueDetail}
      confirm={isDrop ? t.confirmDrop : t.confirmRequeue}
      isDanger={isDrop}
      field={{ name: 'reason', label: t.reason, hint: t.reasonHint, maxLength: 500 }}
      schema={SettleDeadMessage}
      isRemoval
      decide={(typed) => settleDeadMessage({ queue, id: message.id, to, typed })}
      outcome={{ done: isDrop ? t.dropped : t.requeued, failed: t.failed, failedDetail: t.failedDetail }}
      listKey={QUEUES_KEY}
      onClose={onClose}
    />
  );
}
