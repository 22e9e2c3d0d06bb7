import { useCallback, useEffect, useRef, useState } from 'react';
import { changeDetails, emptyDraft, loadDraft, saveDraft, type TransferDraft } from './transfer-draft.ts';

interface TransferDraftOptions {
  userId: string;
  /** The direction of a new draft. */
  direction: TransferDraft['direction'];
  /** Whether the user came here asking for that direction: it then goes before a kept draft's. */
  isDirectionAsked: boolean;
}

function firstDraft({ userId, direction, isDirectionAsked }: TransferDraftOptions): TransferDraft {
  const kept = loadDraft(userId);
  if (!kept) return emptyDraft(direction);
  // A half-sent transfer stays as it was sent, whatever was tapped on the way back to it.
  return isDirectionAsked && !kept.attempt ? changeDetails(kept, { direction }) : kept;
}

/** The draft on screen, kept in the tab over reloads. `readDraft` gives the newest one to callbacks that run late. */
export function useTransferDraft(options: TransferDraftOptions) {
  const { userId } = options;
  const [draft, setDraft] = useState<TransferDraft>(() => firstDraft(options));
  const newest = useRef(draft);
  const updateDraft = useCallback(
    (next: TransferDraft): void => {
      newest.current = next;
      saveDraft(userId, next);
      setDraft(next);
    },
    [userId],
  );
  const readDraft = useCallback(() => newest.current, []);
  // The id must survive a reload even if nothing was typed yet.
  useEffect(() => saveDraft(userId, newest.current), [userId]);
  return { draft, updateDraft, readDraft };
}
