import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';

const MESSAGES = i18n('admin/retry-guidelines', {
  title: 'Guidelines',
  when: 'Retry a transaction',
  stuck: 'when it is stuck in PENDING for more than 15 minutes,',
  noIssue: 'when no provider-wide issue is confirmed,',
  reported: 'or when a customer reports payment deducted but not completed.',
  what: 'A retry',
  republishes: 're-publishes the execution message to the message queue,',
  internal: 'attempts internal transfers if not already done,',
  noDuplicate: 'sends no duplicate payment if already processed,',
  updates: 'and updates the status from the result.',
  failing: 'If retries keep failing, contact the technical team.',
});

export function RetryGuidelines() {
  const t = useStore(MESSAGES);
  const lists = [
    { title: t.when, lines: [t.stuck, t.noIssue, t.reported] },
    { title: t.what, lines: [t.republishes, t.internal, t.noDuplicate, t.updates] },
  ];
  return (
    <Card title={t.title}>
      <div className="grid gap-4 px-4 pt-1 pb-5 text-small text-ink2 sm:px-5 md:grid-cols-2">
        {lists.map(({ title, lines }) => (
          <div key={title}>
            <p className="font-medium text-ink">{title}</p>
            <ul className="mt-1 grid list-disc gap-1 pl-5">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        ))}
        <p className="md:col-span-2">{t.failing}</p>
      </div>
    </Card>
  );
}
