/** One piece of work of a business process, once it is done. Times are those of `Date.now()`. */
export interface SpanFacts {
  /** What was done, such as `bake a loaf`. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  startMs: number;
  endMs: number;
  attributes?: Record<string, string | number>;
  /** Why it failed. */
  error?: string;
  /** The request that began the process: the parent of every other span. */
  isRoot?: boolean;
}

export type RecordSpan = (processId: string, span: SpanFacts) => void;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The trace of a business process is the process's own id, a UUID without its hyphens, and its root span is the second
 * half of it. So every service that knows the process can add to its trace, after any wait and any crash, and nothing
 * has to be stored. Undefined for an id that is no UUID.
 */
export function traceOf(processId: string | undefined): { traceId: string; rootSpanId: string } | undefined {
  if (processId === undefined || !UUID.test(processId)) return undefined;
  const traceId = processId.replaceAll('-', '');
  return { traceId, rootSpanId: traceId.slice(16) };
}
