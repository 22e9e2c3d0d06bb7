import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Lock } from 'lucide-react';
import { formatTimeOn } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

const MESSAGES = i18n('admin/account-status', {
  active: 'Active',
  blocked: 'Blocked',
  locked: 'Locked',
  until: params('until {time}'),
});

const TONES = {
  active: { tone: 'ok', Icon: CircleCheck },
  blocked: { tone: 'bad', Icon: CircleX },
  locked: { tone: 'warn', Icon: Lock },
} as const;

interface AccountStatusProps {
  account: { isBlocked: boolean; lockedUntil: string | null };
}

/** Whether the owner of an account can sign in. A lock expires on its own, a block does not. */
export function AccountStatus({ account }: AccountStatusProps) {
  const t = useStore(MESSAGES);
  const { isBlocked, lockedUntil } = account;
  const state = isBlocked ? 'blocked' : lockedUntil ? 'locked' : 'active';
  const { tone, Icon } = TONES[state];
  return (
    <>
      <Badge tone={tone} Icon={Icon}>
        {t[state]}
      </Badge>
      {state === 'locked' ? (
        <span className="nums block text-caption text-ink3">{t.until({ time: formatTimeOn(lockedUntil ?? '') })}</span>
      ) : null}
    </>
  );
}
