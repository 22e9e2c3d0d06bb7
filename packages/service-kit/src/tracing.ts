import type { Logger } from './logger.ts';
import type { Part } from './poll.ts';
import { type RecordSpan, type SpanFacts, traceOf } from './trace.ts';

let record: RecordSpan | undefined;
/** Traces whose last 32 bits are below this are recorded. */
let sampledBelow = 0;

/** The same in every process, so that a trace is whole or absent. */
function isSampled(traceId: string): boolean {
  return record !== undefined && Number.parseInt(traceId.slice(-8), 16) < sampledBelow;
}

/** The W3C header and envelope attribute `traceparent` of a business process. */
export function traceparentOf(processId: string | undefined): string | undefined {
  const trace = traceOf(processId);
  return trace && `00-${trace.traceId}-${trace.rootSpanId}-${isSampled(trace.traceId) ? '01' : '00'}`;
}

/** Adds a span to the trace of a process; does nothing, and costs nothing, while traces are not collected. */
export function recordSpan(processId: string | undefined, span: SpanFacts): void {
  if (processId !== undefined && isSampled(processId)) record?.(processId, span);
}

/** Does work as a span of a process's trace. */
export async function traced<Result>(
  processId: string | undefined,
  span: Pick<SpanFacts, 'name' | 'kind' | 'attributes'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!record) return work();
  const startMs = Date.now();
  try {
    const result = await work();
    recordSpan(processId, { ...span, startMs, endMs: Date.now() });
    return result;
  } catch (error) {
    recordSpan(processId, { ...span, startMs, endMs: Date.now(), error: String(error) });
    throw error;
  }
}

/** Collects traces while the process runs. The libraries are loaded only if there is an address to send them to. */
export function tracingPart(options: {
  service: string;
  endpoint: string | undefined;
  /** The share of the processes that are traced, from 0 to 1. */
  share: number;
  logger: Logger;
}): Part {
  const { service, endpoint, share, logger } = options;
  let stop: (() => Promise<void>) | undefined;
  return {
    name: 'traces',
    async start() {
      if (endpoint === undefined) return;
      const { openTraces } = await import('./trace-export.ts');
      const traces = openTraces({ service, endpoint });
      record = traces.record;
      sampledBelow = share * 2 ** 32;
      stop = traces.close;
      logger.info({ endpoint, share }, 'traces are sent');
    },
    async stop() {
      record = undefined;
      // Spans that cannot be sent are lost: nothing depends on traces.
      await stop?.().catch((error: Error) => logger.warn({ err: error }, 'the last traces were not sent'));
    },
  };
}
