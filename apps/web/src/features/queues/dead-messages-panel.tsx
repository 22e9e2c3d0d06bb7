import { count, params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { DeadMessage } from '@vuka/contracts/http/queues';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '#shared/admin/dialog.tsx';
import { ListEnd } from '#shared/admin/list-end.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { deadMessagesQuery, type Settlement } from './queues.api.ts';
import { RedriveDialog } from './redrive-dialog.tsx';
import { SettleDialog } from './settle-dialog.tsx';

const MESSAGES = i18n('admin/dead-messages', {
  title: params('Dead messages of {queue}'),
  failed: 'The dead messages could not be loaded',
  empty: 'No dead messages',
  noType: 'Not a Vuka message',
  attempts: count({ one: '{count} attempt', many: '{count} attempts' }),
  body: 'Content',
  requeue: 'Send again',
  drop: 'Drop',
  many: 'Send many again',
});

/** The dead messages of one queue, oldest first, with the actions on each. */
export function DeadMessagesPanel({ queue, onClose }: { queue: string; onClose: () => void }) {
  const t = useStore(MESSAGES);
  const query = useQuery(deadMessagesQuery(queue));
  const maySettle = useMayDo()('queues.settle');
  const [asksForMany, setAsksForMany] = useState(false);
  const [asked, setAsked] = useState<{ message: DeadMessage; to: Settlement }>();
  return (
    <Dialog title={t.title({ queue })} shape="panel" onClose={onClose}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {({ messages }) =>
          messages.length === 0 ? (
            <EmptyState title={t.empty} />
          ) : (
            <>
              {maySettle ? (
                <div className="px-5 pb-4">
                  <Button variant="secondary" size="small" onClick={() => setAsksForMany(true)}>
                    {t.many}
                  </Button>
                </div>
              ) : null}
              <ul className="divide-y divide-line border-t border-line">
                {messages.map((message) => (
                  <Message key={message.id} message={message} onAsk={(to) => setAsked({ message, to })} />
                ))}
              </ul>
              <ListEnd list="deadMessages" length={messages.length} />
            </>
          )
        }
      </QueryBody>
      {asksForMany ? <RedriveDialog queue={queue} onClose={() => setAsksForMany(false)} /> : null}
      {asked ? <SettleDialog queue={queue} {...asked} onClose={() => setAsked(undefined)} /> : null}
    </Dialog>
  );
}

function Message({ message, onAsk }: { message: DeadMessage; onAsk: (to: Settlement) => void }) {
  const t = useStore(MESSAGES);
  const maySettle = useMayDo()('queues.settle');
  const { id, type, reason, attempts, diedAt, body } = message;
  const facts = [diedAt ? formatDayAndTime(diedAt) : undefined, attempts === null ? undefined : t.attempts(attempts)];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-4">
      <div>
        <p className="font-semibold [overflow-wrap:anywhere]">{type ?? t.noType}</p>
        <p className="text-small [overflow-wrap:anywhere] text-bad">{reason}</p>
        <p className="nums text-caption text-ink3">{facts.filter(Boolean).join(' · ')}</p>
        <p className="nums text-caption [overflow-wrap:anywhere] text-ink3">{id}</p>
      </div>
      <details className="group text-small">
        <summary className="flex min-h-9 cursor-pointer list-none items-center gap-1.5 text-primary [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-5 shrink-0 text-ink3 transition-transform group-open:rotate-90" />
          {t.body}
        </summary>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
          tabIndex={0}
          className="mt-1 max-h-[50dvh] overflow-auto rounded-control bg-sunken p-4 text-caption whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {typeof body === 'string' ? body : JSON.stringify(body, null, 2)}
        </pre>
      </details>
      {maySettle ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => onAsk('requeue')}>
            {t.requeue}
          </Button>
          <Button variant="danger" size="small" onClick={() => onAsk('drop')}>
            {t.drop}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
