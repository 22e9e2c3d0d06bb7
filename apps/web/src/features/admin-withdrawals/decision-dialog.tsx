import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AdminWithdrawal, CompleteWithdrawal, RefuseWithdrawal } from '@vuka/contracts/http/withdrawals';
import { type FormEvent, useState } from 'react';
import { Dialog } from '#shared/admin/dialog.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { useErrorText } from '#shared/admin/form-errors.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { ADMIN_WITHDRAWALS_KEY, type DecisionKind, decide } from './admin-withdrawals.api.ts';

const MESSAGES = i18n('admin/decision-dialog', {
  approve: params('Approve {amount}?'),
  refuse: params('Refuse {amount}?'),
  complete: params('{amount} has been paid?'),
  fail: params('{amount} could not be paid?'),
  approveDetail: params('It is paid to {name}, {account}. This cannot be taken back.'),
  refuseDetail: 'The money goes back to the merchant, who reads the reason.',
  completeDetail: 'Only once the bank has confirmed it: the amount leaves the merchant’s balance for good.',
  failDetail: 'The money goes back to the merchant, who reads the reason.',
  reason: 'Reason',
  reference: 'Reference of the bank',
  cancel: 'Cancel',
  confirmApprove: 'Approve withdrawal',
  confirmRefuse: 'Refuse withdrawal',
  confirmComplete: 'Mark as paid',
  confirmFail: 'Mark as failed',
  done: 'Decision recorded',
  failed: 'The decision was not taken',
  failedDetail: 'Refresh the list to see where it stands.',
});

const CONFIRM = {
  approve: 'confirmApprove',
  refuse: 'confirmRefuse',
  complete: 'confirmComplete',
  fail: 'confirmFail',
} as const;
const DETAIL = { refuse: 'refuseDetail', complete: 'completeDetail', fail: 'failDetail' } as const;

interface DecisionDialogProps {
  withdrawal: AdminWithdrawal;
  kind: DecisionKind;
  onClose: () => void;
}

/** What is wrong with the text that a decision needs; approving needs none. */
function problemOf(kind: DecisionKind, text: string): string | undefined {
  if (kind === 'approve') return undefined;
  const parsed =
    kind === 'complete'
      ? CompleteWithdrawal.safeParse({ reference: text })
      : RefuseWithdrawal.safeParse({ reason: text });
  return parsed.error?.issues[0]?.message;
}

export function DecisionDialog({ withdrawal, kind, onClose }: DecisionDialogProps) {
  const t = useStore(MESSAGES);
  const errorText = useErrorText();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const deciding = useMutation({
    mutationFn: decide,
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.done, tone: 'success' }),
    onError: (error) => showError(t.failed, failureText(error, t.failedDetail)),
    async onSettled() {
      onClose();
      await client.invalidateQueries({ queryKey: ADMIN_WITHDRAWALS_KEY });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = problemOf(kind, text);
    setProblem(found);
    if (!found && !deciding.isPending) deciding.mutate({ id: withdrawal.id, kind, text });
  };
  const { amount, currency, recipientName, recipientAccount } = withdrawal;
  const approveDetail = t.approveDetail({ name: recipientName, account: recipientAccount });
  return (
    <Dialog title={t[kind]({ amount: formatAmount(amount, currency) })} onClose={onClose}>
      <form noValidate className="grid gap-5 px-5 pb-5" onSubmit={submit}>
        <p className="text-small break-words text-ink2">{kind === 'approve' ? approveDetail : t[DETAIL[kind]]}</p>
        {kind === 'approve' ? null : (
          <TextField
            label={kind === 'complete' ? t.reference : t.reason}
            name="text"
            value={text}
            error={errorText(problem)}
            maxLength={kind === 'complete' ? 50 : 200}
            autoComplete="off"
            onChange={setText}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            type="submit"
            variant={kind === 'refuse' || kind === 'fail' ? 'danger' : 'primary'}
            isPending={deciding.isPending}
            aria-disabled={deciding.isPending}
          >
            {t[CONFIRM[kind]]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
