import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Lock } from 'lucide-react';
import { formatTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import type { Merchant } from './merchants.api.ts';

const MESSAGES = i18n('admin/account-status', {
  active: 'Active',
  blocked: 'Blocked',
  locked: params('Locked until {time}'),
  lockedShort: 'Locked',
  until: params('until {time}'),
});

const TONES = {
  active: { colour: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  blocked: { colour: 'bg-bad-soft text-bad-ink', Icon: CircleX },
  locked: { colour: 'bg-warn-soft text-warn-ink', Icon: Lock },
} as const;

interface AccountStatusProps {
  merchant: Pick<Merchant, 'isBlocked' | 'lockedUntil'>;
  /** In a column: until when stands under the word. */
  isNarrow?: boolean;
}

/** Whether a merchant can sign in. A lock is over by itself, a block is not. */
export function AccountStatus({ merchant, isNarrow = false }: AccountStatusProps) {
  const t = useStore(MESSAGES);
  const { isBlocked, lockedUntil } = merchant;
  const state = isBlocked ? 'blocked' : lockedUntil ? 'locked' : 'active';
  const { colour, Icon } = TONES[state];
  const until = formatTime(lockedUntil ?? '');
  const badge = (
    <span
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${colour}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {state !== 'locked' ? t[state] : isNarrow ? t.lockedShort : t.locked({ time: until })}
    </span>
  );
  return state === 'locked' && isNarrow ? (
    <>
      {badge}
      <span className="nums block pl-1.5 text-caption whitespace-nowrap text-ink3">{t.until({ time: until })}</span>
    </>
  ) : (
    badge
  );
}
