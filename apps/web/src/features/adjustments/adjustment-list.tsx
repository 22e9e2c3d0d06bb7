import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Adjustment, AdjustmentStatus } from '@vuka/contracts/http/adjustments';
import { useState } from 'react';
import { type DecisionKind, ReviewActions, ReviewDecision, usePeopleFacts } from '#shared/admin/review-actions.tsx';
import { ReviewCard } from '#shared/admin/review-card.tsx';
import { type ReviewFact, ReviewItem } from '#shared/admin/review-item.tsx';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { ADJUSTMENT_WORDS } from './adjustment-words.ts';
import { ADJUSTMENTS_KEY, adjustmentsQuery } from './adjustments.api.ts';

const MESSAGES = i18n('admin/adjustments', {
  title: 'Requests',
  status: 'Status',
  awaiting_approval: 'Waiting for approval',
  approved: 'Approved',
  refused: 'Refused',
  empty: 'No adjustments here',
  loadFailed: 'The adjustments could not be loaded',
  accounts: 'Accounts',
  fromTo: params('{from} → {to}'),
  purpose: 'For',
  reference: 'Reference',
  journal: 'Journal',
  booking: 'The ledger has not confirmed it yet.',
  own: 'Requested by you: another administrator has to decide on it.',
  approve: params('Book {amount}?'),
  refuse: params('Refuse {amount}?'),
  approveDetail: params('From {from} to {to}, at once. Only another adjustment can reverse it.'),
  refuseDetail: 'Nothing is booked. The reason is shown in this list.',
  confirm_approve: 'Approve adjustment',
  confirm_refuse: 'Refuse adjustment',
});

type Asked = { adjustment: Adjustment; kind: DecisionKind };

/** The adjustments of one status, with the decisions on those that wait. */
export function AdjustmentList() {
  const t = useStore(MESSAGES);
  const [status, setStatus] = useState<AdjustmentStatus>('awaiting_approval');
  const [asked, setAsked] = useState<Asked>();
  const query = useInfiniteQuery(adjustmentsQuery(status));
  return (
    <ReviewCard
      texts={t}
      statuses={AdjustmentStatus.options}
      status={status}
      onStatus={setStatus}
      query={query}
      renderEntry={(adjustment) => <Item adjustment={adjustment} onDecide={(kind) => setAsked({ adjustment, kind })} />}
    >
      {asked ? <Decision {...asked} onClose={() => setAsked(undefined)} /> : null}
    </ReviewCard>
  );
}

interface ItemProps {
  adjustment: Adjustment;
  onDecide: (kind: DecisionKind) => void;
}

function Item({ adjustment, onDecide }: ItemProps) {
  const t = useStore(MESSAGES);
  const words = useStore(ADJUSTMENT_WORDS);
  const people = usePeopleFacts();
  const { amount, currency, kind, status, journalId } = adjustment;
  const facts: ReviewFact[] = [
    [t.accounts, t.fromTo({ from: words[adjustment.from], to: words[adjustment.to] })],
    [t.purpose, adjustment.reason],
    ...people(adjustment),
    [t.reference, adjustment.reference],
    [t.journal, journalId ?? ''],
  ];
  return (
    <ReviewItem
      title={
        <p className="nums text-card font-bold">
          {formatExactAmount(amount, currency)}
          <span className="ml-2 text-small font-medium text-ink2">{words[kind]}</span>
        </p>
      }
      createdAt={adjustment.createdAt}
      transactionId={null}
      facts={facts.filter(([, text]) => text !== '')}
    >
      {status === 'awaiting_approval' ? (
        <ReviewActions right="adjustments.decide" isOwn={adjustment.isOwn} own={t.own} onDecide={onDecide} />
      ) : null}
      {status === 'approved' && journalId === null ? (
        <p className="text-caption text-ink2 md:text-right">{t.booking}</p>
      ) : null}
    </ReviewItem>
  );
}

function Decision({ adjustment, kind, onClose }: Asked & { onClose: () => void }) {
  const t = useStore(MESSAGES);
  const words = useStore(ADJUSTMENT_WORDS);
  const amount = formatExactAmount(adjustment.amount, adjustment.currency);
  const accounts = { from: words[adjustment.from], to: words[adjustment.to] };
  return (
    <ReviewDecision
      address={ADJUSTMENTS_KEY[0]}
      id={adjustment.id}
      kind={kind}
      title={t[kind]({ amount })}
      detail={kind === 'approve' ? t.approveDetail(accounts) : t.refuseDetail}
      confirm={t[`confirm_${kind}`]}
      onClose={onClose}
    />
  );
}
