import { expect, test } from 'vitest';
import { breakingChanges } from './breaking-changes.ts';
import type { Node } from './schema-node.ts';

const ORDER = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'string', maxLength: 10 },
    kind: { type: 'string', enum: ['bread', 'cake'] },
    note: { type: ['string', 'null'] },
  },
};

function bakery({ sent = ORDER, read = ORDER, call = {} }: { sent?: Node; read?: Node; call?: Node } = {}): Node {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  return {
    paths: {
      '/orders': {
        post: {
          operationId: 'order',
          parameters: [{ in: 'query', name: 'dry', schema: { type: 'boolean' } }],
          requestBody: { content: content('Sent') },
          responses: { 200: { content: content('Read') } },
          ...call,
        },
      },
    },
    components: { schemas: { Sent: sent, Read: read } },
  };
}

const withField = (name: string, schema: Node, required = ORDER.required) => ({
  ...ORDER,
  required,
  properties: { ...ORDER.properties, [name]: schema },
});
const without = (name: string) => ({
  ...ORDER,
  properties: Object.fromEntries(Object.entries(ORDER.properties).filter(([field]) => field !== name)),
});

test('additions break nothing', () => {
  const more = withField('gift', { type: 'boolean' });
  const kinds = withField('kind', { type: 'string', enum: ['bread', 'cake', 'pie'] });
  for (const schema of [more, kinds])
    expect(breakingChanges(bakery(), bakery({ sent: schema, read: schema }))).toEqual([]);
  const wider = withField('amount', { type: ['string', 'number'], maxLength: 20 });
  expect(breakingChanges(bakery(), bakery({ sent: wider }))).toEqual([]);
  const closed = { ...ORDER, additionalProperties: false };
  expect(breakingChanges(bakery({ read: closed }), bakery())).toEqual([]);
});

test.each([
  ['a call that is gone', { paths: {} }, 'POST /orders: the call is gone'],
  ['a renamed call', bakery({ call: { operationId: 'buy' } }), 'operationId order is now buy'],
  ['a parameter that is gone', bakery({ call: { parameters: [] } }), 'query dry is gone'],
  [
    'a new required parameter',
    bakery({ call: { parameters: [{ in: 'query', name: 'dry', required: true, schema: { type: 'boolean' } }] } }),
    'query dry is now required',
  ],
  ['an answer that is gone', bakery({ call: { responses: { 201: {} } } }), '200: the answer is gone'],
  ['a field of an answer that is gone', bakery({ read: without('note') }), '200.note: the field is gone'],
  ['a field of a request that is gone', bakery({ sent: without('note') }), 'body.note: the field is gone'],
  [
    'a new required field of a request',
    bakery({ sent: withField('gift', { type: 'boolean' }, ['amount', 'gift']) }),
    'body.gift: the field is now required',
  ],
  [
    'a field that may be missing from an answer',
    bakery({ read: { ...ORDER, required: [] } }),
    '200.amount: the field is no longer always there',
  ],
  [
    'fewer values in a request',
    bakery({ sent: withField('kind', { type: 'string', enum: ['bread'] }) }),
    'body.kind: cake is no longer accepted',
  ],
  [
    'a narrower request',
    bakery({ sent: withField('amount', { type: 'string', maxLength: 5 }) }),
    'body.amount: maxLength is now 5',
  ],
  [
    'null in an answer',
    bakery({ read: withField('amount', { type: ['string', 'null'] }) }),
    '200.amount: the type string is now string, null',
  ],
  [
    'no null in a request',
    bakery({ sent: withField('note', { type: 'string' }) }),
    'body.note: the type string, null is now string',
  ],
])('%s breaks clients', (_, current, change) => {
  expect(breakingChanges(bakery(), current)).toEqual([expect.stringContaining(change)]);
});
