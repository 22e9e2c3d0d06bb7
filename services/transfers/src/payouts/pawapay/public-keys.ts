import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import type { PawapayHttp } from './pawapay-http.ts';

const KeyList = z.array(z.object({ id: z.string(), key: z.string() }));

const REFETCH_AFTER_MS = 10_000;
const STALE_AFTER_MS = 3_600_000;

export interface PublicKeys {
  /** `unavailable` while the provider's keys cannot be fetched; undefined when it has no such key. */
  find(keyId: string): Promise<KeyObject | 'unavailable' | undefined>;
}

/**
 * The provider's public keys, cached for an hour; fetched again, at most every 10 s, when a message names an unknown
 * key.
 */
export function createPublicKeys(http: PawapayHttp, now: () => number = Date.now): PublicKeys {
  let keys: ReadonlyMap<string, KeyObject> | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let isStale = false;

  async function ask() {
    askedAtMs = now();
    const exchange = await http.request('GET', '/v2/public-key/http');
    const parsed = KeyList.safeParse('answer' in exchange ? exchange.answer.json : undefined);
    if (!('answer' in exchange) || exchange.answer.status !== 200 || !parsed.success) return;
    keys = new Map(
      parsed.data.flatMap(({ id, key }) => {
        const publicKey = readKey(key);
        return publicKey ? [[id, publicKey] as const] : [];
      }),
    );
  }

  return {
    async find(keyId) {
      const age = now() - askedAtMs;
      if (age > STALE_AFTER_MS || (!keys?.has(keyId) && age > REFETCH_AFTER_MS)) {
        isStale = age > STALE_AFTER_MS;
        asking ??= ask().finally(() => {
          asking = undefined;
        });
      }
      // A message with an unknown key must not delay messages with a known one.
      if (asking && (isStale || !keys?.has(keyId))) await asking;
      return keys ? keys.get(keyId) : 'unavailable';
    },
  };
}

/** A shorter RSA key can be broken (NIST SP 800-131A). */
const SHORTEST_RSA_BITS = 2_048;

/** A PEM, or only its base64. */
function readKey(text: string): KeyObject | undefined {
  try {
    const key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return (key.asymmetricKeyDetails?.modulusLength ?? SHORTEST_RSA_BITS) >= SHORTEST_RSA_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
