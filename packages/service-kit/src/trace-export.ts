import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import { type RecordSpan, traceOf } from './trace.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Spans are collected for this long, since a request costs as much as dozens of spans. A killed process loses the spans
 * of this time.
 */
const SEND_EVERY_MS = 5_000;
const MAX_SENT = 4_096;
const MAX_WAITING = 20_000;

/**
 * Sends spans to an OTLP/HTTP receiver at `endpoint`, in batches. Beyond a bound the newest are dropped: the memory of
 * the process is worth more than a trace.
 */
export function openTraces({ service, endpoint }: { service: string; endpoint: string }): {
  record: RecordSpan;
  close(): Promise<void>;
} {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const random = new RandomIdGenerator();
  let rootOfNext: { traceId: string; rootSpanId: string } | undefined;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'vuka' }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_EVERY_MS,
        maxExportBatchSize: MAX_SENT,
        maxQueueSize: MAX_WAITING,
      }),
    ],
    // A root has the ids of its process. Spans are started synchronously, so none comes between.
    idGenerator: {
      generateTraceId: () => rootOfNext?.traceId ?? random.generateTraceId(),
      generateSpanId: () => rootOfNext?.rootSpanId ?? random.generateSpanId(),
    },
  });
  const tracer = provider.getTracer('vuka');
  return {
    record(processId, { name, kind, startMs, endMs, attributes = {}, error, isRoot = false }) {
      const ids = traceOf(processId);
      if (!ids) return;
      const { traceId, rootSpanId: spanId } = ids;
      const root = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
      const context = isRoot ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root);
      rootOfNext = isRoot ? ids : undefined;
      const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: startMs, attributes }, context);
      rootOfNext = undefined;
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(endMs);
    },
    close: () => provider.shutdown(),
  };
}
