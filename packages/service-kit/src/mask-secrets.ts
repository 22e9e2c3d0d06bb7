import { SECRET_FIELDS } from '@vuka/contracts/secret-fields';

const MASK = '***';
/**
 * Names that are secret as a whole, in lower case and without separators. For any other name, the last word decides.
 */
const WHOLE_NAMES = new Set(['cookie', ...SECRET_FIELDS.map((name) => name.toLowerCase())]);
const LAST_WORD = /(password|secret|token|authorization|apikey|privatekey|pepper)$/;
/**
 * A name in text that is not valid JSON: it was cut off, or is a form, a header, XML or a log line. Quotes may be
 * escaped.
 */
const NAME = /(?<![\w-])([\w-]+)(?:\\*["']?\s*[:=]\s*|>)/g;
/** The value that follows a name; its end may be missing. */
const VALUE = /"(?:[^"\\]|\\.)*"?|\\+"[^"]*"?|'[^']*'?|\[[^\]]*\]?|\{[^}]*\}?|(?:(?:bearer|basic)\s+)?[^\s,;&<}\]]+/iy;

/** A copy of data without secrets, to show to people. */
export function maskSecrets(data: unknown): unknown {
  if (typeof data === 'string') return maskText(data);
  if (Array.isArray(data)) return data.map(maskSecrets);
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isSecret(name) ? MASK : maskSecrets(value)]),
  );
}

/** Text may hold JSON, such as the body of a call, and that again. */
function maskText(text: string): string {
  const parsed = parseStructure(text);
  if (parsed !== undefined) {
    const masked = JSON.stringify(maskSecrets(parsed));
    return masked === JSON.stringify(parsed) ? text : masked;
  }
  let masked = '';
  let end = 0;
  for (const { 0: all, 1: name = '', index } of text.matchAll(NAME)) {
    const start = index + all.length;
    if (index < end || !isSecret(name)) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(text)?.[0] ?? '';
    if (value === '') continue;
    masked += text.slice(end, start) + MASK;
    end = start + value.length;
  }
  return masked + text.slice(end);
}

function parseStructure(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSecret(field: string): boolean {
  const name = field.replaceAll(/[_-]/g, '').toLowerCase();
  return WHOLE_NAMES.has(name) || LAST_WORD.test(name);
}
