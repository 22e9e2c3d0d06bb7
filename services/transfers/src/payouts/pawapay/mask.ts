const MASK = '***';
/** Fields that identify a person beyond the paid number, and credentials. */
const SECRET_FIELDS = new Set([
  'senderdetails',
  'recipientdetails',
  'identification',
  'firstname',
  'lastname',
  'dateofbirth',
  'placeofbirth',
  'address',
  'authorization',
  'token',
  'pin',
  // Anyone with the URL can read the statement.
  'downloadurl',
]);
const MAX_TEXT = 500;
/**
 * The calls of a commit, up to 500, are one message. RabbitMQ takes none above 16 MB, and a message that it does not take
 * would keep the later ones from leaving, too.
 */
const MAX_BODY_BYTES = 30_000;
/** In a JSON text, a character takes at most three bytes: none is a control character, and quotes are escaped. */
const BEGINNING = MAX_BODY_BYTES / 3;

/** Deeper than any documented body; thousands of levels would exhaust the stack. */
const MAX_DEPTH = 50;

/** A copy of a body without secrets, for the integration log. */
export function maskBody(body: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return 'nested too deeply';
  if (Array.isArray(body)) return body.map((item) => maskBody(item, depth + 1));
  if (body === null || typeof body !== 'object') return body;
  const entries = Object.entries(body);
  if (entries.some(([name, value]) => name === 'isPII' && value === true)) return MASK;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, SECRET_FIELDS.has(name.toLowerCase()) ? MASK : maskBody(value, depth + 1)]),
  );
}

/**
 * Like `maskBody`, for a body that is not JSON. Broken JSON is dropped, because its secret fields cannot be located.
 */
export function maskText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return { unreadable: 'broken JSON', length: text.length };
  return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed();
}

/** A masked body, or its beginning if it is too long for the integration log. */
export function cutBody(body: unknown): unknown {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_BODY_BYTES) return body;
  return { cut: 'the body is too long', bytes, beginning: text.slice(0, BEGINNING).toWellFormed() };
}
