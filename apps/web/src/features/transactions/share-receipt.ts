import { showToast } from '#shared/toast-store.ts';

const TEXT = {
  title: 'Vuka receipt',
  idCopied: 'Transaction ID copied to clipboard',
  receiptCopied: 'Receipt copied to clipboard',
  copyFailed: 'Could not copy. Please select the text and copy it by hand.',
} as const;

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: done, tone: 'success' });
  } catch {
    showToast({ title: TEXT.copyFailed, tone: 'destructive' });
  }
}

export function copyTransactionId(id: string): Promise<void> {
  return copy(id, TEXT.idCopied);
}

/** The device's share sheet where there is one, else the clipboard. Closing the sheet is not an error. */
export async function shareReceipt(text: string): Promise<void> {
  if (typeof navigator.share !== 'function') return copy(text, TEXT.receiptCopied);
  try {
    await navigator.share({ title: TEXT.title, text });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(text, TEXT.receiptCopied);
  }
}
