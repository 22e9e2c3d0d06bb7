import { useCallback, useEffect, useRef, useState } from 'react';
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

/**
 * The draft on screen, kept in the tab over reloads. `readDraft` gives the newest one to callbacks that run late.
 * `dropIfSent` starts anew, and says so, where the same draft was sent from another tab; it answers whether it did.
 */
export function useTransferDraft(options: TransferDraftOptions) {
  const { userId } = options;
  const [draft, setDraft] = useState<TransferDraft>(() => firstDraft(options));
  const [wasSentElsewhere, setWasSentElsewhere] = useState(false);
  const newest = useRef(draft);
  const updateDraft = useCallback(
    (next: TransferDraft): void => {
      newest.current = next;
      saveDraft(userId, next);
      setDraft(next);
      setWasSentElsewhere(false);
    },
    [userId],
  );
  const readDraft = useCallback(() => newest.current, []);
  const startOver = useCallback((): void => {
    const wasEmpty = isEmpty(newest.current);
    updateDraft(emptyDraft(newest.current.direction));
    setWasSentElsewhere(!wasEmpty);
  }, [updateDraft]);
  const dropIfSent = useCallback((): boolean => {
    if (!isSentElsewhere(newest.current)) return false;
    startOver();
    return true;
  }, [startOver]);
  useEffect(() => onSentElsewhere(() => void dropIfSent()), [dropIfSent]);
  // The id must survive a reload even if nothing was typed yet.
  useEffect(() => saveDraft(userId, newest.current), [userId]);
  return { draft, updateDraft, readDraft, dropIfSent, startOver, wasSentElsewhere };
}
