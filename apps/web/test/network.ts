import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** The browser reports that the network is gone. */
export function goOffline(): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
}

/** Ends all mocks. */
export function goOnline(): void {
  vi.restoreAllMocks();
  act(() => void window.dispatchEvent(new Event('online')));
}
