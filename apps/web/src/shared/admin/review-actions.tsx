import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { QueryKey } from '@tanstack/react-query';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
import { PinConfirmation } from '@vuka/contracts/http/common';
import { type Proposal, RefuseProposal } from '@vuka/contracts/http/proposals';
import { sendRequest } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { momentText } from '#shared/ui/moment.tsx';
import { DecisionButton } from './decision-button.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import type { Facts } from './fact-list.tsx';
import { useMayDo } from './use-may-do.ts';

const MESSAGES = i18n('admin/review', {
  approve: 'Approve',
  refuse: 'Refuse',
  asked: 'Requested by',
  decided: 'Decided by',
  byAt: params('{who}, {when}'),
  refused: 'Reason',
  done: 'Decision recorded',
  failed: 'The decision was not recorded',
  failedDetail: 'Refresh the list to see the current state.',
});

export type DecisionKind = 'approve' | 'refuse';

type People = Pick<Proposal, 'requestedBy' | 'decidedBy' | 'decidedAt' | 'refusalReason'>;

/** Who requested and who decided, for a list of decisions by two administrators; without empty values. */
export function usePeopleFacts(): (review: People) => [label: string, text: string][] {
  const t = useStore(MESSAGES);
  const named = ({ name, adminId }: People['requestedBy']): string => [name, adminId].filter(Boolean).join(', ');
  return ({ requestedBy, decidedBy, decidedAt, refusalReason }) => {
    const decided = decidedBy && decidedAt ? t.byAt({ who: named(decidedBy), when: momentText(decidedAt) }) : '';
    const facts: [string, string][] = [
      [t.asked, named(requestedBy)],
      [t.decided, decided],
      [t.refused, refusalReason ?? ''],
    ];
    return facts.filter(([, text]) => text !== '');
  };
}

interface ReviewActionsProps {
  /** The right to decide: without it there are no buttons. */
  right: AdminRight;
  isOwn: boolean;
  /** Why the user cannot decide on their own request. */
  own: string;
  onDecide: (kind: DecisionKind) => void;
}

/** The buttons for both decisions, or the reason why another administrator has to decide. */
export function ReviewActions({ right, isOwn, own, onDecide }: ReviewActionsProps) {
  const t = useStore(MESSAGES);
  const mayDecide = useMayDo()(right);
  if (!mayDecide) return null;
  if (isOwn) return <p className="max-w-96 text-caption text-balance text-ink2 md:text-right">{own}</p>;
  return (
    <div className="flex flex-wrap content-start items-start gap-2 md:justify-end">
      <DecisionButton onClick={() => onDecide('approve')}>{t.approve}</DecisionButton>
      <DecisionButton variant="danger" onClick={() => onDecide('refuse')}>
        {t.refuse}
      </DecisionButton>
    </div>
  );
}

interface ReviewDecisionProps {
  /** The list's address, the prefix of the decisions' paths. */
  address: string;
  id: string;
  kind: DecisionKind;
  title: string;
  detail: string;
  facts?: Facts;
  confirm: string;
  /** Queries besides the list that show the effect of a decision. */
  alsoChanged?: readonly QueryKey[];
  onClose: () => void;
}

/** Sends a decision: the PIN, and the reason of a refusal. */
export function ReviewDecision({ address, id, kind, ...dialog }: ReviewDecisionProps) {
  const t = useStore(MESSAGES);
  const isApproval = kind === 'approve';
  return (
    <DecisionDialog
      {...dialog}
      isDanger={!isApproval}
      {...(isApproval ? {} : { field: { name: 'reason', label: t.refused, maxLength: 200 } })}
      schema={isApproval ? PinConfirmation : RefuseProposal}
      decide={(typed) => sendRequest(`${address}/${encodeURIComponent(id)}/${kind}`, { method: 'POST', body: typed })}
      outcome={t}
      listKey={[address]}
    />
  );
}
