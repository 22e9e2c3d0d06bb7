import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Lock } from 'lucide-react';
import { formatTimeOn } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

const MESSAGES = i18n('admin/account-status', {
  active: 'Active',
  blocked: 'Blocked',
  locked: params('Locked until {time}'),
  lockedShort: 'Locked',
  until: params('until {time}'),
});

const TONES = {
  active: { tone: 'ok', Icon: CircleCheck },
  blocked: { tone: 'bad', Icon: CircleX },
  locked: { tone: 'warn', Icon: Lock },
} as const;

interface AccountStatusProps {
  account: { isBlocked: boolean; lockedUntil: string | null };
  /** In a column the end of a lock is on its own line below the status. */
  isNarrow?: boolean;
}

/** Whether the owner of an account can sign in. A lock expires on its own, a block does not. */
export function AccountStatus({ account, isNarrow = false }: AccountStatusProps) {
  const t = useStore(MESSAGES);
  const { isBlocked, lockedUntil } = account;
  const state = isBlocked ? 'blocked' : lockedUntil ? 'locked' : 'active';
  const { tone, Icon } = TONES[state];
  const until = formatTimeOn(lockedUntil ?? '');
  const badge = (
    <Badge tone={tone} Icon={Icon}>
      {state !== 'locked' ? t[state] : isNarrow ? t.lockedShort : t.locked({ time: until })}
    </Badge>
  );
  return state === 'locked' && isNarrow ? (
    <>
      {badge}
      <span className="nums block text-caption whitespace-nowrap text-ink3">{t.until({ time: until })}</span>
    </>
  ) : (
    badge
  );
}
