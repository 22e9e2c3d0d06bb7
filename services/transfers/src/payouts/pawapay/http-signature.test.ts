import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  checkCoverage,
  checkSignature,
  isDigestOf,
  parseSignature,
  type SignedMessage,
  signatureBase,
} from './http-signature.ts';

const NOW_SECONDS = 1_790_171_720;
const body = Buffer.from('{"payoutId":"8917c345-4791-4285-a416-62f24b6982db","status":"COMPLETED"}');
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const COVERED = '"@method" "@authority" "@path" "signature-date" "content-digest" "content-type"';

interface Signing {
  covered?: string;
  expires?: number;
  algorithm?: string;
  encoding?: 'der' | 'ieee-p1363';
  digest?: string;
}

function signed(signing: Signing = {}): SignedMessage {
  const { covered = COVERED, expires = NOW_SECONDS + 50, algorithm = 'ecdsa-p256-sha256', encoding = 'der' } = signing;
  const message: SignedMessage = {
    method: 'POST',
    authority: 'vuka.example',
    path: '/api/callbacks/pawapay',
    rawBody: body,
    headers: {
      'content-digest': signing.digest ?? `sha-512=:${createHash('sha512').update(body).digest('base64')}:`,
      'signature-date': '2026-09-23T13:55:10.673817314Z',
      'content-type': 'application/json',
      'signature-input': `sig-pp=(${covered});alg="${algorithm}";keyid="K:1";created=${NOW_SECONDS - 10};expires=${expires}`,
      signature: 'sig-pp=:AAAA:',
    },
  };
  const parsed = parseSignature(message.headers);
  if (typeof parsed === 'string') throw new Error(parsed);
  const base = signatureBase(message, parsed);
  const text = 'text' in base ? base.text : '';
  const signature = sign('sha256', Buffer.from(text), { key: p256.privateKey, dsaEncoding: encoding });
  return { ...message, headers: { ...message.headers, signature: `sig-pp=:${signature.toString('base64')}:` } };
}

function verdict(message: SignedMessage, key = p256.publicKey, now = NOW_SECONDS) {
  const parsed = parseSignature(message.headers);
  if (typeof parsed === 'string') return parsed;
  const refusal = checkCoverage(parsed, now);
  if (refusal) return refusal;
  if (!isDigestOf(message.headers['content-digest'] ?? '', message.rawBody)) return 'bad_digest';
  const base = signatureBase(message, parsed);
  return 'refusal' in base ? base.refusal : (checkSignature(base.text, parsed, key) ?? 'believed');
}

test("a real callback of pawaPay's sandbox is verified", () => {
  const key = createPublicKey({
    key: Buffer.from(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEavII3g0Afh79ExaQzItBh0vEg85JJlKmjY/776EaZOe0bAQU5oJrmaEeZQdKqBSXXzKUsCh6rHZKD8EkaIIH6g==',
      'base64',
    ),
    format: 'der',
    type: 'spki',
  });
  const message: SignedMessage = {
    method: 'POST',
    authority: 'pay-api.reignovatechnologies.com',
    path: '/api/v1/webhooks/pawapay',
    rawBody: Buffer.alloc(0),
    headers: {
      'signature-date': '2026-09-23T13:55:10.673817314Z',
      'content-digest':
        'sha-512=:nlU9HFYJ3DK9H2MoIsmo6Rtfi8zzIPD7aXYH3yFskeOomWOUlpGbBjN0WOWUjctMWmgPQp+HMyZYwDP8sTeSIA==:',
      'content-type': 'application/json',
      'signature-input':
        'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type");alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=1790171710;expires=1790171770',
      signature:
        'sig-pp=:MEYCIQD0ks6XJ87Bdz3DAICiyYvk3G+PH55x6kPjtsikACmDzgIhAK5hODjNtTfW/Up/v17LhveEEMBWlUWoxv5XPMcocKqH:',
    },
  };
  const parsed = parseSignature(message.headers);
  if (typeof parsed === 'string') throw new Error(parsed);
  expect(parsed.keyId).toBe('HTTP_EC_P256_KEY:1');
  const base = signatureBase(message, parsed);
  if ('refusal' in base) throw new Error(base.refusal);
  expect(checkSignature(base.text, parsed, key)).toBeUndefined();
  expect(checkSignature(`${base.text} `, parsed, key)).toBe('bad_signature');
});

test('ECDSA signatures are verified in both encodings, DER and raw', () => {
  expect(verdict(signed())).toBe('believed');
  expect(verdict(signed({ encoding: 'ieee-p1363' }))).toBe('believed');
});

test('a signature that also covers content-length is verified over the listed components', () => {
  const message = signed();
  const withLength = { ...message, headers: { ...message.headers, 'content-length': String(body.length) } };
  expect(verdict(withLength)).toBe('believed');
  expect(verdict(signed({ covered: `${COVERED} "content-length"` }))).toBe('missing_header');
});

test('the parameters are signed as sent, with any spacing and quoting', () => {
  const message = signed({ covered: ` ${COVERED.replaceAll(' ', '  ')} ` });
  expect(verdict(message)).toBe('believed');
  const input = message.headers['signature-input'] ?? '';
  const respaced = { ...message.headers, 'signature-input': input.replaceAll('  ', ' ') };
  expect(verdict({ ...message, headers: respaced })).toBe('bad_signature');
});

test("of several signatures pawaPay's is used, otherwise the first", () => {
  const message = signed();
  const { 'signature-input': input = '', signature = '' } = message.headers;
  const beside = {
    'signature-input': `proxy=("@method");keyid="p", ${input}`,
    signature: `proxy=:AAAA:, ${signature}`,
  };
  expect(verdict({ ...message, headers: { ...message.headers, ...beside } })).toBe('believed');
  const renamed = Object.fromEntries(
    Object.entries(message.headers).map(([name, text]) => [name, text.replace(/^sig-pp=/, 'other=')]),
  );
  expect(verdict({ ...message, headers: renamed })).toBe('believed');
});

const without = (name: string) =>
  COVERED.split(' ')
    .filter((part) => part !== `"${name}"`)
    .join(' ');
const changed = (headers: Record<string, string>): SignedMessage => {
  const message = signed();
  return { ...message, headers: { ...message.headers, ...headers } };
};

function inputOf(count: number, nameOf = (index: number) => `"x-${index}"`, more = 'created=1'): string {
  const names = Array.from({ length: count }, (_, index) => nameOf(index));
  return `sig-pp=(${names.join(' ')});alg="ecdsa-p256-sha256";keyid="K:1";${more}`;
}

test.each<[string, SignedMessage, string]>([
  ['no signature', { ...signed(), headers: {} }, 'no_signature'],
  ['an input that cannot be read', changed({ 'signature-input': 'sig-pp=nonsense' }), 'malformed_signature'],
  ['another label in the signature', changed({ signature: 'sig-x=:AAAA:' }), 'malformed_signature'],
  ['no method covered', signed({ covered: without('@method') }), 'not_covered'],
  ['no authority covered', signed({ covered: without('@authority') }), 'not_covered'],
  ['no path covered', signed({ covered: without('@path') }), 'not_covered'],
  ['no digest covered', signed({ covered: without('content-digest') }), 'not_covered'],
  ['a component that we cannot derive', signed({ covered: `${COVERED} "@query"` }), 'unsupported_component'],
  ['another body', { ...signed(), rawBody: Buffer.from('{}') }, 'bad_digest'],
  ['an unknown digest', signed({ digest: 'md5=:AAAA:' }), 'bad_digest'],
  ['an old message', signed({ expires: NOW_SECONDS - 31 }), 'expired'],
  ['another host', { ...signed(), authority: 'evil.example' }, 'bad_signature'],
  ['another path', { ...signed(), path: '/api/callbacks/other' }, 'bad_signature'],
  ['another algorithm than the key', signed({ algorithm: 'ecdsa-p384-sha384' }), 'wrong_algorithm'],
  ['an unknown algorithm', signed({ algorithm: 'hmac-sha256' }), 'wrong_algorithm'],
  ['garbage for a signature', changed({ signature: 'sig-pp=:AAAA:' }), 'bad_signature'],
  ['a component with parameters', signed({ covered: `${COVERED} "content-type";sf` }), 'unsupported_component'],
  ['a component named after what objects inherit', signed({ covered: `${COVERED} "constructor"` }), 'missing_header'],
  ['a header of more than 4 KB', changed({ 'signature-input': `a="${'x'.repeat(4_096)}"` }), 'header_too_long'],
  ['a signature of more than 4 KB', changed({ signature: `sig-pp=:${'A'.repeat(4_096)}:` }), 'header_too_long'],
  ['a digest of more than 4 KB', changed({ 'content-digest': 'x'.repeat(4_097) }), 'header_too_long'],
  ['more than 32 components', changed({ 'signature-input': inputOf(33) }), 'malformed_signature'],
  ['a component named twice', changed({ 'signature-input': inputOf(2, () => '"a"') }), 'malformed_signature'],
  ['a time that is text', changed({ 'signature-input': inputOf(1, undefined, 'expires="9"') }), 'malformed_signature'],
])('%s is refused', (_what, message, reason) => {
  expect(verdict(message)).toBe(reason);
});

test('a message from the future is refused, one from a slightly fast clock is not', () => {
  expect(verdict(signed(), p256.publicKey, NOW_SECONDS - 30)).toBe('believed');
  expect(verdict(signed(), p256.publicKey, NOW_SECONDS - 50)).toBe('expired');
});

test("another key's signature is refused", () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  expect(verdict(signed(), other.publicKey)).toBe('bad_signature');
});

test('every known digest in the header must match the body', () => {
  const digest = (name: string, of = body) =>
    `${name}=:${createHash(name.replace('-', '')).update(of).digest('base64')}:`;
  expect(isDigestOf(digest('sha-256'), body)).toBe(true);
  expect(isDigestOf(`${digest('sha-256')}, ${digest('sha-512')}`, body)).toBe(true);
  expect(isDigestOf(`${digest('sha-256')}, ${digest('sha-512', Buffer.from('x'))}`, body)).toBe(false);
  expect(isDigestOf('', body)).toBe(false);
});
