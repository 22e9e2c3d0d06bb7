import { useStore } from '@nanostores/react';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button, type ButtonProps } from '#shared/ui/button.tsx';

const MESSAGES = i18n('admin/copy-button', {
  copied: 'Copied',
  copyFailed: 'Could not copy. Please select and copy the text manually.',
});

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  text: string;
  label: string;
}

/** Copies a text that is also shown on the page, where it can be selected if the browser does not allow copying. */
export function CopyButton({ text, label, ...look }: CopyButtonProps) {
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
    <Button {...look} onClick={() => void copy()}>
      <Icon aria-hidden className={look.size === 'small' ? 'size-4' : 'size-5'} />
      <span aria-live="polite">{isCopied ? t.copied : label}</span>
    </Button>
  );
}
