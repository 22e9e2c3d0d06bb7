import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CreditStatus, type LargeCredit } from '@vuka/contracts/http/credits';
import { useState } from 'react';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { ReviewItem } from '#shared/admin/review-item.tsx';
import { ShowMore } from '#shared/admin/show-more.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { CreditDecision } from './credit-decision.tsx';
import { type CreditDecisionKind, largeCreditsQuery } from './large-credits.api.ts';

const MESSAGES = i18n('admin/large-credits', {
  title: 'Large credits',
  hint: 'Above the limit of the system settings, a credit moves once a second administrator has approved it.',
  status: 'Status',
  awaiting_approval: 'Waiting for approval',
  approved: 'Approved',
  refused: 'Refused',
  empty: 'No credits here',
  loadFailed: 'The credits could not be loaded',
  merchant: 'Merchant',
  asked: 'Asked for by',
  decided: 'Decided by',
  byAt: params('{who}, {when}'),
  reference: 'Reference',
  reason: 'Reason',
  moving: 'The money is on its way.',
  approve: 'Approve',
  refuse: 'Refuse',
  own: 'Asked for by you, or for your own account: another administrator has to decide on it.',
});

export function LargeCredits() {
  const t = useStore(MESSAGES);
  const [status, setStatus] = useState<CreditStatus>('awaiting_approval');
  const [asked, setAsked] = useState<{ credit: LargeCredit; kind: CreditDecisionKind }>();
  const query = useInfiniteQuery(largeCreditsQuery(status));
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <div className="grid gap-4 px-4 pt-1 pb-4 sm:px-5">
        <p className="max-w-[70ch] text-small text-ink2">{t.hint}</p>
        <SelectField
          label={t.status}
          name="status"
          className="max-w-80"
          value={status}
          options={CreditStatus.options.map((value) => ({ value, label: t[value] }))}
          onChange={(value) => setStatus(CreditStatus.parse(value))}
        />
      </div>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(credits) =>
          credits.length === 0 ? (
            <p className="border-t border-line px-5 py-10 text-center text-ink2">{t.empty}</p>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {credits.map((credit) => (
                <Item key={credit.id} credit={credit} onDecide={(kind) => setAsked({ credit, kind })} />
              ))}
            </ul>
          )
        }
      </QueryBody>
      <ShowMore query={query} />
      {asked ? <CreditDecision {...asked} onClose={() => setAsked(undefined)} /> : null}
    </Card>
  );
}

interface ItemProps {
  credit: LargeCredit;
  onDecide: (kind: CreditDecisionKind) => void;
}

function Item({ credit, onDecide }: ItemProps) {
  const t = useStore(MESSAGES);
  return (
    <ReviewItem
      title={<p className="nums text-card font-bold">{formatAmount(credit.amount, credit.currency)}</p>}
      createdAt={credit.createdAt}
      transactionId={credit.transactionId}
      facts={factsOf(credit, t)}
    >
      <Actions credit={credit} onDecide={onDecide} />
    </ReviewItem>
  );
}

/** What a checker needs, without what is empty. */
function factsOf(credit: LargeCredit, t: ReturnType<typeof MESSAGES.get>): [string, string][] {
  const { requestedBy, decidedBy, decidedAt } = credit;
  const named = ({ name, adminId }: LargeCredit['requestedBy']): string => [name, adminId].filter(Boolean).join(', ');
  const facts: [string, string][] = [
    [t.merchant, [credit.merchantName, credit.merchantId].filter(Boolean).join(', ')],
    [t.asked, named(requestedBy)],
    [t.decided, decidedBy && decidedAt ? t.byAt({ who: named(decidedBy), when: formatDayAndTime(decidedAt) }) : ''],
    [t.reference, credit.reference],
    [t.reason, credit.refusalReason ?? ''],
  ];
  return facts.filter(([, text]) => text !== '');
}

function Actions({ credit, onDecide }: ItemProps) {
  const t = useStore(MESSAGES);
  if (credit.status !== 'awaiting_approval') {
    const isMoving = credit.status === 'approved' && credit.transactionId === null;
    return isMoving ? <p className="text-caption text-ink2 md:text-right">{t.moving}</p> : null;
  }
  if (credit.isOwn) return <p className="max-w-80 text-caption text-pretty text-ink2 md:text-right">{t.own}</p>;
  return (
    <div className="flex flex-wrap content-start items-start gap-2 md:justify-end">
      <Button size="small" className="flex-1 md:flex-none" onClick={() => onDecide('approve')}>
        {t.approve}
      </Button>
      <Button size="small" variant="danger" className="flex-1 md:flex-none" onClick={() => onDecide('refuse')}>
        {t.refuse}
      </Button>
    </div>
  );
}
