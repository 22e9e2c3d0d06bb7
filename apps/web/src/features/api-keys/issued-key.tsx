import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { useEffect, useRef } from 'react';
import { CopyButton } from '#shared/admin/copy-button.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';

const MESSAGES = i18n('admin/issued-key', {
  issued: params('Key for {name}'),
  once: 'Copy it now: it will not be shown again. Anyone with this key can read every transfer.',
  copy: 'Copy key',
  done: 'Done',
});

/** Shows a key, the only time it is ever shown. */
export function IssuedKey({ issued, onDone }: { issued: IssuedApiKey; onDone: () => void }) {
  const t = useStore(MESSAGES);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-2 pb-5 sm:px-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold break-words outline-none">
        {t.issued({ name: issued.apiKey.name })}
      </h3>
      <Notice tone="warn">{t.once}</Notice>
      <code className="rounded-control bg-sunken px-4 py-3 text-small [overflow-wrap:anywhere] select-all">
        {issued.key}
      </code>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={issued.key} label={t.copy} />
        <Button variant="secondary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
