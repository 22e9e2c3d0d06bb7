import { type Node, resolved } from './schema-node.ts';

/** Whether clients send or read a schema: a change that breaks one of these may be harmless to the other. */
type Side = 'sent' | 'read';

interface Pair {
  old: Node;
  new: Node;
  /** The named schemas of each document. */
  oldSchemas: Node;
  newSchemas: Node;
  side: Side;
  at: string;
}

const AT_MOST = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'];
const AT_LEAST = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'];
const DEEPEST = 12;

/**
 * What a client of the old API cannot rely on in the new one, one line each: calls, fields or answers that are gone,
 * requests that are refused, and answers of another type. Additions break nothing.
 */
export function breakingChanges(old: Node, current: Node): string[] {
  const schemas = { oldSchemas: old.components?.schemas ?? {}, newSchemas: current.components?.schemas ?? {} };
  return Object.entries<Node>(old.paths).flatMap(([path, item]) =>
    Object.entries<Node>(item).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const now = current.paths[path]?.[method];
      return now ? compareOperations({ old: operation, new: now, at, ...schemas }) : [`${at}: the call is gone`];
    }),
  );
}

function compareOperations(pair: Omit<Pair, 'side'>): string[] {
  const { old, new: now, at } = pair;
  const isRenamed = old.operationId !== now.operationId;
  return [
    ...(isRenamed ? [`${at}: operationId ${old.operationId} is now ${now.operationId}`] : []),
    ...compareParameters(pair),
    ...compareMedia({
      ...pair,
      old: old.requestBody ?? {},
      new: now.requestBody ?? {},
      at: `${at} body`,
      side: 'sent',
    }),
    ...(now.requestBody?.required && !old.requestBody?.required ? [`${at}: a body is now required`] : []),
    ...Object.entries<Node>(old.responses).flatMap(([status, answer]) => {
      const place = `${at} ${status}`;
      const answerNow = now.responses[status];
      if (!answerNow) return status.startsWith('2') ? [`${place}: the answer is gone`] : [];
      return compareMedia({ ...pair, old: answer, new: answerNow, at: place, side: 'read' });
    }),
  ];
}

function compareParameters(pair: Omit<Pair, 'side'>): string[] {
  const keyOf = (parameter: Node) => `${parameter.in} ${parameter.name}`;
  const before = new Map<string, Node>((pair.old.parameters ?? []).map((one: Node) => [keyOf(one), one]));
  const after = new Map<string, Node>((pair.new.parameters ?? []).map((one: Node) => [keyOf(one), one]));
  const gone = [...before.keys()].filter((key) => !after.has(key)).map((key) => `${pair.at}: ${key} is gone`);
  const changed = [...after].flatMap(([key, parameter]) => {
    const earlier = before.get(key);
    if (parameter.required && !earlier?.required) return [`${pair.at}: ${key} is now required`];
    if (!earlier) return [];
    const at = `${pair.at} ${key}`;
    return compareSchemas({ ...pair, old: earlier.schema ?? {}, new: parameter.schema ?? {}, at, side: 'sent' });
  });
  return [...gone, ...changed];
}

function compareMedia(pair: Pair): string[] {
  return Object.entries<Node>(pair.old.content ?? {}).flatMap(([type, media]) => {
    const now = pair.new.content?.[type];
    if (!now) return [`${pair.at}: ${type} is gone`];
    return compareSchemas({ ...pair, old: media.schema ?? {}, new: now.schema ?? {} });
  });
}

function compareSchemas(pair: Pair, depth = 0): string[] {
  const old = resolved(pair.old, pair.oldSchemas);
  const now = resolved(pair.new, pair.newSchemas);
  if (depth > DEEPEST || (JSON.stringify(old) === JSON.stringify(now) && !hasReference(old))) return [];
  const same = { ...pair, old, new: now };
  return [
    ...compareTypes(same),
    ...(pair.side === 'sent' ? compareBounds(same) : []),
    ...compareChoices(same, depth),
    ...compareFields(same, depth),
    ...(old.items && now.items
      ? compareSchemas({ ...pair, old: old.items, new: now.items, at: `${pair.at}[]` }, depth + 1)
      : []),
  ];
}

const hasReference = (schema: Node) => JSON.stringify(schema).includes('$ref');

function compareTypes({ old, new: now, at, side }: Pair): string[] {
  // What clients send may become wider; what they read may become narrower.
  const [narrow, wide] = side === 'sent' ? [old, now] : [now, old];
  const types = (schema: Node): string[] => [schema.type ?? []].flat();
  const isOther = types(wide).length > 0 && !types(narrow).every((type) => types(wide).includes(type));
  return isOther || (types(wide).length > 0 && types(narrow).length === 0)
    ? [`${at}: the type ${types(old).join(', ') || 'any'} is now ${types(now).join(', ') || 'any'}`]
    : [];
}

function compareBounds({ old, new: now, at }: Pair): string[] {
  const isLess = (bound: string) => now[bound] < (old[bound] ?? Number.POSITIVE_INFINITY);
  const isMore = (bound: string) => now[bound] > (old[bound] ?? Number.NEGATIVE_INFINITY);
  const isNew = (rule: string) => now[rule] !== undefined && now[rule] !== old[rule];
  const stricter = [...AT_MOST.filter(isLess), ...AT_LEAST.filter(isMore), ...['pattern', 'format'].filter(isNew)];
  return [...compareValues({ old, new: now, at }), ...stricter.map((rule) => `${at}: ${rule} is now ${now[rule]}`)];
}

function compareValues({ old, new: now, at }: Pick<Pair, 'old' | 'new' | 'at'>): string[] {
  const values: unknown[] | undefined = now.enum;
  if (!values) return [];
  if (!old.enum && old.const === undefined) return [`${at}: only ${values.join(', ')} is now accepted`];
  const gone = (old.enum ?? [old.const]).filter((value: unknown) => !values.includes(value));
  return gone.length > 0 ? [`${at}: ${gone.join(', ')} is no longer accepted`] : [];
}

/** Alternatives are compared by position: what clients send may gain some, what they read may lose some. */
function compareChoices(pair: Pair, depth: number): string[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((kind) => {
    const before: Node[] = pair.old[kind] ?? [];
    const after: Node[] = pair.new[kind] ?? [];
    if (before.length === 0 && after.length === 0) return [];
    const isMore =
      pair.side === 'sent' && kind !== 'allOf' ? after.length >= before.length : after.length <= before.length;
    if (!isMore) return [`${pair.at}: ${before.length} alternatives are now ${after.length}`];
    return before.flatMap((choice, index) => {
      const now = after[index];
      return now
        ? compareSchemas({ ...pair, old: choice, new: now, at: `${pair.at} ${kind} ${index + 1}` }, depth + 1)
        : [];
    });
  });
}

function compareFields(pair: Pair, depth: number): string[] {
  const { old, new: now, at, side } = pair;
  const required = (schema: Node): string[] => schema.required ?? [];
  const before = Object.entries<Node>(old.properties ?? {});
  const gone = before.filter(([name]) => !now.properties?.[name]).map(([name]) => `${at}.${name}: the field is gone`);
  const [weak, strong, word] = side === 'sent' ? [old, now, 'now required'] : [now, old, 'no longer always there'];
  const strengthened = required(strong)
    .filter((name) => !required(weak).includes(name) && now.properties?.[name])
    .map((name) => `${at}.${name}: the field is ${word}`);
  const changed = before.flatMap(([name, schema]) => {
    const field = now.properties?.[name];
    return field ? compareSchemas({ ...pair, old: schema, new: field, at: `${at}.${name}` }, depth + 1) : [];
  });
  return [...gone, ...strengthened, ...changed];
}
