import { useStore } from '@nanostores/react';
import { CircleCheck, CircleX, Clock, Loader } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/status', { pending: 'Pending', success: 'Success', failed: 'Failed' });

const VIEWS = {
  PENDING: { text: 'pending', box: 'bg-warn-soft text-warn-ink', Icon: Clock },
  SETTLED: { text: 'success', box: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  SUCCESS: { text: 'success', box: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  COMPLETED: { text: 'success', box: 'bg-ok-soft text-ok-ink', Icon: CircleCheck },
  FAILED: { text: 'failed', box: 'bg-bad-soft text-bad-ink', Icon: CircleX },
} as const;

/** A status as administrators read it; one without a word of its own is shown as it is. */
export function AdminStatus({ status }: { status: string }) {
  const t = useStore(MESSAGES);
  const view = VIEWS[status.toUpperCase() as keyof typeof VIEWS] as (typeof VIEWS)[keyof typeof VIEWS] | undefined;
  const Icon = view?.Icon ?? Loader;
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full py-0.5 pr-2.5 pl-1.5 text-caption font-semibold whitespace-nowrap ${view?.box ?? 'bg-sunken text-ink2'}`}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={2.5} />
      {view ? t[view.text] : status}
    </span>
  );
}
