import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { type Effect, findEffect } from '#effects/effect.domain.ts';
import type { SigningKey } from './signing-key.ts';

const LIFE_SECONDS = 60;
const COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'];
const CONTENT_TYPE = 'application/json';

let strangerKey: ReturnType<typeof generateKeyPairSync>['privateKey'] | undefined;

export interface CallbackToSign {
  url: URL;
  body: string;
  now: Date;
  effects: readonly Effect[];
}

/** The headers of a signed callback (RFC 9421), with a scenario's errors. */
export function signCallback(key: SigningKey, { url, body, now, effects }: CallbackToSign): Record<string, string> {
  const has = (name: Parameters<typeof findEffect>[1]) => findEffect(effects, name) !== undefined;
  if (has('unsigned')) return { 'content-type': CONTENT_TYPE };
  const created = Math.floor(now.getTime() / 1_000) - (has('expired_signature') ? 3_600 : 0);
  const digest = createHash('sha512')
    .update(has('bad_digest') ? `${body} ` : body)
    .digest('base64');
  const values: Record<string, string> = {
    '@method': 'POST',
    '@authority': has('wrong_host') ? 'elsewhere.example' : url.host,
    '@path': url.pathname,
    'signature-date': now.toISOString(),
    'content-digest': `sha-512=:${digest}:`,
    'content-type': CONTENT_TYPE,
  };
  const keyId = has('unknown_key') ? 'HTTP_EC_P256_KEY:unknown' : key.id;
  const covered = COMPONENTS.map((name) => `"${name}"`).join(' ');
  const parameters = `(${covered});alg="ecdsa-p256-sha256";keyid="${keyId}";created=${created};expires=${created + LIFE_SECONDS}`;
  const base = [...COMPONENTS.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`];
  const signature = sign('sha256', Buffer.from(base.join('\n')), {
    key: has('forged_signature') ? strangers() : key.privateKey,
    dsaEncoding: has('raw_signature') ? 'ieee-p1363' : 'der',
  });
  return {
    'content-type': CONTENT_TYPE,
    'content-digest': values['content-digest'] ?? '',
    'signature-date': values['signature-date'] ?? '',
    'signature-input': `sig-pp=${parameters}`,
    signature: `sig-pp=:${signature.toString('base64')}:`,
  };
}

function strangers() {
  strangerKey ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  return strangerKey;
}
