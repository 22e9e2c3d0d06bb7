import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AdminWithdrawal, WithdrawalStatus } from '@vuka/contracts/http/withdrawals';
import { useState } from 'react';
import { DecisionButton } from '#shared/admin/decision-button.tsx';
import { MerchantName } from '#shared/admin/merchant-link.tsx';
import { ReviewActions } from '#shared/admin/review-actions.tsx';
import { ReviewCard } from '#shared/admin/review-card.tsx';
import { type ReviewFact, ReviewItem } from '#shared/admin/review-item.tsx';
import { TakeButton } from '#shared/admin/take-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { formatAmount } from '#shared/format/money.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { noteText } from '#shared/i18n/transfer-notes.ts';
import { momentText } from '#shared/ui/moment.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import {
  ADMIN_WITHDRAWALS_KEY,
  adminWithdrawalsQuery,
  type DecisionKind,
  takeWithdrawal,
} from './admin-withdrawals.api.ts';
import { WithdrawalDecision } from './withdrawal-decision.tsx';

const MESSAGES = i18n('admin/withdrawal-queue', {
  title: 'Requests',
  status: 'Status',
  awaiting_approval: 'Waiting for approval',
  pending: 'Approved, not sent yet',
  payment_submitted: 'Sent',
  completed: 'Completed',
  failed: 'Failed or refused',
  empty: 'No withdrawals here',
  loadFailed: 'The withdrawals could not be loaded',
  account: 'Account',
  codes: 'Branch, SWIFT',
  linked: 'Account linked',
  paidBefore: 'Paid to this account before',
  asked: 'In the previous 24 hours',
  fee: 'Fee',
  reason: 'Reason',
  approved: 'Approved',
  closed: 'Closed',
  reference: 'Reference',
  byAt: params('{who}, {when}'),
  times: count({ one: '{count} time', many: '{count} times' }),
  complete: 'Mark as paid',
  fail: 'Mark as failed',
  take: 'I am paying this',
  takeCompared: 'I have checked the statement: I take it',
  paidByYou: 'You are paying this.',
  paidBy: params('{who} has been paying this since {when}.'),
  takeLater: 'Another administrator can take it over later, once the bank statement shows the payment.',
  takeFailed: 'This was not recorded',
  mayBePaid: 'This may have been paid already',
  compare: 'Look for the payment on the bank statement. If it is there, do not pay again: take it and mark it as paid.',
  compareFirst:
    'Look for the payment on the bank statement. If it is there, do not refuse it: approve it, take it and mark it as paid.',
  comparePayer: 'Look for the payment on the bank statement. If it is there, do not pay again: mark it as paid.',
  own: 'This is your own withdrawal: another administrator has to decide on it.',
});

export function WithdrawalQueue() {
  const t = useStore(MESSAGES);
  const [status, setStatus] = useState<WithdrawalStatus>('awaiting_approval');
  const [asked, setAsked] = useState<{ withdrawal: AdminWithdrawal; kind: DecisionKind }>();
  const query = useInfiniteQuery(adminWithdrawalsQuery(status));
  return (
    <ReviewCard
      texts={t}
      statuses={WithdrawalStatus.options}
      status={status}
      onStatus={setStatus}
      query={query}
      renderEntry={(withdrawal) => <Item withdrawal={withdrawal} onDecide={(kind) => setAsked({ withdrawal, kind })} />}
    >
      {asked ? <WithdrawalDecision {...asked} onClose={() => setAsked(undefined)} /> : null}
    </ReviewCard>
  );
}

function Item({ withdrawal, onDecide }: { withdrawal: AdminWithdrawal; onDecide: (kind: DecisionKind) => void }) {
  const t = useStore(MESSAGES);
  return (
    <ReviewItem
      title={
        <>
          <p className="nums flex flex-wrap items-baseline gap-x-3 text-card font-bold">
            <span>{formatAmount(withdrawal.amount, withdrawal.currency)}</span>
            <span className="text-small font-medium">
              <MerchantName
                userId={withdrawal.merchantUserId}
                name={withdrawal.merchantName}
                id={withdrawal.merchantId}
                isOnOneLine
              />
            </span>
          </p>
          {withdrawal.mayBePaid && withdrawal.canBeTaken ? (
            <div className="max-w-[66ch] py-2">
              <Notice tone="warn" title={t.mayBePaid}>
                {t[adviceOn(withdrawal)]}
              </Notice>
            </div>
          ) : null}
        </>
      }
      createdAt={withdrawal.createdAt}
      transactionId={withdrawal.id}
      facts={factsOf(withdrawal, t)}
    >
      <Actions withdrawal={withdrawal} onDecide={onDecide} />
    </ReviewItem>
  );
}

/** What to do if the bank has paid it already. */
function adviceOn({ status, isPaidByCaller }: AdminWithdrawal) {
  if (status === 'awaiting_approval') return 'compareFirst';
  return isPaidByCaller ? 'comparePayer' : 'compare';
}

/** What an approver needs to know, without empty values. */
function factsOf(item: AdminWithdrawal, t: ReturnType<typeof MESSAGES.get>): ReviewFact[] {
  const by = (who: string | null, when: string | null): string =>
    who && when ? t.byAt({ who, when: momentText(when) }) : '';
  const account = item.bankName
    ? `${item.bankName}, ${item.recipientAccount}`
    : unbroken(formatPhone(item.recipientAccount));
  const facts: ReviewFact[] = [
    [t.account, `${item.recipientName}, ${account}`, 'wide'],
    [t.codes, [item.branchCode, item.swiftCode].filter(Boolean).join(', ')],
    [t.linked, momentText(item.accountLinkedAt)],
    [t.paidBefore, t.times(item.paidBefore)],
    [t.asked, formatAmount(item.askedInDay, item.currency)],
    [t.fee, formatExactAmount(item.fee, item.currency)],
    [t.approved, by(item.approvedBy, item.approvedAt)],
    [t.closed, by(item.closedBy, item.closedAt)],
    [t.reference, item.providerReference ?? ''],
    [t.reason, item.statusReason ? noteText(item.statusReason, item.statusReasonCodes) : ''],
  ];
  return facts.filter(([, text]) => text !== '');
}

function Actions({ withdrawal, onDecide }: { withdrawal: AdminWithdrawal; onDecide: (kind: DecisionKind) => void }) {
  const t = useStore(MESSAGES);
  const mayDecide = useMayDo()('withdrawals.decide');
  const [isOfBlocked, setIsOfBlocked] = useState(false);
  const isWaiting = withdrawal.status === 'awaiting_approval';
  if (!mayDecide || (!isWaiting && !withdrawal.isToBePaidByHand)) return null;
  if (isWaiting || withdrawal.isOwn)
    return <ReviewActions right="withdrawals.decide" isOwn={withdrawal.isOwn} own={t.own} onDecide={onDecide} />;
  // Nobody may pay a blocked merchant's withdrawal: the money can only be returned.
  const mayFail = withdrawal.isPaidByCaller || (isOfBlocked && withdrawal.payingName === null);
  return (
    <div className="flex max-w-96 flex-wrap content-start items-start gap-2 md:justify-end">
      <Payer
        withdrawal={withdrawal}
        onRefused={(reason) => setIsOfBlocked(reason === 'withdrawal_of_blocked_account')}
      />
      {withdrawal.isPaidByCaller ? (
        <DecisionButton onClick={() => onDecide('complete')}>{t.complete}</DecisionButton>
      ) : null}
      {mayFail ? (
        <DecisionButton variant="danger" onClick={() => onDecide('fail')}>
          {t.fail}
        </DecisionButton>
      ) : null}
    </div>
  );
}

interface PayerProps {
  withdrawal: AdminWithdrawal;
  onRefused: (reason: string | undefined) => void;
}

/** Who pays it by hand, so that two administrators do not both pay it. */
function Payer({ withdrawal, onRefused }: PayerProps) {
  const { id, payingName, payingSince, isPaidByCaller, mayBePaid, canBeTaken } = withdrawal;
  const t = useStore(MESSAGES);
  if (isPaidByCaller) return <p className="basis-full text-caption text-ink2 md:text-right">{t.paidByYou}</p>;
  const payer = payingName && payingSince ? t.paidBy({ who: payingName, when: momentText(payingSince) }) : null;
  return (
    <>
      {payer ? (
        <p className="basis-full text-caption text-ink2 md:text-right">
          {payer} {canBeTaken ? null : t.takeLater}
        </p>
      ) : null}
      {canBeTaken ? (
        <TakeButton
          take={() => takeWithdrawal(id, { payingSince, comparedWithStatement: mayBePaid })}
          text={mayBePaid ? t.takeCompared : t.take}
          failed={t.takeFailed}
          onRefused={onRefused}
          listKey={ADMIN_WITHDRAWALS_KEY}
        />
      ) : null}
    </>
  );
}
