import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { Administrator } from '@vuka/contracts/http/administrators';
import { Link } from 'react-router-dom';
import { AccountStatus } from '#shared/admin/account-status.tsx';
import { CopyButton } from '#shared/admin/copy-button.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { useSessionUser } from '#shared/session.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { momentText } from '#shared/ui/moment.tsx';
import { administratorsQuery } from './administrators.api.ts';
import { RoleControl } from './role-control.tsx';
import { useUnlockAdministrator } from './use-unlock-administrator.ts';

const MESSAGES = i18n('admin/administrator-list', {
  title: 'Administrators',
  loadFailed: 'The administrators could not be loaded',
  you: 'You',
  hasFactor: 'Has a second factor',
  noFactor: 'No second factor yet',
  addFactor: 'Add one',
  unlock: 'Unlock',
  unlockOf: params('Unlock {name}'),
  own: 'Two other administrators can unlock your account. The lock also expires on its own.',
  request: 'Two other administrators have to unlock this account: you, and then another one within 24 hours.',
  requested: params('You requested the unlock. Another administrator has to confirm it by {until}.'),
  confirm: params('{name}, {adminId}, requested the unlock {time}. Confirm it by {until}.'),
  onServer: 'Unlocking this account takes two other administrators, and there are fewer than two. On the server, run:',
  copy: 'Copy command',
});

/** The administrators, whether they can sign in, and how a locked one can be unlocked. */
export function AdministratorList() {
  const t = useStore(MESSAGES);
  const query = useQuery(administratorsQuery());
  const unlocking = useUnlockAdministrator();
  const user = useSessionUser();
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(administrators) => (
          <ul className="divide-y divide-line border-t border-line">
            {administrators.map((administrator) => (
              <li
                key={administrator.id}
                className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 px-4 py-3 sm:px-5 md:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_22rem]"
              >
                <Identity administrator={administrator} isYou={administrator.id === user?.id} />
                <RoleControl administrator={administrator} />
                <Lock
                  administrator={administrator}
                  isBusy={unlocking.isPending}
                  onUnlock={() => unlocking.mutate(administrator)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryBody>
    </Card>
  );
}

function Identity({ administrator, isYou }: { administrator: Administrator; isYou: boolean }) {
  const t = useStore(MESSAGES);
  const { fullName, adminId, email, secondFactors } = administrator;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-semibold [overflow-wrap:anywhere]">
          {fullName} {isYou ? <span className="font-normal text-ink2">({t.you})</span> : null}
        </p>
        <p className="nums text-caption [overflow-wrap:anywhere] text-ink3">
          {adminId} · {email}
        </p>
        <p className="text-caption text-ink3">
          {secondFactors > 0 ? t.hasFactor : t.noFactor}{' '}
          {isYou && secondFactors === 0 ? <AddFactorLink text={t.addFactor} /> : null}
        </p>
      </div>
      <div className="text-right">
        <AccountStatus account={administrator} />
      </div>
    </div>
  );
}

/** Only the reader's own can be added by the reader. */
function AddFactorLink({ text }: { text: string }) {
  return (
    <Link
      to={PATHS.security}
      className="inline-flex min-h-9 items-center text-primary underline-offset-2 hover:underline md:min-h-0"
    >
      {text}
    </Link>
  );
}

interface LockProps {
  administrator: Administrator;
  isBusy: boolean;
  onUnlock: () => void;
}

/** How an administrator's lock can be ended; nothing where there is no lock. */
function Lock({ administrator, isBusy, onUnlock }: LockProps) {
  const t = useStore(MESSAGES);
  const { fullName: name, email, unlockStep, unlockRequest } = administrator;
  if (unlockStep === 'none') return null;
  if (unlockStep === 'on-server') return <OnServer email={email} />;
  const until = momentText(unlockRequest?.expiresAt ?? '');
  const by = unlockRequest?.requestedBy;
  const asked = { name: by?.name ?? '', adminId: by?.adminId ?? '', until };
  const texts = {
    own: t.own,
    request: t.request,
    requested: t.requested({ until }),
    confirm: t.confirm({ ...asked, time: momentText(unlockRequest?.requestedAt ?? '') }),
  };
  const isTheirs = unlockStep === 'request' || unlockStep === 'confirm';
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 md:col-span-2">
      <p className="nums min-w-0 flex-1 basis-56 text-small text-ink2">{texts[unlockStep]}</p>
      {isTheirs ? (
        <Button variant="secondary" size="small" aria-label={t.unlockOf({ name })} isBusy={isBusy} onClick={onUnlock}>
          {t.unlock}
        </Button>
      ) : null}
    </div>
  );
}

function OnServer({ email }: { email: string }) {
  const t = useStore(MESSAGES);
  const command = `npm run admin:unlock -- --email ${email}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2 md:col-span-2">
      <p className="text-small text-ink2">{t.onServer}</p>
      <code className="w-full rounded-control bg-sunken px-4 py-3 text-small [overflow-wrap:anywhere] select-all">
        {command}
      </code>
      <CopyButton text={command} label={t.copy} variant="secondary" size="small" />
    </div>
  );
}
