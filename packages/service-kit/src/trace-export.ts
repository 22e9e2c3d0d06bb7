import { randomFillSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Logger } from './logger.ts';
import { type RecordSpan, type SpanFacts, traceOf } from './trace.ts';

/** OTLP's numbers. */
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
const STATUS_ERROR = 2;

const SEND_EVERY_MS = 1_000;
const MAX_WAITING = 20_000;
/** About 1 MB; receivers take 4 MB or more. */
const MAX_PER_REQUEST = 2_000;
const DEADLINE_MS = 10_000;
/** For what is left at the end. */
const LAST_MS = 2_000;

export interface TraceOptions {
  service: string;
  endpoint: string;
  logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Sends spans to an OTLP/HTTP receiver at `endpoint`, in batches. Beyond a bound the newest are dropped, and so is a batch that the
 * receiver does not take: the memory of the process is worth more than a trace. A span is written as JSON at once, which takes a
 * third of the processor time of OpenTelemetry's SDK (ADR 28).
 */
export function openTraces({ service, endpoint, logger }: TraceOptions): {
  record: RecordSpan;
  close(): Promise<void>;
} {
  const url = new URL(endpoint);
  const path = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const pool = new Pool(url.origin, { connections: 1 });
  const attributes = attributesOf({ 'service.name': service, 'service.namespace': 'vuka' });
  const opening = `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":{"name":"vuka"},"spans":[`;
  const nextSpanId = spanIds();
  let waiting: string[] = [];
  let isFailing = false;

  async function post(spans: string[]): Promise<void> {
    const { statusCode, body } = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `${opening}${spans.join(',')}]}]}]}`,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await body.dump();
    if (statusCode >= 300) throw new Error(`the receiver answered ${statusCode}`);
  }

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, MAX_PER_REQUEST);
      waiting = waiting.slice(MAX_PER_REQUEST);
      try {
        await post(spans);
        if (isFailing) logger.info({ endpoint }, 'traces are received again');
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ endpoint, err: error }, 'traces are not received, and are lost');
        isFailing = true;
      }
    }
  }

  let sending = Promise.resolve();
  let isSending = false;
  const timer = setInterval(() => {
    if (isSending) return;
    isSending = true;
    sending = send().finally(() => {
      isSending = false;
    });
  }, SEND_EVERY_MS);
  timer.unref();

  return {
    record(processId, span) {
      const ids = traceOf(processId);
      if (ids && waiting.length < MAX_WAITING) waiting.push(spanText(ids, span, nextSpanId));
    },
    async close() {
      clearInterval(timer);
      // A receiver that hangs does not delay the end of the process.
      await Promise.race([sending.then(send), delay(LAST_MS, undefined, { ref: false })]);
      await pool.destroy();
    },
  };
}

/** A root has the ids of its process; every other span is a child of the root. */
function spanText(ids: { traceId: string; rootSpanId: string }, span: SpanFacts, nextSpanId: () => string): string {
  const { traceId, rootSpanId } = ids;
  const place = span.isRoot ? `"spanId":"${rootSpanId}"` : `"spanId":"${nextSpanId()}","parentSpanId":"${rootSpanId}"`;
  const status = span.error === undefined ? '{}' : JSON.stringify({ code: STATUS_ERROR, message: span.error });
  return (
    `{"traceId":"${traceId}",${place},"name":${JSON.stringify(span.name)},"kind":${KINDS[span.kind]},"flags":1,` +
    `"startTimeUnixNano":"${span.startMs}000000","endTimeUnixNano":"${span.endMs}000000",` +
    `"attributes":${attributesOf(span.attributes)},"status":${status}}`
  );
}

function attributesOf(attributes: Record<string, string | number> = {}): string {
  const texts = Object.entries(attributes).map(
    ([key, value]) => `{"key":${JSON.stringify(key)},"value":${valueText(value)}}`,
  );
  return `[${texts.join(',')}]`;
}

function valueText(value: string | number): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
}

/** Random ids of 8 bytes; many are drawn at once, which is faster. */
function spanIds(): () => string {
  const drawn = Buffer.alloc(8 * 512);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    at += 8;
    return drawn.toString('hex', at - 8, at);
  };
}
