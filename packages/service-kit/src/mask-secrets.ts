import { SECRET_FIELDS } from '@vuka/contracts/secret-fields';

const MASK = '***';
/** Without separators, in lower case. The last word of any other name decides. */
const WHOLE_NAMES = new Set(['cookie', ...SECRET_FIELDS.map((name) => name.toLowerCase())]);
const LAST_WORD = /(password|secret|token|authorization|apikey|privatekey|pepper)$/;

/** A copy of data without secrets, to show to people. */
export function maskSecrets(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(maskSecrets);
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isSecret(name) ? MASK : maskSecrets(value)]),
  );
}

function isSecret(field: string): boolean {
  const name = field.replaceAll(/[_-]/g, '').toLowerCase();
  return WHOLE_NAMES.has(name) || LAST_WORD.test(name);
}
