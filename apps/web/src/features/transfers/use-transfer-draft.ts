import { atom } from 'nanostores';
import { useCallback, useEffect, useState } from 'react';
import { changeDetails, emptyDraft, isEmpty, loadDraft, saveDraft, type TransferDraft } from './transfer-draft.ts';
import { isSentId, onSentElsewhere } from './used-ids.ts';

interface TransferDraftOptions {
  userId: string;
  /** The direction of a new draft. */
  direction: TransferDraft['direction'];
  /** Whether the user came here asking for that direction: it then goes before a kept draft's. */
  isDirectionAsked: boolean;
}

/**
 * Whether the transfer of this draft was sent from another tab. A draft with an attempt of its own repeats that one.
 */
function isSentElsewhere(draft: TransferDraft): boolean {
  return !draft.attempt && isSentId(draft.clientTransactionId);
}

function firstDraft({ userId, direction, isDirectionAsked }: TransferDraftOptions): TransferDraft {
  const kept = loadDraft(userId);
  if (!kept || isSentElsewhere(kept)) return emptyDraft(direction);
  // Nobody has chosen the direction of an empty one: the default currency may have changed since.
  if (isEmpty(kept)) return { ...kept, direction };
  // A half-sent transfer stays as it was sent, whatever was tapped on the way back to it.
  return isDirectionAsked && !kept.attempt ? changeDetails(kept, { direction }) : kept;
}

/** The newest draft of each user: an answer may come to a form that was left, while another one shows the same draft. */
const newest = atom<Record<string, TransferDraft>>({});

function keep(userId: string, draft: TransferDraft): void {
  saveDraft(userId, draft);
  newest.set({ ...newest.get(), [userId]: draft });
}

/**
 * The draft on screen, kept in the tab over reloads. `readDraft` gives the newest one to callbacks that run late.
 * `dropIfSent` starts anew, and says so, where the same draft was sent from another tab; it answers whether it did.
 */
export function useTransferDraft(options: TransferDraftOptions) {
  const { userId } = options;
  const [first] = useState(() => firstDraft(options));
  const [draft, setDraft] = useState(first);
  const [wasSentElsewhere, setWasSentElsewhere] = useState(false);
  useEffect(() => {
    // The id must survive a reload even if nothing was typed yet.
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
    updateDraft(emptyDraft(before.direction));
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
