import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ADMIN_ROLES, type AdminRole } from '@vuka/contracts/http/admin-role';
import type { Administrator } from '@vuka/contracts/http/administrators';
import { useState } from 'react';
import { showFailure } from '#shared/admin/failure-text.ts';
import { type DecisionKind, ReviewActions, ReviewDecision } from '#shared/admin/review-actions.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { ADMINISTRATORS_KEY, changeRole } from './administrators.api.ts';
import { ROLE_NAMES } from './role-names.ts';

const MESSAGES = i18n('admin/role-control', {
  role: params('Role of {name}'),
  save: 'Change role',
  changed: 'Role changed',
  waiting: 'Role proposed',
  waitingDetail: 'Another owner has to approve it within 24 hours',
  failed: 'The role was not changed',
  failedDetail: 'Please try again.',
  proposal: params('{who} proposed {from} → {to}. It can be decided until {until}.'),
  own: 'Proposed by you: another owner has to decide on it.',
  approveTitle: 'Approve this role?',
  refuseTitle: 'Refuse this role?',
  approveDetail: 'It takes effect at once.',
  refuseDetail: 'The role stays as it is. The reason is shown in the audit trail.',
  approve: 'Approve the role',
  refuse: 'Refuse the role',
});

/** The role of one administrator; owners change it, and decide on another owner's proposal. */
export function RoleControl({ administrator }: { administrator: Administrator }) {
  const mayDo = useMayDo();
  const names = useStore(ROLE_NAMES);
  if (!mayDo('administrators.manage')) return <p className="text-small text-ink2">{names[administrator.role]}</p>;
  return (
    <div className="grid content-start gap-3">
      <RoleForm key={administrator.role} administrator={administrator} />
      {administrator.roleProposal ? (
        <WaitingRole name={administrator.fullName} proposal={administrator.roleProposal} />
      ) : null}
    </div>
  );
}

function RoleForm({ administrator }: { administrator: Administrator }) {
  const t = useStore(MESSAGES);
  const names = useStore(ROLE_NAMES);
  const client = useQueryClient();
  const [role, setRole] = useState<AdminRole>(administrator.role);
  const changing = useMutation({
    mutationFn: () => changeRole(administrator.id, role),
    meta: { silent: true },
    onSuccess({ administrator: { roleProposal } }) {
      if (!roleProposal) return showToast({ title: t.changed, tone: 'success' });
      setRole(administrator.role);
      showToast({ title: t.waiting, description: t.waitingDetail, tone: 'success' });
    },
    onError: (error) => showFailure(t.failed, error, t.failedDetail),
    onSettled: () => client.invalidateQueries({ queryKey: ADMINISTRATORS_KEY }),
  });
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        className="min-w-0 flex-1 basis-48"
        label={t.role({ name: administrator.fullName })}
        labelClass="sr-only"
        value={role}
        options={ADMIN_ROLES.map((value) => ({ value, label: names[value] }))}
        onChange={(value) => setRole(value as AdminRole)}
      />
      {role === administrator.role ? null : (
        <Button isBusy={changing.isPending} isPending={changing.isPending} onClick={() => changing.mutate()}>
          {t.save}
        </Button>
      )}
    </div>
  );
}

interface WaitingRoleProps {
  name: string;
  proposal: NonNullable<Administrator['roleProposal']>;
}

function WaitingRole({ name, proposal }: WaitingRoleProps) {
  const t = useStore(MESSAGES);
  const names = useStore(ROLE_NAMES);
  const [asked, setAsked] = useState<DecisionKind>();
  const { requestedBy, from, to, expiresAt } = proposal;
  const facts = { from: names[from], to: names[to], until: formatDayAndTime(expiresAt) };
  return (
    <div className="grid gap-2">
      <p className="nums text-small text-ink2">{t.proposal({ ...facts, who: requestedBy.name })}</p>
      <ReviewActions right="administrators.manage" isOwn={proposal.isOwn} own={t.own} onDecide={setAsked} />
      {asked ? (
        <ReviewDecision
          address="/api/admin/role-proposals"
          id={proposal.id}
          kind={asked}
          title={asked === 'approve' ? t.approveTitle : t.refuseTitle}
          detail={asked === 'approve' ? t.approveDetail : t.refuseDetail}
          facts={[[t.role({ name }), `${names[from]} → ${names[to]}`]]}
          confirm={asked === 'approve' ? t.approve : t.refuse}
          alsoChanged={[ADMINISTRATORS_KEY]}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </div>
  );
}
