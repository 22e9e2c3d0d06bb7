import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { LargeCredit } from '@vuka/contracts/http/credits';
import { type DecisionKind, ReviewDecision } from '#shared/admin/review-actions.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LARGE_CREDITS_KEY } from './large-credits.api.ts';

const MESSAGES = i18n('admin/credit-decision', {
  approve_credit: params('Approve a credit of {amount}?'),
  refuse_credit: params('Refuse a credit of {amount}?'),
  approve_deposit: params('Approve a deposit of {amount}?'),
  refuse_deposit: params('Refuse a deposit of {amount}?'),
  approveDetail: params('It goes to {name}, {merchantId}, at once. This cannot be undone.'),
  refuseDetail: 'No money moves. The reason is shown in this list.',
  confirm_approve_credit: 'Approve credit',
  confirm_refuse_credit: 'Refuse credit',
  confirm_approve_deposit: 'Approve deposit',
  confirm_refuse_deposit: 'Refuse deposit',
});

interface CreditDecisionProps {
  credit: LargeCredit;
  kind: DecisionKind;
  onClose: () => void;
}

export function CreditDecision({ credit, kind, onClose }: CreditDecisionProps) {
  const t = useStore(MESSAGES);
  const { id, amount, currency, merchantName: name, merchantId } = credit;
  const decision = `${kind}_${credit.kind}` as const;
  return (
    <ReviewDecision
      address={LARGE_CREDITS_KEY[0]}
      id={id}
      kind={kind}
      title={t[decision]({ amount: formatAmount(amount, currency) })}
      detail={kind === 'approve' ? t.approveDetail({ name, merchantId }) : t.refuseDetail}
      confirm={t[`confirm_${decision}`]}
      onClose={onClose}
    />
  );
}
