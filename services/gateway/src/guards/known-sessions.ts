import { createHash } from 'node:crypto';
import { createRecentMap } from '@vuka/service-kit/recent-map';

/** The most sessions that are remembered; beyond, the one that was confirmed longest ago is forgotten. */
const MOST_SESSIONS = 50_000;

/** The sessions that identity has confirmed to this process, until they end here or expire. They open nothing. */
export interface KnownSessions {
  note(token: string, forMs: number): void;
  forget(token: string): void;
  /** A name of the session under which its requests are counted; undefined for one that was not confirmed. */
  keyOf(token: string): string | undefined;
}

/** By a clock that never goes back. Hashes are kept instead of tokens, so that a copy of the memory opens no session. */
export function createKnownSessions(): KnownSessions {
  const endsAtMs = createRecentMap<number>(MOST_SESSIONS);
  return {
    note: (token, forMs) => endsAtMs.set(hashOf(token), performance.now() + forMs),
    forget: (token) => endsAtMs.delete(hashOf(token)),
    keyOf(token) {
      const key = hashOf(token);
      return performance.now() < (endsAtMs.get(key) ?? 0) ? key : undefined;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64');
