import { createHmac, type KeyObject } from 'node:crypto';
import type { Keyring } from '@vuka/service-kit/keyring';
import { derive } from '@vuka/service-kit/sealing';

const PURPOSE = 'API keys';

/** API keys that are issued under an idempotency key: an HMAC of it, so that a repeat gets what is stored nowhere. */
export interface RepeatableKeys {
  /** The key, and, while the secret is being replaced, those that it would have been before. */
  of(userId: string, idempotencyKey: string): [string, ...string[]];
}

export function createRepeatableKeys(secrets: Keyring): RepeatableKeys {
  const current = derive(secrets.current, PURPOSE);
  const all = secrets.all.map((secret) => derive(secret, PURPOSE));
  return {
    of(userId, idempotencyKey) {
      const text = `${userId} ${idempotencyKey}`;
      return [keyOf(current, text), ...all.map((secret) => keyOf(secret, text))];
    },
  };
}

function keyOf(secret: KeyObject, text: string): string {
  return `vuka_${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
