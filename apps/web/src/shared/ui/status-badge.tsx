import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Clock, Loader } from 'lucide-react';
import { STATUS_MESSAGES, type StatusPlace, statusView } from '#shared/status-view.ts';

const TONES = {
  green: { box: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  yellow: { box: 'bg-warn-soft text-warn-ink', Icon: Clock },
  red: { box: 'bg-bad-soft text-bad-ink', Icon: CircleX },
  grey: { box: 'bg-sunken text-ink2', Icon: Loader },
} as const;

export function StatusBadge({ status, place }: { status: string; place: StatusPlace }) {
  useStore(STATUS_MESSAGES);
  const { text, tone } = statusView(status, place);
  const { box, Icon } = TONES[tone];
  return (
    <span
      data-tone={tone}
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${box}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {text}
    </span>
  );
}
