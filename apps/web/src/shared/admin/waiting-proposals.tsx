import { useStore } from '@nanostores/react';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
import type { Proposal } from '@vuka/contracts/http/proposals';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { momentText } from '#shared/ui/moment.tsx';
import { QueryBody } from './query-body.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { type DecisionKind, ReviewActions, ReviewDecision, usePeopleFacts } from './review-actions.tsx';
import { ReviewItem } from './review-item.tsx';
import { type ProposalList, waitingProposalsQuery } from './review-list.ts';
import { ShowMore } from './show-more.tsx';

const MESSAGES = i18n('admin/waiting-proposals', {
  title: 'Waiting for another administrator',
  loadFailed: 'The proposals could not be loaded',
  change: 'Change',
  until: 'Can be decided until',
  own: 'Requested by you: another administrator has to decide on it.',
  approveTitle: 'Approve this change?',
  refuseTitle: 'Refuse this change?',
  approveDetail: 'It takes effect at once.',
  refuseDetail: 'Nothing changes. The reason is shown in the audit trail.',
  confirmApprove: 'Approve the change',
  confirmRefuse: 'Refuse the change',
});

interface WaitingProposalsProps<One extends Proposal> {
  list: ProposalList<One>;
  /** The right to decide on them. */
  right: AdminRight;
  facts: (proposal: One) => readonly (readonly [label: string, text: string])[];
  titleOf: (proposal: One) => string;
  /** The queries that an approval changes. */
  changes: readonly QueryKey[];
}

/** The waiting proposals, with the decisions; nothing if none waits. */
export function WaitingProposals<One extends Proposal>(props: WaitingProposalsProps<One>) {
  const { list, right, facts, titleOf, changes } = props;
  const t = useStore(MESSAGES);
  const people = usePeopleFacts();
  const [asked, setAsked] = useState<{ proposal: One; kind: DecisionKind }>();
  const query = useInfiniteQuery(waitingProposalsQuery(list));
  const isNeeded = query.error !== null || asked !== undefined || (query.data?.length ?? 0) > 0;
  if (!isNeeded) return null;
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />} isOneRow>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(proposals) => (
          <ul className="divide-y divide-line border-t border-line">
            {proposals.map((proposal) => (
              <ReviewItem
                key={proposal.id}
                title={<p className="nums text-card font-bold">{titleOf(proposal)}</p>}
                createdAt={proposal.createdAt}
                facts={[...facts(proposal), ...people(proposal), [t.until, momentText(proposal.expiresAt)]]}
              >
                <ReviewActions
                  right={right}
                  isOwn={proposal.isOwn}
                  own={t.own}
                  onDecide={(kind) => setAsked({ proposal, kind })}
                />
              </ReviewItem>
            ))}
          </ul>
        )}
      </QueryBody>
      <ShowMore query={query} />
      {asked ? (
        <ReviewDecision
          id={asked.proposal.id}
          kind={asked.kind}
          address={list.key[0]}
          title={asked.kind === 'approve' ? t.approveTitle : t.refuseTitle}
          detail={asked.kind === 'approve' ? t.approveDetail : t.refuseDetail}
          facts={[[t.change, titleOf(asked.proposal)], ...facts(asked.proposal)]}
          confirm={asked.kind === 'approve' ? t.confirmApprove : t.confirmRefuse}
          alsoChanged={changes}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </Card>
  );
}
