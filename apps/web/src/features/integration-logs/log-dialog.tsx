import { useStore } from '@nanostores/react';
import type { IntegrationLog } from '@vuka/contracts/http/integration-logs';
import { useState } from 'react';
import { CopyButton } from '#shared/admin/copy-button.tsx';
import { Dialog } from '#shared/admin/dialog.tsx';
import { FactList } from '#shared/admin/fact-list.tsx';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Tabs } from '#shared/ui/tabs.tsx';

const MESSAGES = i18n('admin/log-dialog', {
  tabs: 'Parts of the call',
  request: 'Request',
  response: 'Response',
  transactionId: 'Transaction ID',
  provider: 'Provider',
  time: 'Time',
  url: 'URL',
  status: 'Status',
  noAnswer: 'No answer',
  empty: 'No body',
  copy: 'Copy',
});

/** One call: its request and its response. The server has masked the secrets. */
export function LogDialog({ log, onClose }: { log: IntegrationLog; onClose: () => void }) {
  const t = useStore(MESSAGES);
  const [part, setPart] = useState<'request' | 'response'>('request');
  const facts = [
    ...(log.transactionId ? [[t.transactionId, log.transactionId] as const] : []),
    [t.provider, log.provider],
    [t.time, formatDayAndTime(log.timestamp)],
    ...(part === 'request'
      ? [[t.url, `${log.requestMethod} ${log.url}`] as const]
      : [[t.status, String(log.responseStatus ?? t.noAnswer)] as const]),
  ] as const;
  return (
    <Dialog title={log.operation} shape="wide" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 pb-5">
        <Tabs
          label={t.tabs}
          tabs={[
            { name: 'request', label: t.request },
            { name: 'response', label: t.response },
          ]}
          selected={part}
          onSelect={setPart}
        >
          <FactList facts={facts} />
          <Body key={part} body={part === 'request' ? log.requestBody : log.responseBody} />
        </Tabs>
      </div>
    </Dialog>
  );
}

function Body({ body }: { body: unknown }) {
  const t = useStore(MESSAGES);
  if (body === null || body === undefined || body === '') return <p className="mt-4 text-small text-ink2">{t.empty}</p>;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return (
    <div className="mt-4 grid gap-2">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[50dvh] overflow-auto rounded-control bg-sunken p-4 text-caption whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
      <CopyButton variant="secondary" size="small" className="justify-self-end" text={text} label={t.copy} />
    </div>
  );
}
