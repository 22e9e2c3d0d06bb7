import type { ErrorCode } from '@vuka/contracts/error-codes';
import {
  ANY_FAILURE,
  createErrorResponses,
  describeErrorParts,
  ERROR_DETAILS,
  type ErrorResponses,
} from './error-responses.ts';
import { FIELD_NOTES } from './field-notes.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { sampleOf } from './samples.ts';
import { type Node, PLACE_OF_SCHEMAS, resolved } from './schema-node.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const ANSWERS: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Made', 202: 'Accepted' };

/**
 * Adds to the generated document what the schemas do not say: names of calls, errors code by code, examples, and notes
 * on fields. Throws if a call has no row in `OPERATIONS`.
 */
export function completeDocument(generated: Node): Node {
  const document = withOpenObjects(withShortNames(structuredClone(generated)));
  const { schemas } = document.components;
  Object.assign(schemas.ErrorBody.properties, ERROR_DETAILS);
  for (const [schema, fields] of Object.entries(FIELD_NOTES)) {
    const properties = schemas[schema]?.properties ?? {};
    for (const [field, description] of Object.entries(fields))
      properties[field] = { ...properties[field], description };
  }
  const errors = createErrorResponses();
  for (const [path, item] of Object.entries<Node>(document.paths)) {
    for (const method of METHODS.filter((name) => item[name])) {
      const call = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const operation = OPERATIONS[call];
      if (!operation) throw new Error(`${call} has no row in OPERATIONS`);
      complete(item[method], { call, operation, schemas, errors });
    }
  }
  const { components: responses } = errors;
  document.components = {
    ...document.components,
    ...describeErrorParts(schemas),
    responses,
    schemas: usedSchemas(document),
  };
  return document;
}

interface Row {
  call: string;
  operation: Operation;
  schemas: Node;
  errors: ErrorResponses;
}

function complete(described: Node, row: Row): void {
  const { operation, schemas, errors } = row;
  described.operationId = operation.id;
  described.summary ??= operation.summary;
  if (operation.description) described.description = operation.description;
  const body = described.requestBody?.content?.['application/json'];
  const samples = { schemas, own: operation.samples };
  if (body) body.example = sampleOf(body.schema, samples);
  // The generator requires every body. One that may be null is optional: the gateway reads a missing body as null.
  if (body && allowsNull(resolved(body.schema, schemas))) delete described.requestBody.required;
  const answers: Node = {};
  for (const [status, answer] of Object.entries<Node>(described.responses)) {
    if (!status.startsWith('2')) continue;
    answers[status] = { ...answer, description: operation.answers?.[Number(status)] ?? ANSWERS[status] };
    for (const [type, media] of Object.entries<Node>(answer.content ?? {})) {
      if (type === 'application/json') media.example = sampleOf(media.schema, samples);
    }
  }
  described.responses = { ...answers, ...errors.of(refusalsOf(described, row)), default: ANY_FAILURE };
}

/** The refusals that follow from the form of a call, and its own. */
function* refusalsOf(described: Node, { call, operation, schemas }: Row): Iterable<ErrorCode> {
  yield* ['validation_failed', 'rate_limited', 'internal_error', 'unavailable'] as const;
  const isPublic = described.security?.length === 0;
  if (!isPublic) yield 'unauthenticated';
  if (!call.startsWith('GET ')) yield* ['forbidden', 'payload_too_large'] as const;
  if (described.tags?.includes('admin')) yield* ['forbidden', 'step_up_required'] as const;
  if (call.includes('/:')) yield 'not_found';
  const body = resolved(described.requestBody?.content?.['application/json']?.schema ?? {}, schemas);
  const takesPin = body.properties?.pin !== undefined;
  if (takesPin && !isPublic) yield* ['invalid_pin', 'account_blocked', 'too_many_attempts'] as const;
  yield* operation.refusals ?? [];
}

const allowsNull = ({ anyOf = [] }: Node): boolean => anyOf.some(({ type }: Node) => type === 'null');

/** Requests and answers share a schema, and its name, unless they differ. */
function withShortNames(document: Node): Node {
  const { schemas } = document.components;
  const isEqual = (one: string, other: string) => textOf(schemas[one]) === textOf(schemas[other]);
  const used = namesIn(document);
  const long = Object.keys(schemas).filter((name) => name.endsWith('Input') && schemas[name.slice(0, -5)]);
  const short = long.filter((name) => isEqual(name, name.slice(0, -5)) || !used.has(name.slice(0, -5)));
  const renamed = new Map(short.map((name) => [PLACE_OF_SCHEMAS + name, PLACE_OF_SCHEMAS + name.slice(0, -5)]));
  for (const name of short) {
    schemas[name.slice(0, -5)] = schemas[name];
    delete schemas[name];
  }
  return JSON.parse(JSON.stringify(document), (key, value) => (key === '$ref' ? (renamed.get(value) ?? value) : value));
}

/** Ignores whether a reference leads to a request's or an answer's version of a schema. */
const textOf = (schema: Node) => JSON.stringify(schema).replaceAll(/(#\/components\/schemas\/\w+?)(Input)?"/g, '$1"');

/**
 * The generator closes the schemas of answers, although answers may gain fields: a client that validates would refuse
 * them. No request refuses a field that it does not know, so nothing else is closed.
 */
function withOpenObjects(document: Node): Node {
  return JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  );
}

/** The schemas that the calls reach. */
function usedSchemas(document: Node): Node {
  const used = namesIn(document);
  return Object.fromEntries(
    Object.entries(document.components.schemas)
      .filter(([name]) => used.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function namesIn(document: Node): Set<string> {
  const names = new Set<string>(['ErrorBody']);
  const waiting: unknown[] = [document.paths, document.components.schemas.ErrorBody];
  while (waiting.length > 0) {
    for (const [, name = ''] of JSON.stringify(waiting.pop() ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      waiting.push(document.components.schemas[name]);
    }
  }
  return names;
}
