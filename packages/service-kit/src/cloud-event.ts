import { type CloudEvent, toWrittenForm } from '@vuka/contracts/cloud-event';
import { uuidv7 } from './ids.ts';
import { traceparentOf } from './tracing.ts';

export interface EventContent {
  /** The publishing service, such as `/vuka/bakery`. */
  source: string;
  type: string;
  data: unknown;
  /** The aggregate that the event is about. */
  subject?: string;
  /** Groups the messages of one business process: for an order, its id. */
  correlationid?: string;
  /** The message or request that caused this one. */
  causationid?: string;
  /** The version of the aggregate. */
  sequence?: number;
}

/**
 * The names in envelopes: `cloudevents` as the specification has them, or those of release 0.1, which its processes
 * need during a rolling upgrade.
 */
export type EventNames = 'cloudevents' | 'release-0.1';

const texts = new WeakMap<CloudEvent, string>();
let names: EventNames = 'cloudevents';

/** Chooses the names that this process writes. Both are read. */
export function writeEventNames(chosen: EventNames): void {
  names = chosen;
}

/**
 * An envelope as JSON. A message is written twice, to the outbox and to the broker, but serialised once; do not change
 * an envelope afterwards.
 */
export function envelopeJson(envelope: CloudEvent): string {
  let text = texts.get(envelope);
  if (text === undefined) {
    text = JSON.stringify(names === 'cloudevents' ? toWrittenForm(envelope) : envelope);
    texts.set(envelope, text);
  }
  return text;
}

/** A CloudEvents 1.0 envelope with a new id. */
export function cloudEvent(content: EventContent, now: Date = new Date()): CloudEvent {
  const traceparent = traceparentOf(content.correlationid);
  return {
    specversion: '1.0',
    id: uuidv7(now.getTime()),
    time: now.toISOString(),
    datacontenttype: 'application/json',
    ...content,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
