import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Clock, Loader } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Badge } from '#shared/ui/badge.tsx';

const MESSAGES = i18n('admin/status', { pending: 'Pending', success: 'Success', failed: 'Failed' });

const VIEWS = {
  PENDING: { text: 'pending', tone: 'warn', Icon: Clock },
  SETTLED: { text: 'success', tone: 'ok', Icon: CircleCheck },
  SUCCESS: { text: 'success', tone: 'ok', Icon: CircleCheck },
  COMPLETED: { text: 'success', tone: 'ok', Icon: CircleCheck },
  FAILED: { text: 'failed', tone: 'bad', Icon: CircleX },
} as const;

/** A status as administrators see it; an unknown one is shown as it is. */
export function AdminStatus({ status }: { status: string }) {
  const t = useStore(MESSAGES);
  const view = VIEWS[status.toUpperCase() as keyof typeof VIEWS] as (typeof VIEWS)[keyof typeof VIEWS] | undefined;
  return (
    <Badge tone={view?.tone ?? 'quiet'} Icon={view?.Icon ?? Loader}>
      {view ? t[view.text] : status}
    </Badge>
  );
}
