import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { IssuedApiKey } from '@vuka/contracts/http/api-keys';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Notice } from '#shared/ui/notice.tsx';

const MESSAGES = i18n('admin/issued-key', {
  issued: params('Key for {name}'),
  once: 'Copy it now: it will not be shown again. Whoever has it can read every transfer.',
  copy: 'Copy key',
  copied: 'Copied',
  copyFailed: 'Could not copy. Please select the key and copy it by hand.',
  done: 'Done',
});

/** The only sight of a key. */
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
        <CopyButton text={issued.key} />
        <Button variant="secondary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const t = useStore(MESSAGES);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      setIsCopied(false);
      showToast({ title: t.copyFailed, tone: 'destructive' });
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button onClick={() => void copy()}>
      <Icon aria-hidden className="size-5" />
      <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
    </Button>
  );
}
