import { ID, LEFT_OUT, OF_FIELDS, PHONES } from './sample-values.ts';
import { type Node, resolved } from './schema-node.ts';

/** Candidates for a text, in this order; the first that its schema allows is taken. */
const TEXTS = ['Karibu', '1250.00', '1250', '2468', '135790', '2026-11-24', '2026-11', 'ABCD1234EFGH', ...PHONES];
const CODES = [ID, '814-90-1', '712345678', '0123456789', 'karibu', 'KARIBU'];
const OF_FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-24T09:30:00.000Z',
  date: '2026-11-24',
  email: 'amina@vuka.test',
  uri: 'https://vuka.test/',
  uuid: ID,
};

/** What the examples of a call are made from. */
interface SampleSource {
  schemas: Node;
  /** The samples of this call, by field: taken where the schema allows them. The linter checks each example. */
  own?: Readonly<Record<string, unknown>> | undefined;
}

const hasOwnSample = ({ own = {} }: SampleSource, field: string): boolean => Object.hasOwn(own, field);

/** A value that a schema allows, as an example of it. */
export function sampleOf(schema: Node, from: SampleSource, field = ''): unknown {
  const node = resolved(schema, from.schemas);
  const own = from.own?.[field];
  // Not allowed is, for example, the id of a passkey where the same call has the id of an account.
  const isAllowed = typeof own !== 'string' || node.type !== 'string' || allows(node, own);
  if (hasOwnSample(from, field) && isAllowed) return own;
  if (node.const !== undefined) return node.const;
  if (isNullable(node) && candidatesOf(field)[0] === null) return null;
  if (node.enum) return sampleChoice(node.enum, field);
  const choices = node.anyOf ?? node.oneOf;
  if (choices) return sampleOf(choices.find((choice: Node) => choice.type !== 'null') ?? choices[0], from, field);
  if (node.allOf) return Object.assign({}, ...node.allOf.map((part: Node) => sampleOf(part, from, field)));
  return sampleOfType(node, from, field);
}

function sampleOfType(node: Node, from: SampleSource, field: string): unknown {
  const [type] = [node.type].flat();
  if (type === 'object') return sampleObject(node, from);
  if (type === 'array') return [sampleOf(node.items ?? {}, from, field)];
  if (type === 'string') return sampleText(node, field);
  if (type === 'integer' || type === 'number') return sampleNumber(node, field);
  if (type === 'boolean') return candidatesOf(field).find((sample) => typeof sample === 'boolean') ?? true;
  return type === 'null' ? null : {};
}

function candidatesOf(field: string): unknown[] {
  return Object.hasOwn(OF_FIELDS, field) ? [OF_FIELDS[field]].flat() : [];
}

function isNullable({ type, anyOf, oneOf }: Node): boolean {
  return [type].flat().includes('null') || (anyOf ?? oneOf ?? []).some((choice: Node) => choice.type === 'null');
}

function sampleChoice(values: unknown[], field: string): unknown {
  return candidatesOf(field).find((sample) => values.includes(sample)) ?? values[0];
}

function sampleObject({ properties = {}, required = [] }: Node, from: SampleSource): Node {
  const fields = Object.entries<Node>(properties).filter(([name]) => isShown(name, { required, from }));
  return Object.fromEntries(fields.map(([name, schema]) => [name, sampleOf(schema, from, name)]));
}

function isShown(name: string, { required, from }: { required: string[]; from: SampleSource }): boolean {
  if (hasOwnSample(from, name)) return from.own?.[name] !== undefined;
  return required.includes(name) || !LEFT_OUT.has(name);
}

function sampleText(node: Node, field: string): string {
  const length = Number(/\{(\d+)/.exec(node.pattern ?? '')?.[1] ?? node.minLength ?? 1);
  const ofLength = ['a', 'A', '1'].map((character) => character.repeat(length));
  const usual = [node.default, OF_FORMATS[node.format], ...TEXTS, ...CODES, ...ofLength];
  const found = [...candidatesOf(field), ...usual].find((text) => typeof text === 'string' && allows(node, text));
  if (found === undefined) throw new Error(`no example fits the field ${field}: ${JSON.stringify(node)}`);
  return found as string;
}

function allows({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, format }: Node, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return pattern !== undefined || format === undefined || text === OF_FORMATS[format];
}

function sampleNumber({ type, minimum, exclusiveMinimum, maximum }: Node, field: string): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const most = maximum ?? Number.POSITIVE_INFINITY;
  const isAllowed = (sample: number) =>
    sample >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    sample > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    sample <= most &&
    (type !== 'integer' || Number.isInteger(sample));
  const samples = candidatesOf(field).filter((sample) => typeof sample === 'number' || typeof sample === 'string');
  const found = samples.map(Number).find(isAllowed);
  if (found !== undefined) return found;
  const allowed = Math.min(Math.max(least, 1), most);
  return type === 'integer' ? Math.ceil(allowed) : allowed;
}
