import { COUNTRIES } from '@vuka/money/corridors';
import { COUNTRY_CODES, corridorOf, DIRECTIONS } from '@vuka/money/directions';
import { carriersOf } from '@vuka/money/networks';
import { type Node, resolved } from './schema-node.ts';

const PHONES = Object.values(COUNTRIES).map(({ callingCode }) => `+${callingCode}763456789`);
const ID = '01980a3e-4b0c-7d2a-9f51-5a1c3e7b9d20';

/** Samples for fields whose schema allows far more than real values. */
const OF_FIELDS: Readonly<Record<string, unknown>> = {
  accountName: 'Amina Otieno',
  amount: '1250.00',
  bankName: 'Equity Bank',
  buyRate: '23.5',
  carrier: COUNTRY_CODES.flatMap((code) => carriersOf(code))[0],
  clientTransactionId: 'order-2026-11-24-0001',
  email: 'amina@vuka.test',
  fee: '0.00',
  fixedFee: '30.00',
  fullName: 'Amina Otieno',
  label: 'Baraka Mushi',
  markup: '2',
  maxAmount: '250000.00',
  merchantId: 'ABCD1234EFGH',
  minAmount: '1.00',
  name: 'Amina Otieno',
  newPin: '2846',
  note: 'Agreed by phone',
  percentageFee: '0.5',
  perDay: '500000.00',
  perDayIn: '500000.00',
  perMonth: '10000000.00',
  perMonthIn: '10000000.00',
  perTransaction: '250000.00',
  pin: '1357',
  reason: 'Agreed by phone',
  recipientPhone: PHONES.at(-1),
  reference: 'KCB-20261124-0001',
  sourceAmount: '1250.00',
  systemName: 'Vuka',
  targetAmount: '28787.50',
  targetCurrency: corridorOf(DIRECTIONS[0]).target,
  username: 'amina@vuka.test',
};

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

/** A value that a schema allows, as an example of it. */
export function sampleOf(schema: Node, schemas: Node, field = ''): unknown {
  const node = resolved(schema, schemas);
  if (node.const !== undefined) return node.const;
  if (node.enum) return sampleChoice(node.enum, field);
  const choices = node.anyOf ?? node.oneOf;
  if (choices) return sampleOf(choices.find((choice: Node) => choice.type !== 'null') ?? choices[0], schemas, field);
  if (node.allOf) return Object.assign({}, ...node.allOf.map((part: Node) => sampleOf(part, schemas, field)));
  const [type] = [node.type].flat();
  if (type === 'object') return sampleObject(node, schemas);
  if (type === 'array') return [sampleOf(node.items ?? {}, schemas, field)];
  if (type === 'string') return sampleText(node, field);
  if (type === 'integer' || type === 'number') return sampleNumber(node);
  if (type === 'boolean') return true;
  return type === 'null' ? null : {};
}

function sampleChoice(values: unknown[], field: string): unknown {
  return values.includes(OF_FIELDS[field]) ? OF_FIELDS[field] : values[0];
}

function sampleObject(node: Node, schemas: Node): Node {
  const fields = Object.entries<Node>(node.properties ?? {});
  return Object.fromEntries(fields.map(([name, schema]) => [name, sampleOf(schema, schemas, name)]));
}

function sampleText(node: Node, field: string): string {
  const length = Number(/\{(\d+)/.exec(node.pattern ?? '')?.[1] ?? node.minLength ?? 1);
  const ofLength = ['a', 'A', '1'].map((character) => character.repeat(length));
  const candidates = [node.default, OF_FIELDS[field], OF_FORMATS[node.format], ...TEXTS, ...CODES, ...ofLength];
  const found = candidates.find((text) => typeof text === 'string' && allows(node, text));
  if (found === undefined) throw new Error(`no example fits the field ${field}: ${JSON.stringify(node)}`);
  return found as string;
}

function allows({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, format }: Node, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  return pattern !== undefined || format === undefined || text === OF_FORMATS[format];
}

function sampleNumber({ type, minimum, exclusiveMinimum, maximum }: Node): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const wanted = Math.max(least, 1);
  const allowed = maximum === undefined ? wanted : Math.min(wanted, maximum);
  return type === 'integer' ? Math.ceil(allowed) : allowed;
}
