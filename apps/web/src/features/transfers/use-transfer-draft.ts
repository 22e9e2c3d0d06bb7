import { atom } from 'nanostores';
import { useCallback, useEffect, useState } from 'react';
import {
  changeDetails,
  emptyDraft,
  isEmpty,
  loadDraft,
  saveDraft,
  type TransferDetails,
  type TransferDraft,
} from './transfer-draft.ts';
import { isSentId, onSentElsewhere } from './used-ids.ts';

interface TransferDraftOptions {
  userId: string;
  /** The direction of a new draft. */
  direction: TransferDraft['direction'];
  /** With what the user opened the page: that direction and these details take precedence over a stored draft's. */
  asked: Partial<TransferDetails> | undefined;
}

/** Whether another tab sent the transfer of this draft. A draft with an attempt of its own repeats that attempt. */
function isSentElsewhere(draft: TransferDraft): boolean {
  return !draft.attempt && isSentId(draft.clientTransactionId);
}

function firstDraft({ userId, direction, asked }: TransferDraftOptions): TransferDraft {
  const kept = loadDraft(userId);
  const first = kept && !isSentElsewhere(kept) ? kept : emptyDraft(direction, kept?.unanswered);
  // An unanswered transfer keeps its details, however the user returned to it.
  if (first.attempt) return first;
  if (asked) return changeDetails(first, { direction, ...asked });
  // An empty draft's direction was not chosen: the default currency may have changed since.
  return isEmpty(first) ? { ...first, direction } : first;
}

/**
 * The newest draft of each user: an answer may arrive for a form that was closed, while another one shows the same
 * draft.
 */
const newest = atom<Record<string, TransferDraft>>({});

function keep(userId: string, draft: TransferDraft): void {
  saveDraft(userId, draft);
  newest.set({ ...newest.get(), [userId]: draft });
}

/**
 * The draft on screen, stored in the tab across reloads. `readDraft` gives the newest one to callbacks that run late.
 * `dropIfSent` starts a new draft, and reports it, if another tab sent the same draft; it returns whether it did.
 */
export function useTransferDraft(options: TransferDraftOptions) {
  const { userId } = options;
  const [first] = useState(() => firstDraft(options));
  const [draft, setDraft] = useState(first);
  const [wasSentElsewhere, setWasSentElsewhere] = useState(false);
  useEffect(() => {
    // The id must survive a reload even before anything is typed.
    keep(userId, first);
    return newest.listen((drafts) => {
      setDraft(drafts[userId] ?? first);
      setWasSentElsewhere(false);
    });
  }, [userId, first]);
  const updateDraft = useCallback((next: TransferDraft): void => keep(userId, next), [userId]);
  const readDraft = useCallback(() => newest.get()[userId] ?? first, [userId, first]);
  const startOver = useCallback((): void => {
    const before = readDraft();
    updateDraft(emptyDraft(before.direction, before.unanswered));
    setWasSentElsewhere(!isEmpty(before));
  }, [readDraft, updateDraft]);
  const dropIfSent = useCallback((): boolean => {
    if (!isSentElsewhere(readDraft())) return false;
    startOver();
    return true;
  }, [readDraft, startOver]);
  useEffect(() => onSentElsewhere(() => void dropIfSent()), [dropIfSent]);
  return { draft, updateDraft, readDraft, dropIfSent, startOver, wasSentElsewhere };
}
