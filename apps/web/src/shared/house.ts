import { useStore } from '@nanostores/react';
import { About } from '@vuka/contracts/http/about';
import { atom } from 'nanostores';
import { callApi } from '#shared/api-client.ts';

// What the system calls itself is a setting. The last answer stays in this browser, so that pages begin with it.

const KEY = 'vuka.about';
const UNKNOWN: About = { systemName: 'Vuka', supportEmail: '' };

const about = atom<About>(UNKNOWN);

/** Takes over what this browser last knew. */
export function restoreAbout(): void {
  try {
    about.set(About.parse(JSON.parse(localStorage.getItem(KEY) ?? '')));
  } catch {
    about.set(UNKNOWN);
  }
}

/** Asks the server; where it cannot be asked, what is known stays. */
export async function loadAbout(): Promise<void> {
  try {
    const loaded = await callApi('/api/about', About);
    about.set(loaded);
    localStorage.setItem(KEY, JSON.stringify(loaded));
  } catch {
    // The name in use serves as well.
  }
}

export const systemName = (): string => about.get().systemName;

export function useAbout(): About {
  return useStore(about);
}
