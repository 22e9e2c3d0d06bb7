import { createHash, type KeyObject, constants as rsa, timingSafeEqual, verify } from 'node:crypto';

/** Why a message is not believed. */
export type Refusal =
  | 'no_signature'
  | 'malformed_signature'
  | 'not_covered'
  | 'unsupported_component'
  | 'missing_header'
  | 'bad_digest'
  | 'expired'
  | 'unknown_key'
  | 'wrong_algorithm'
  | 'bad_signature';

export interface SignedMessage {
  method: string;
  /** Host, and port where it is not the scheme's own, as the signer called it. */
  authority: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  rawBody: Buffer;
}

export interface ParsedSignature {
  components: string[];
  /** The text after the label, which is itself signed. */
  parameters: string;
  keyId: string;
  algorithm: string;
  createdSeconds: number | undefined;
  expiresSeconds: number | undefined;
  signature: Buffer;
}

const LABEL = 'sig-pp';
const MEMBER = /([a-z*][a-z0-9_.*-]*)=(\([^()]*\)(?:;[a-z*][a-z0-9_.*-]*=(?:"[^"]*"|[^;,\s"]+))*)/g;
const COMPONENT = /"([^"]+)"(;[^\s]*)?/g;
const PARAMETER = /;([a-z*][a-z0-9_.*-]*)=(?:"([^"]*)"|([^;,\s"]+))/g;
const SKEW_SECONDS = 30;
const LONGEST_LIFE_SECONDS = 900;
const MUST_COVER = ['@method', '@authority', '@path', 'content-digest'];

/** Reads `Signature-Input` and `Signature` (RFC 9421). */
export function parseSignature(headers: Record<string, string>): ParsedSignature | Refusal {
  const input = headers['signature-input'];
  const signatures = headers.signature;
  if (!input || !signatures) return 'no_signature';
  const members = [...input.matchAll(MEMBER)];
  const member = members.find(([, label]) => label === LABEL) ?? members[0];
  const [, label, parameters] = member ?? [];
  if (!label || !parameters) return 'malformed_signature';
  const encoded = signatureOf(signatures, label);
  const list = parameters.slice(0, parameters.indexOf(')'));
  const components = [...list.matchAll(COMPONENT)].map(([, name = '', suffix = '']) => name + suffix);
  const given = new Map(
    [...parameters.matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']),
  );
  const keyId = given.get('keyid');
  const algorithm = given.get('alg');
  if (!encoded || !keyId || !algorithm || new Set(components).size !== components.length) return 'malformed_signature';
  return {
    components,
    parameters,
    keyId,
    algorithm,
    createdSeconds: seconds(given.get('created')),
    expiresSeconds: seconds(given.get('expires')),
    signature: Buffer.from(encoded, 'base64'),
  };
}

function signatureOf(header: string, label: string): string | undefined {
  for (const part of header.split(',')) {
    const match = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]+):\s*$/.exec(part);
    if (match?.[1] === label) return match[2];
  }
  return undefined;
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** Checks all that needs no key: what is covered, how old it is, and that the digest is the raw body's. */
export function checkCoverage(
  message: SignedMessage,
  parsed: ParsedSignature,
  nowSeconds: number,
): Refusal | undefined {
  if (MUST_COVER.some((name) => !parsed.components.includes(name))) return 'not_covered';
  const { createdSeconds: created, expiresSeconds: expires } = parsed;
  const until = expires ?? (created === undefined ? undefined : created + LONGEST_LIFE_SECONDS);
  if (until === undefined || until + SKEW_SECONDS < nowSeconds) return 'expired';
  if (created !== undefined && created - SKEW_SECONDS > nowSeconds) return 'expired';
  return isDigestOf(message.headers['content-digest'] ?? '', message.rawBody) ? undefined : 'bad_digest';
}

/** True when the header names at least one digest that we know, and each of those is the body's. */
export function isDigestOf(header: string, body: Buffer): boolean {
  const digests = [...header.matchAll(/(sha-256|sha-512)=:([A-Za-z0-9+/=]+):/g)];
  return (
    digests.length > 0 &&
    digests.every(([, name = '', encoded = '']) => {
      const given = Buffer.from(encoded, 'base64');
      const expected = createHash(name.replace('-', '')).update(body).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    })
  );
}

/** The text that is signed (RFC 9421, 2.5). */
export function signatureBase(
  message: SignedMessage,
  parsed: ParsedSignature,
): { text: string } | { refusal: Refusal } {
  const lines: string[] = [];
  for (const component of parsed.components) {
    const value = componentOf(message, component);
    if (value === undefined) {
      return { refusal: component.startsWith('@') ? 'unsupported_component' : 'missing_header' };
    }
    lines.push(`"${component}": ${value}`);
  }
  return { text: [...lines, `"@signature-params": ${parsed.parameters}`].join('\n') };
}

function componentOf(message: SignedMessage, component: string): string | undefined {
  switch (component) {
    case '@method':
      return message.method;
    case '@authority':
      return message.authority.toLowerCase();
    case '@path':
      return message.path;
    default:
      return component.startsWith('@') ? undefined : message.headers[component]?.trim();
  }
}

/** Whether the key signed this text by the algorithm that the message names. */
export function checkSignature(text: string, parsed: ParsedSignature, key: KeyObject): Refusal | undefined {
  const { signature, algorithm } = parsed;
  if (!isForAlgorithm(key, algorithm)) return 'wrong_algorithm';
  const hash = HASHES[algorithm as keyof typeof HASHES];
  try {
    return verify(hash, Buffer.from(text), keyOptions(key, algorithm, signature), signature)
      ? undefined
      : 'bad_signature';
  } catch {
    return 'bad_signature';
  }
}

const HASHES = {
  'ecdsa-p256-sha256': 'sha256',
  'ecdsa-p384-sha384': 'sha384',
  'rsa-pss-sha512': 'sha512',
  'rsa-v1_5-sha256': 'sha256',
} as const;

const RAW_LENGTHS: Readonly<Record<string, number>> = { 'ecdsa-p256-sha256': 64, 'ecdsa-p384-sha384': 96 };

function isForAlgorithm(key: KeyObject, algorithm: string): boolean {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    case 'ecdsa-p384-sha384':
      return key.asymmetricKeyDetails?.namedCurve === 'secp384r1';
    case 'rsa-pss-sha512':
      return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss';
    case 'rsa-v1_5-sha256':
      return key.asymmetricKeyType === 'rsa';
    default:
      return false;
  }
}

function keyOptions(key: KeyObject, algorithm: string, signature: Buffer) {
  if (algorithm === 'rsa-pss-sha512') return { key, padding: rsa.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
  if (algorithm === 'rsa-v1_5-sha256') return { key, padding: rsa.RSA_PKCS1_PADDING };
  // The RFC says raw r and s; pawaPay and its samples send DER. A DER signature can be 64 bytes only by rare chance.
  const isRaw = signature.length === RAW_LENGTHS[algorithm];
  return { key, dsaEncoding: isRaw ? ('ieee-p1363' as const) : ('der' as const) };
}
