import { createHash } from 'node:crypto';
import { createRecentMap } from './recent-map.ts';

/** The most sessions that are remembered; beyond, the one that was confirmed longest ago is forgotten. */
const MOST_SESSIONS = 50_000;

/** The sessions that identity has confirmed, and that have not ended since as far as this process knows. They open nothing. */
export interface KnownSessions {
  note(token: string, userId: string, forMs: number): void;
  forget(token: string): void;
  userOf(token: string): string | undefined;
}

/** By a clock that never goes back. Hashes are kept instead of tokens, so that a copy of the memory opens no session. */
export function createKnownSessions(): KnownSessions {
  const known = createRecentMap<{ userId: string; endsAtMs: number }>(MOST_SESSIONS);
  return {
    note: (token, userId, forMs) => known.set(hashOf(token), { userId, endsAtMs: performance.now() + forMs }),
    forget: (token) => known.delete(hashOf(token)),
    userOf(token) {
      const session = known.get(hashOf(token));
      return session && performance.now() < session.endsAtMs ? session.userId : undefined;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64');
