import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RefreshButton } from '#shared/admin/refresh-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { Notice } from '#shared/ui/notice.tsx';
import { DeadMessagesPanel } from './dead-messages-panel.tsx';
import { QueueTable } from './queue-table.tsx';
import { queuesQuery } from './queues.api.ts';
import { RedriveProgress } from './redrive-progress.tsx';

const MESSAGES = i18n('admin/queue-overview', {
  title: 'Queues',
  failed: 'The queues could not be loaded',
  unavailable: 'The message bus is unavailable. Orders are still accepted, and carried out once it is back.',
});

export function QueueOverview() {
  const t = useStore(MESSAGES);
  const query = useQuery(queuesQuery());
  const [opened, setOpened] = useState<string>();
  return (
    <Card title={t.title} aside={<RefreshButton query={query} />}>
      <QueryBody query={query} failed={(detail) => ({ title: t.failed, detail })}>
        {({ connected, queues }) => (
          <>
            {connected ? null : (
              <div className="px-4 pb-3 sm:px-5">
                <Notice tone="warn" role="status">
                  {t.unavailable}
                </Notice>
              </div>
            )}
            {/* Without the bus an empty list does not mean that there are no queues. */}
            {connected || queues.length > 0 ? <QueueTable queues={queues} onOpen={setOpened} /> : null}
            <RedriveProgress />
          </>
        )}
      </QueryBody>
      {opened ? <DeadMessagesPanel queue={opened} onClose={() => setOpened(undefined)} /> : null}
    </Card>
  );
}
