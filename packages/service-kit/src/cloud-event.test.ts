import { CloudEvent, WrittenCloudEvent } from '@vuka/contracts/cloud-event';
import { afterEach, expect, test } from 'vitest';
import { cloudEvent, envelopeJson, writeEventNames } from './cloud-event.ts';
import { readMessages, writeMessages } from './outbox.ts';

const event = (sequence?: number) =>
  cloudEvent({ source: '/bakery', type: 'loaf.baked.v1', data: { loaves: 2 }, ...(sequence ? { sequence } : {}) });

afterEach(() => writeEventNames('cloudevents'));

test('an event is written as CloudEvents has it: a type under a domain, a schema, a sequence that sorts as text', () => {
  const written = JSON.parse(envelopeJson(event(9)));
  expect(WrittenCloudEvent.parse(written)).toEqual(written);
  expect(written).toMatchObject({
    type: 'africa.vuka.loaf.baked.v1',
    dataschema: 'urn:vuka:loaf.baked.v1',
    sequence: '0000000009',
  });
  const next = JSON.parse(envelopeJson(event(10)));
  expect(written.sequence < next.sequence).toBe(true);
  expect(JSON.parse(envelopeJson(event()))).not.toHaveProperty('sequence');
});

test.each(['cloudevents', 'release-0.1'] as const)('events are read alike, written with the names of %s', (names) => {
  writeEventNames(names);
  const sent = event(7);
  expect(CloudEvent.parse(JSON.parse(envelopeJson(sent)))).toEqual(sent);
  expect(readMessages(writeMessages([{ exchange: 'bakery.events', envelope: sent }]))).toEqual([
    { exchange: 'bakery.events', routingKey: 'loaf.baked.v1', envelope: sent },
  ]);
});

test('during a rolling upgrade events are written as the release before can read them', () => {
  writeEventNames('release-0.1');
  const sent = event(7);
  expect(JSON.parse(envelopeJson(sent))).toEqual(sent);
});
