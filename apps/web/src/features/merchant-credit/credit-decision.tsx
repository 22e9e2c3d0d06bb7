import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { type LargeCredit, RefuseCredit } from '@vuka/contracts/http/credits';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { type CreditDecisionKind, decideCredit, LARGE_CREDITS_KEY } from './large-credits.api.ts';

const MESSAGES = i18n('admin/credit-decision', {
  approve: params('Approve a credit of {amount}?'),
  refuse: params('Refuse a credit of {amount}?'),
  approveDetail: params('It goes to {name}, {merchantId}, at once. This cannot be taken back.'),
  refuseDetail: 'No money moves. Whoever asked for it reads the reason here.',
  reason: 'Reason',
  confirmApprove: 'Approve credit',
  confirmRefuse: 'Refuse credit',
  done: 'Decision recorded',
  failed: 'The decision was not taken',
  failedDetail: 'Refresh the list to see where it stands.',
});

interface CreditDecisionProps {
  credit: LargeCredit;
  kind: CreditDecisionKind;
  onClose: () => void;
}

export function CreditDecision({ credit, kind, onClose }: CreditDecisionProps) {
  const t = useStore(MESSAGES);
  const { id, amount, currency, merchantName: name, merchantId } = credit;
  const isApproval = kind === 'approve';
  return (
    <DecisionDialog
      title={t[kind]({ amount: formatAmount(amount, currency) })}
      detail={isApproval ? t.approveDetail({ name, merchantId }) : t.refuseDetail}
      confirm={isApproval ? t.confirmApprove : t.confirmRefuse}
      isDanger={!isApproval}
      {...(isApproval ? {} : { field: { name: 'reason', label: t.reason, maxLength: 200 } })}
      schema={isApproval ? PinConfirmation : RefuseCredit}
      decide={(typed) => decideCredit(id, kind, typed)}
      outcome={t}
      listKey={LARGE_CREDITS_KEY}
      onClose={onClose}
    />
  );
}
