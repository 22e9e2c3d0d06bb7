import { useRef } from 'react';
import { sendRequest } from '#shared/api-client.ts';
import { createKey } from '#shared/submission-key.ts';

interface Pins {
  currentPin: string;
  newPin: string;
}

/**
 * Sends changes of the PIN to `path`. A repeat with the same PINs has the same key until one succeeds, so that after a lost
 * answer it is the same change. The key is not stored as those of other submissions are: they are stored with their content.
 */
export function usePinChange(path: string): (pins: Pins) => Promise<void> {
  const kept = useRef({ content: '', key: '' });
  return async (pins) => {
    const content = JSON.stringify(pins);
    if (kept.current.content !== content) kept.current = { content, key: createKey('pin') };
    await sendRequest(path, { method: 'POST', body: pins, idempotencyKey: kept.current.key });
    kept.current = { content: '', key: '' };
  };
}
