import { systemName } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { RECEIPT_MESSAGES } from './transaction-view.ts';

const MESSAGES = i18n('share-receipt', {
  idCopied: 'Transaction ID copied to clipboard',
  receiptCopied: 'Receipt copied to clipboard',
  linkCopied: 'Verification link copied to clipboard',
  copyFailed: 'Could not copy. Please select and copy the text manually.',
});

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: done, tone: 'success' });
  } catch {
    showToast({ title: MESSAGES.get().copyFailed, tone: 'destructive' });
  }
}

export function copyTransactionId(id: string): Promise<void> {
  return copy(id, MESSAGES.get().idCopied);
}

export function copyVerifyLink(url: string): Promise<void> {
  return copy(url, MESSAGES.get().linkCopied);
}

/**
 * Opens the device's share sheet, with a picture if it takes files; without a share sheet, copies to the clipboard.
 * Closing the sheet is not an error.
 */
export async function shareReceipt(text: string, drawImage: () => Promise<Blob>): Promise<void> {
  const done = MESSAGES.get().receiptCopied;
  if (typeof navigator.share !== 'function') return copy(text, done);
  try {
    await navigator.share(
      await withImage({ title: RECEIPT_MESSAGES.get().title({ system: systemName() }), text }, drawImage),
    );
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(text, done);
  }
}

/** Adds the picture. If it cannot be drawn or shared, the text is shared without it. */
async function withImage(data: ShareData, drawImage: () => Promise<Blob>): Promise<ShareData> {
  if (typeof navigator.canShare !== 'function') return data;
  const probe = new File([''], 'vuka-receipt.png', { type: 'image/png' });
  if (!navigator.canShare({ files: [probe] })) return data;
  try {
    return { ...data, files: [new File([await drawImage()], probe.name, { type: probe.type })] };
  } catch {
    return data;
  }
}
