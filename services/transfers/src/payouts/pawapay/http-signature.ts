import { createHash, type KeyObject, constants as rsa, timingSafeEqual, verify } from 'node:crypto';
import { type Item, type Member, type Parameters, readDictionary } from './structured-fields.ts';

/** Why a message is rejected. */
export type Refusal =
  | 'no_signature'
  | 'malformed_signature'
  | 'header_too_long'
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
  /** Host, and port unless it is the scheme's default, as the signer called it. */
  authority: string;
  path: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  rawBody: Buffer;
}

export interface ParsedSignature {
  components: string[];
  /** The text after the label, itself part of what is signed. */
  parameters: string;
  keyId: string;
  algorithm: string;
  createdSeconds: number | undefined;
  expiresSeconds: number | undefined;
  signature: Buffer;
}

const LABEL = 'sig-pp';
/** The longest header of a pawaPay callback has 0.3 KB. */
const LONGEST_HEADER = 4_096;
const MOST_COMPONENTS = 32;
const SKEW_SECONDS = 30;
const LONGEST_LIFE_SECONDS = 900;
const MUST_COVER = ['@method', '@authority', '@path', 'content-digest'];

/** Reads `Signature-Input` and `Signature` (RFC 9421). */
export function parseSignature(headers: Record<string, string>): ParsedSignature | Refusal {
  const { 'signature-input': input, signature: signatures, 'content-digest': digest = '' } = headers;
  if (!input || !signatures) return 'no_signature';
  if ([input, signatures, digest].some((text) => text.length > LONGEST_HEADER)) return 'header_too_long';
  const inputs = readDictionary(input);
  const [label, member] = chooseMember(inputs) ?? [];
  const signature = label === undefined ? undefined : readDictionary(signatures)?.get(label)?.value;
  if (member?.value.kind !== 'list' || signature?.kind !== 'bytes') return 'malformed_signature';
  const { items, parameters } = member.value;
  const keyId = nameIn(parameters, 'keyid');
  const algorithm = nameIn(parameters, 'alg');
  const createdSeconds = secondsIn(parameters, 'created');
  const expiresSeconds = secondsIn(parameters, 'expires');
  const components = items.map(identifierOf);
  if (!keyId || !algorithm || createdSeconds === null || expiresSeconds === null) return 'malformed_signature';
  if (components.length > MOST_COMPONENTS || items.some(({ kind }) => kind !== 'string')) return 'malformed_signature';
  if (new Set(components).size !== components.length) return 'malformed_signature';
  return {
    components,
    parameters: member.raw,
    keyId,
    algorithm,
    createdSeconds,
    expiresSeconds,
    signature: Buffer.from(signature.text, 'base64'),
  };
}

/** pawaPay's own signature, or else the first one. */
function chooseMember(inputs: Map<string, Member> | undefined): [label: string, member: Member] | undefined {
  const own = inputs?.get(LABEL);
  return own ? [LABEL, own] : inputs?.entries().next().value;
}

/** Marks a component with parameters, such as `"@query-param";name="a"`, as unsupported. */
function identifierOf({ text, parameters }: Item): string {
  return parameters.size === 0 ? text : `@parametrised ${text}`;
}

function nameIn(parameters: Parameters, key: string): string | undefined {
  const item = parameters.get(key);
  return item?.kind === 'string' || item?.kind === 'token' ? item.text : undefined;
}

/** Undefined when absent, null when not a valid time. */
function secondsIn(parameters: Parameters, key: string): number | undefined | null {
  const item = parameters.get(key);
  if (!item) return undefined;
  return item.kind === 'number' && /^\d{1,12}$/.test(item.text) ? Number(item.text) : null;
}

/** Checks what needs neither a key nor the body: the covered components and the signature's age. */
export function checkCoverage(parsed: ParsedSignature, nowSeconds: number): Refusal | undefined {
  if (MUST_COVER.some((name) => !parsed.components.includes(name))) return 'not_covered';
  const { createdSeconds: created, expiresSeconds: expires } = parsed;
  const until = expires ?? (created === undefined ? undefined : created + LONGEST_LIFE_SECONDS);
  if (until === undefined || until + SKEW_SECONDS < nowSeconds) return 'expired';
  if (created !== undefined && created - SKEW_SECONDS > nowSeconds) return 'expired';
  return undefined;
}

/** Digest algorithms by their names in `Content-Digest` (RFC 9530). */
const DIGESTS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/** True when the header has at least one known digest and every known digest matches the body. */
export function isDigestOf(header: string, body: Buffer): boolean {
  const digests = readDictionary(header);
  const known = Object.entries(DIGESTS).flatMap(([name, algorithm]) => {
    const value = digests?.get(name)?.value;
    return value ? [{ value, algorithm }] : [];
  });
  return (
    known.length > 0 &&
    known.every(({ value, algorithm }) => {
      if (value.kind !== 'bytes') return false;
      const given = Buffer.from(value.text, 'base64');
      const expected = createHash(algorithm).update(body).digest();
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
      return Object.hasOwn(message.headers, component) ? message.headers[component]?.trim() : undefined;
  }
}

/** Whether the key made this signature with the algorithm that the message names. */
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
  // The RFC requires raw r and s; pawaPay and its samples send DER. A DER signature is very rarely 64 bytes long.
  const isRaw = signature.length === RAW_LENGTHS[algorithm];
  return { key, dsaEncoding: isRaw ? ('ieee-p1363' as const) : ('der' as const) };
}
