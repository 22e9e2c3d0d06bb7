import { useStore } from '@nanostores/react';
import { About } from '@vuka/contracts/http/about';
import { atom } from 'nanostores';
import { callApi } from '#shared/api-client.ts';

// The system's name is a setting. The last answer is stored in this browser, so that pages start with it.

const KEY = 'vuka.about';
const UNKNOWN: About = { systemName: 'Vuka', supportEmail: '' };

const about = atom<About>(UNKNOWN);

/** Restores the values that this browser stored last. */
export function restoreAbout(): void {
  try {
    about.set(About.parse(JSON.parse(localStorage.getItem(KEY) ?? '')));
  } catch {
    about.set(UNKNOWN);
  }
}

/** Fetches the values; if the request fails, the stored ones stay. */
export async function loadAbout(): Promise<void> {
  try {
    const loaded = await callApi('/api/about', About);
    about.set(loaded);
    localStorage.setItem(KEY, JSON.stringify(loaded));
  } catch {
    // Keep the current name.
  }
}

export const systemName = (): string => about.get().systemName;

export function useAbout(): About {
  return useStore(about);
}
