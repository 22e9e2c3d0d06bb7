import { createHmac, type KeyObject } from 'node:crypto';
import type { ApiKey } from '@vuka/contracts/http/api-keys';
import type { Keyring } from '@vuka/service-kit/keyring';
import { derive } from '@vuka/service-kit/sealing';

const PURPOSE = 'API keys';

/**
 * API keys that are issued under an idempotency key: an HMAC of this key and of the API key's id. A repeat thus gets
 * the same API key, which is stored nowhere; and an idempotency key that is used again later makes another API key.
 */
export interface RepeatableKeys {
  keyOf(id: string, idempotencyKey: string): string;
  /** The issued key, also while the secret is being replaced; undefined when its secret has been removed. */
  keyAgain(issued: Pick<ApiKey, 'id' | 'ending'>, idempotencyKey: string): string | undefined;
}

export function createRepeatableKeys(secrets: Keyring): RepeatableKeys {
  const current = derive(secrets.current, PURPOSE);
  const all = secrets.all.map((secret) => derive(secret, PURPOSE));
  return {
    keyOf: (id, idempotencyKey) => make(current, id, idempotencyKey),
    keyAgain: ({ id, ending }, idempotencyKey) =>
      all.map((secret) => make(secret, id, idempotencyKey)).find((key) => key.endsWith(ending)),
  };
}

function make(secret: KeyObject, id: string, idempotencyKey: string): string {
  return `vuka_${createHmac('sha256', secret).update(`${id} ${idempotencyKey}`).digest('base64url')}`;
}
