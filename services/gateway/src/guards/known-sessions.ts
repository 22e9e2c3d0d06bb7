import { createHash } from 'node:crypto';

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
  const known = new Map<string, { userId: string; endsAtMs: number }>();
  return {
    note(token, userId, forMs) {
      const hash = hashOf(token);
      // Deleted first: a map keeps the order in which keys were added, so the first one was confirmed longest ago.
      known.delete(hash);
      known.set(hash, { userId, endsAtMs: performance.now() + forMs });
      const [oldest] = known.keys();
      if (known.size > MOST_SESSIONS && oldest !== undefined) known.delete(oldest);
    },
    forget: (token) => void known.delete(hashOf(token)),
    userOf(token) {
      const session = known.get(hashOf(token));
      return session && performance.now() < session.endsAtMs ? session.userId : undefined;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64');
