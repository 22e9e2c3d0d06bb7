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

/** A copy of a body without secrets, for the integration log. */
export function maskBody(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(maskBody);
  if (body === null || typeof body !== 'object') return body;
  const entries = Object.entries(body);
  if (entries.some(([name, value]) => name === 'isPII' && value === true)) return MASK;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, SECRET_FIELDS.has(name.toLowerCase()) ? MASK : maskBody(value)]),
  );
}

/**
 * Like `maskBody`, for a body that is not JSON. Broken JSON is dropped, because its secret fields cannot be located.
 */
export function maskText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return { unreadable: 'broken JSON', length: text.length };
  return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed();
}
