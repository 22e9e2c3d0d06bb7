import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Clock, Loader, type LucideIcon } from 'lucide-react';
import { STATUS_MESSAGES, type StatusPlace, statusView } from '#shared/status-view.ts';
import { Badge } from '#shared/ui/badge.tsx';

const TONES = {
  green: { look: 'ok', Icon: CircleCheck },
  yellow: { look: 'warn', Icon: Clock },
  red: { look: 'bad', Icon: CircleX },
  grey: { look: 'quiet', Icon: Loader },
} as const;

/** The icons of statuses that share their tone with another status. */
const ICONS: Record<string, { Icon: LucideIcon }> = { PROCESSING: { Icon: Loader }, CANCELLED: { Icon: CircleX } };

export function StatusBadge({ status, place }: { status: string; place: StatusPlace }) {
  useStore(STATUS_MESSAGES);
  const { text, tone } = statusView(status, place);
  const { look, Icon } = { ...TONES[tone], ...ICONS[status.toUpperCase()] };
  return (
    <Badge tone={look} Icon={Icon}>
      {/* Wide lists and receipts name a status in capitals, which are loud. */}
      <span data-tone={tone} className={place === 'narrow-list' ? '' : 'capital-first'}>
        {text}
      </span>
    </Badge>
  );
}
