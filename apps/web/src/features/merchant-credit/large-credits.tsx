import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CreditStatus, type LargeCredit } from '@vuka/contracts/http/credits';
import { useState } from 'react';
import { MerchantName } from '#shared/admin/merchant-link.tsx';
import { type DecisionKind, ReviewActions, usePeopleFacts } from '#shared/admin/review-actions.tsx';
import { ReviewCard } from '#shared/admin/review-card.tsx';
import { type ReviewFact, ReviewItem } from '#shared/admin/review-item.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { CreditDecision } from './credit-decision.tsx';
import { largeCreditsQuery } from './large-credits.api.ts';

const MESSAGES = i18n('admin/large-credits', {
  title: 'Large credits and deposits',
  hint: 'Above what one administrator may move in 24 hours, a credit or deposit needs the approval of a second one.',
  status: 'Status',
  awaiting_approval: 'Waiting for approval',
  approved: 'Approved',
  refused: 'Refused',
  empty: 'No credits or deposits here',
  loadFailed: 'The credits could not be loaded',
  credit: 'Credit',
  deposit: 'Deposit',
  merchant: 'Merchant',
  administrator: 'Administrator',
  purpose: 'For',
  reference: 'Reference',
  moving: 'The money is on its way.',
  ended: 'The account was closed first. No money has moved.',
  own: 'Requested by you, or for your own account: another administrator has to decide on it.',
});

export function LargeCredits() {
  const t = useStore(MESSAGES);
  const [status, setStatus] = useState<CreditStatus>('awaiting_approval');
  const [asked, setAsked] = useState<{ credit: LargeCredit; kind: DecisionKind }>();
  const query = useInfiniteQuery(largeCreditsQuery(status));
  return (
    <ReviewCard
      texts={t}
      hint={t.hint}
      statuses={CreditStatus.options}
      status={status}
      onStatus={setStatus}
      query={query}
      renderEntry={(credit) => <Item credit={credit} onDecide={(kind) => setAsked({ credit, kind })} />}
    >
      {asked ? <CreditDecision {...asked} onClose={() => setAsked(undefined)} /> : null}
    </ReviewCard>
  );
}

interface ItemProps {
  credit: LargeCredit;
  onDecide: (kind: DecisionKind) => void;
}

function Item({ credit, onDecide }: ItemProps) {
  const t = useStore(MESSAGES);
  const people = usePeopleFacts();
  return (
    <ReviewItem
      title={
        <p className="nums text-card font-bold">
          {formatAmount(credit.amount, credit.currency)}
          <span className="ml-2 text-small font-medium text-ink2">{t[credit.kind]}</span>
        </p>
      }
      createdAt={credit.createdAt}
      transactionId={credit.transactionId}
      facts={factsOf(credit, people(credit), t)}
    >
      <Actions credit={credit} onDecide={onDecide} />
    </ReviewItem>
  );
}

/** What an approver needs to know, without empty values. */
function factsOf(credit: LargeCredit, people: readonly ReviewFact[], t: ReturnType<typeof MESSAGES.get>): ReviewFact[] {
  const isDeposit = credit.kind === 'deposit';
  const facts: ReviewFact[] = [
    [
      isDeposit ? t.administrator : t.merchant,
      <MerchantName key="who" userId={credit.merchantUserId} name={credit.merchantName} id={credit.merchantId} />,
    ],
    ...people,
    [t.purpose, isDeposit ? credit.reason : ''],
    [t.reference, credit.reference],
  ];
  return facts.filter(([, text]) => text !== '');
}

function Actions({ credit, onDecide }: ItemProps) {
  const t = useStore(MESSAGES);
  if (credit.status === 'awaiting_approval') {
    return <ReviewActions right="credits.decide" isOwn={credit.isOwn} own={t.own} onDecide={onDecide} />;
  }
  if (credit.endedAt !== null) return <p className="text-caption text-ink2 md:text-right">{t.ended}</p>;
  const isMoving = credit.status === 'approved' && credit.transactionId === null;
  return isMoving ? <p className="text-caption text-ink2 md:text-right">{t.moving}</p> : null;
}
