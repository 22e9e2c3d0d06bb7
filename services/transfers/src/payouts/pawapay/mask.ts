const MASK = '***';
/** What identifies a person beyond the number that is paid, and what opens doors. */
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
  // Whoever knows the address reads the statement.
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

/** As `maskBody`, of a body that is not JSON. Broken JSON is left out: nothing in it can be found to mask. */
export function maskText(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return { unreadable: 'broken JSON', length: text.length };
  return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed();
}
