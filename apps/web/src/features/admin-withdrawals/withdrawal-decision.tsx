import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { type AdminWithdrawal, CompleteWithdrawal, RefuseWithdrawal } from '@vuka/contracts/http/withdrawals';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { ADMIN_WITHDRAWALS_KEY, type DecisionKind, decide } from './admin-withdrawals.api.ts';

const MESSAGES = i18n('admin/decision-dialog', {
  approve: params('Approve {amount}?'),
  refuse: params('Refuse {amount}?'),
  complete: params('Confirm that {amount} has been paid?'),
  fail: params('Confirm that {amount} could not be paid?'),
  approveDetail: params('It is paid to {name}, {account}. This cannot be taken back.'),
  refuseDetail: 'The money goes back to the merchant, who sees the reason.',
  completeDetail:
    'Only once the bank has confirmed the payment: the amount then leaves the merchant’s balance for good.',
  failDetail: 'The money goes back to the merchant, who sees the reason.',
  comparedDetail:
    'Only if the bank statement does not show this payment: the money goes back to the merchant, who sees the reason.',
  reason: 'Reason',
  reference: 'Bank reference',
  confirmApprove: 'Approve withdrawal',
  confirmRefuse: 'Refuse withdrawal',
  confirmComplete: 'Mark as paid',
  confirmFail: 'Mark as failed',
  done: 'Decision recorded',
  failed: 'The decision was not recorded',
  failedDetail: 'Refresh the list to see the current state.',
});

const CONFIRM = {
  approve: 'confirmApprove',
  refuse: 'confirmRefuse',
  complete: 'confirmComplete',
  fail: 'confirmFail',
} as const;
const DETAIL = { refuse: 'refuseDetail', complete: 'completeDetail', fail: 'failDetail' } as const;
const SCHEMAS = {
  approve: PinConfirmation,
  refuse: RefuseWithdrawal,
  complete: CompleteWithdrawal,
  fail: RefuseWithdrawal,
} as const;

interface WithdrawalDecisionProps {
  withdrawal: AdminWithdrawal;
  kind: DecisionKind;
  onClose: () => void;
}

export function WithdrawalDecision({ withdrawal, kind, onClose }: WithdrawalDecisionProps) {
  const t = useStore(MESSAGES);
  const { id, amount, currency, recipientName: name, recipientAccount: account, mayBePaid } = withdrawal;
  const isReturn = kind === 'refuse' || kind === 'fail';
  const reason = { name: 'reason', label: t.reason, maxLength: 200 };
  const fields = { refuse: reason, fail: reason, complete: { name: 'reference', label: t.reference, maxLength: 50 } };
  const detail =
    kind === 'approve' ? t.approveDetail({ name, account: unbroken(formatPhone(account)) }) : t[DETAIL[kind]];
  return (
    <DecisionDialog
      title={t[kind]({ amount: formatAmount(amount, currency) })}
      detail={isReturn && mayBePaid ? t.comparedDetail : detail}
      confirm={t[CONFIRM[kind]]}
      isDanger={isReturn}
      {...(kind === 'approve' ? {} : { field: fields[kind] })}
      schema={SCHEMAS[kind]}
      decide={(typed) => decide({ id, kind, typed, comparison: isReturn ? { comparedWithStatement: mayBePaid } : {} })}
      outcome={t}
      listKey={ADMIN_WITHDRAWALS_KEY}
      onClose={onClose}
    />
  );
}
