import { RATED } from '@vuka/money/directions';
import { recipientPrefix } from '@vuka/money/phones';
import type { Random } from './random.ts';

/** The parts of the API description's JSON schemas that matter for generating values. */
export interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}

/** Hostile values for any field. These texts are not searched for in answers. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -0.000_001,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '\u0000',
  'a\u0000b\u0007\u001b[31m\r\nset-cookie: a=b',
  '\ud800',
  '\u202e\u200b\ufeff',
  '𝕏🙂'.repeat(50),
  'x'.repeat(10_000),
  '9'.repeat(400),
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '$1; --',
  '%00%0a%27',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x.test")',
  'NaN',
  'Infinity',
  '1e9',
  '0x10',
  '１２３４',
  '-5',
  `${recipientPrefix(RATED.direction)}7634567000000000`,
  '00000000-0000-0000-0000-000000000000',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20',
  '2026-13-45',
  '__proto__',
  'constructor',
  'toString',
  [],
  [[[[[[[[]]]]]]]],
  {},
  { $gt: '' },
  { toString: 'no', valueOf: null },
  { length: 1e9 },
];

/**
 * Keys that change other users' state in a server that copies its input blindly. As JSON text, since a literal would
 * not keep them.
 */
const POLLUTION = [
  '"__proto__":{"isAdmin":true,"vukaPolluted":true}',
  '"constructor":{"prototype":{"isAdmin":true,"vukaPolluted":true}}',
  '"isAdmin":true',
  '"userId":"00000000-0000-0000-0000-000000000000"',
];

const DEEPEST = 6;

export interface ValueContext {
  random: Random;
  /** The definition that a reference names. */
  resolve(ref: string): Schema;
  /** A better value for a field of this name than its schema can give; undefined if there is none. */
  known(name: string): unknown;
}

/** A value that is valid by the schema; rules outside the schema may still refuse it. */
export function validValue(schema: Schema, context: ValueContext, name = '', depth = 0): unknown {
  const { random } = context;
  const known = context.known(name);
  if (known !== undefined) return known;
  if (schema.$ref) return validValue(context.resolve(schema.$ref), context, name, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants?.length) return validValue(random.pick(variants), context, name, depth);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => validValue(each, context, name, depth)));
  return ofType(schema, context, name, depth);
}

function ofType(schema: Schema, context: ValueContext, name: string, depth: number): unknown {
  const { random } = context;
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  if (type === 'object' || schema.properties) return validObject(schema, context, depth);
  switch (type) {
    case 'array': {
      const length = depth < DEEPEST ? random.between(0, 2) : 0;
      return Array.from({ length }, () => validValue(schema.items ?? {}, context, name, depth + 1));
    }
    case 'boolean':
      return random.next() < 0.5;
    case 'null':
      return null;
    case 'integer':
    case 'number':
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 1_000, 100_000));
    default:
      return validText(schema, random);
  }
}

function validObject({ properties = {}, required = [] }: Schema, context: ValueContext, depth: number) {
  const fields = Object.entries(properties).filter(
    ([field]) => required.includes(field) || (depth < DEEPEST && context.random.next() < 0.5),
  );
  return Object.fromEntries(fields.map(([field, each]) => [field, validValue(each, context, field, depth + 1)]));
}

function validText({ format, minLength = 0, maxLength = 40 }: Schema, random: Random): string {
  const hex = (length: number) => Array.from({ length }, () => random.between(0, 15).toString(16)).join('');
  if (format === 'uuid') return `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
  if (format === 'email') return `${hex(10)}@example.com`;
  if (format === 'date') return '2026-11-01';
  if (format === 'date-time') return '2026-11-01T00:00:00.000Z';
  return hex(Math.max(minLength, Math.min(maxLength, 12)));
}

export const hostileValue = (random: Random): unknown => random.pick(HOSTILE);

/** The JSON text of a body with one to three errors, or text that is not JSON. */
export function spoiled(body: unknown, random: Random): string {
  const way = random.next();
  if (way < 0.06) return JSON.stringify(body).slice(0, random.between(0, 20));
  if (way < 0.09) return '['.repeat(5_000);
  if (way < 0.12) return JSON.stringify(hostileValue(random));
  if (way < 0.14) return JSON.stringify({ filler: 'x'.repeat(70_000) });
  let changed = body;
  for (let left = random.between(1, 3); left > 0; left -= 1) changed = withOneWrong(changed, random, 0);
  const text = JSON.stringify(changed) ?? '';
  if (random.next() < 0.15 && text.startsWith('{')) {
    const key = random.pick(POLLUTION);
    return text === '{}' ? `{${key}}` : `{${key},${text.slice(1)}`;
  }
  return text;
}

function withOneWrong(value: unknown, random: Random, depth: number): unknown {
  const fields = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  if (fields.length === 0 || (depth > 0 && random.next() < 0.3)) return hostileValue(random);
  const [name, inner] = random.pick(fields);
  if (random.next() < 0.15) return Object.fromEntries(fields.filter(([field]) => field !== name));
  return {
    ...Object.fromEntries(fields),
    [name]: random.next() < 0.6 ? hostileValue(random) : withOneWrong(inner, random, depth + 1),
  };
}

/** A hostile value as a part of an address. */
export function hostileText(random: Random): string {
  const value = hostileValue(random);
  const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
  return text.slice(0, 4_000);
}

/** A hostile value as a header, within what an HTTP client can send. */
export function hostileHeader(random: Random): string {
  if (random.next() < 0.02) return 'x'.repeat(20_000);
  return hostileText(random)
    .replaceAll(/[^\u0020-\u007e]/g, '?')
    .trim();
}
