import { createHash, createPrivateKey, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
  /** Whether the authenticator checked a fingerprint or its PIN. */
  isVerified?: boolean;
  /** Whether the attestation is signed by a maker of authenticators, with their certificate. */
  isCertified?: boolean;
}

export const ORIGIN = 'https://vuka.example.com';
const RP_ID = 'vuka.example.com';

/** A passkey in software, with the bytes that WebAuthn prescribes (section 6). */
export function createPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let count = 0;

  const authData = ({ rpId = RP_ID, isVerified = true }: Ceremony, flags = 0, rest = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flag = Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | flags]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, counter, rest]);
  };
  const clientData = (type: string, { challenge, origin = ORIGIN }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    /** The next signature has this count plus one; a copy of the passkey starts at an old one. */
    countFrom(value: number) {
      count = value;
    },
    create(ceremony: Ceremony) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey.export({ format: 'jwk' }))]);
      const client = clientData('webauthn.create', ceremony);
      const data = authData(ceremony, ATTESTED, attested);
      const attestation = ceremony.isCertified ? certified(data, client) : uncertified(data);
      return credential({
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    get(ceremony: Ceremony) {
      count += 1;
      const data = authData(ceremony);
      const client = clientData('webauthn.get', ceremony);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      });
    },
  };
}

/** CBOR (RFC 8949) in its shortest form: a byte string of 24 to 255 bytes, and a text of at most 23. */
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value]);
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** An EC2 key for ES256 (RFC 9053): kty 2, alg -7, crv 1, x, y. */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const [xBytes, yBytes] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, bytes(xBytes), Buffer.from([0x22]), bytes(yBytes)]);
}

function attestationOf(format: string, statement: Buffer, authData: Buffer): Buffer {
  const parts = [text('fmt'), text(format), text('attStmt'), statement, text('authData'), bytes(authData)];
  return Buffer.concat([Buffer.from([0xa3]), ...parts]);
}

const uncertified = (authData: Buffer): Buffer => attestationOf('none', Buffer.from([0xa0]), authData);

/** The key and the certificate of a maker of authenticators, for tests alone. */
const MAKERS_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFCUA3OSMIQbgZhSGAc9+giRqcWUYC5ID1yMyWwTDzb6hRANCAARhutofedEmh7' +
  'NyKy8vFBScfzQeZttEvu6jArTVzPpoQfYTreMF8dU23NS4FKOpxJ/Up4PsveIUcScRfiYpivX/';
const MAKERS_CERTIFICATE =
  'MIIB0jCCAXegAwIBAgIUH2tLnNaFUC2VkfgvCdwlXcobe98wCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCS0UxDTALBgNVBAoMBFZ1a2ExIjAgBg' +
  'NVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTI5MTcyODAwWhgPMjEyNjExMDUxNzI4MDBaME8x' +
  'CzAJBgNVBAYTAktFMQ0wCwYDVQQKDARWdWthMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEw' +
  'YHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYbraH3nRJoezcisvLxQUnH80HmbbRL7uowK01cz6aEH2E63jBfHVNtzUuBSjqcSf1KeD7L3iFHEnEX4m' +
  'KYr1/6MvMC0wDAYDVR0TAQH/BAIwADAdBgNVHQ4EFgQUWSemKq3QHu/etD9GRdzCGZGD1fwwCgYIKoZIzj0EAwIDSQAwRgIhAOHej5gv0A7byh' +
  'Yhu37B9wCev5i6nW6PxRSsdwp3Al5BAiEAwLxeRTZ5K1hXwYAMgFBdj5lDDoLd7EA0H4JOpCa3FlE=';

/** A packed attestation (WebAuthn, section 8.2): alg, sig, x5c. */
function certified(authData: Buffer, client: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.from(MAKERS_KEY, 'base64'), format: 'der', type: 'pkcs8' });
  const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
  const signature = createSign('sha256').update(signed).sign(key);
  const certificate = Buffer.from(MAKERS_CERTIFICATE, 'base64');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(certificate.length);
  const chain = [Buffer.from([0x81, 0x59]), length, certificate];
  const parts = [text('alg'), Buffer.from([0x26]), text('sig'), bytes(signature), text('x5c'), ...chain];
  return attestationOf('packed', Buffer.concat([Buffer.from([0xa3]), ...parts]), authData);
}
