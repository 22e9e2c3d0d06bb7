import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import type { Redrive } from '@vuka/contracts/http/queues';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { redrivesQuery } from './queues.api.ts';

const MESSAGES = i18n('admin/redrive-progress', {
  title: 'Requeued in the last day',
  progress: params('{moved} of {matching} messages'),
  running: 'Running',
  ended: params('Ended {time}'),
});

/** How far redrives are; nothing if there were none. */
export function RedriveProgress() {
  const t = useStore(MESSAGES);
  const { data } = useQuery(redrivesQuery());
  if (!data || data.redrives.length === 0) return null;
  return (
    <section aria-label={t.title} className="border-t border-line px-4 py-3 sm:px-5">
      <h3 className="text-small font-semibold">{t.title}</h3>
      <ul className="mt-2 grid gap-3">
        {data.redrives.map((redrive) => (
          <Line key={redrive.id} redrive={redrive} />
        ))}
      </ul>
    </section>
  );
}

function Line({ redrive: { queue, moved, matching, endedAt } }: { redrive: Redrive }) {
  const t = useStore(MESSAGES);
  const progress = t.progress({ moved, matching });
  return (
    <li className="grid gap-1 text-small">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{queue}</span> <span className="nums text-ink2">{progress}</span>{' '}
        <span className="nums text-ink3">{endedAt ? t.ended({ time: formatDayAndTime(endedAt) }) : t.running}</span>
      </p>
      {endedAt ? null : (
        <progress className="w-full" value={moved} max={Math.max(matching, 1)} aria-label={`${queue}: ${progress}`} />
      )}
    </li>
  );
}
