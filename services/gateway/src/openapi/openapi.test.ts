import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, test } from 'vitest';
import { breakingChanges } from './breaking-changes.ts';
import { describeApi } from './describe-api.ts';
import { OPERATIONS } from './operations.ts';
import type { Node } from './schema-node.ts';

const COMMITTED = new URL('../../../../docs/openapi.json', import.meta.url);

let committed: Node;
let current: Node;

beforeAll(async () => {
  current = await describeApi();
  committed = JSON.parse(await readFile(COMMITTED, 'utf8'));
}, 60_000);

function operationsOf(document: Node): Node[] {
  return Object.values<Node>(document.paths).flatMap((item) => Object.values<Node>(item));
}

function errorOf(responses: Node, status: string): Node {
  const { $ref, ...response } = responses[status];
  return $ref ? current.components.responses[$ref.split('/').at(-1)] : response;
}

test('docs/openapi.json is what the gateway serves: run `npm run openapi` after a change of the API', () => {
  expect(current).toEqual(committed);
});

test('a body that may be left out is not required', () => {
  const bodyOf = (path: string) => current.paths[path].post.requestBody;
  expect(bodyOf('/api/admin/withdrawals/{id}/take').required).toBeUndefined();
  expect(bodyOf('/api/admin/withdrawals/{id}/refuse').required).toBe(true);
});

test('the current API breaks no client of the committed one', () => {
  expect(breakingChanges(committed, current)).toEqual([]);
});

test('the description of the API passes the recommended rules of Redocly, examples included', {
  timeout: 60_000,
}, async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'operation-4xx-response': 'error',
      'operation-operationId': 'error',
      'tag-description': 'error',
    },
  });
  const findings = await lintFromString({ source: JSON.stringify(current), config });
  expect(
    findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ).toEqual([]);
});

test('every call has a name of its own, a summary, a tag, an example and its errors', () => {
  const operations = operationsOf(current);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(Object.keys(OPERATIONS)).toHaveLength(operations.length);
  for (const { operationId, summary, tags, requestBody, responses } of operations) {
    const json = [
      requestBody,
      ...Object.entries<Node>(responses).flatMap(([status, answer]) => (status[0] === '2' ? answer : [])),
    ]
      .map((part) => part?.content?.['application/json'])
      .filter((media) => media !== undefined);
    expect({
      operationId,
      summary: typeof summary,
      tags: tags?.length,
      examples: json.every(({ example }) => example !== undefined),
    }).toEqual({ operationId, summary: 'string', tags: 1, examples: true });
    for (const status of ['400', '429', '500', '503', 'default'])
      expect(Object.keys(errorOf(responses, status).content), `${operationId} ${status}`).toEqual(['application/json']);
  }
});

test('bodies and answers are named schemas, so that generated clients have types with names', () => {
  const bodies = operationsOf(current).flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, responses['200'], responses['201'], responses['202']]
      .map((part) => part?.content?.['application/json']?.schema)
      .filter((schema) => schema !== undefined)
      .map((schema) => ({ operationId, isNamed: (schema.items ?? schema).$ref !== undefined })),
  );
  // An export is written piece by piece, a file for people.
  const without = bodies.filter(({ isNamed }) => !isNamed).map(({ operationId }) => operationId);
  expect(without).toEqual(['exportAccount', 'exportMerchant']);
  expect(current.components.schemas).toHaveProperty('Receipt');
});

test('no answer is closed against fields that are added later', () => {
  expect(JSON.stringify(current)).not.toContain('"additionalProperties":false');
});

test('the schema of errors names the fields that some of them add, and their examples have them', () => {
  const { components } = current;
  expect(components.schemas.ErrorBody.properties).toMatchObject({
    attemptsLeft: { type: 'integer' },
    price: { $ref: '#/components/schemas/WithdrawalPrice' },
    quote: { $ref: '#/components/schemas/Quote' },
  });
  expect(components.examples.invalid_pin.value).toMatchObject({ attemptsLeft: 4 });
  expect(components.examples.fee_changed.value).toMatchObject({ price: { amount: '1000.00', total: '1035.00' } });
  expect(components.examples.rate_changed.value).toMatchObject({ quote: { rate: '23.03' } });
});

test('every field of an example has a sample of its own, and those of a transfer fit together', () => {
  expect(JSON.stringify(current.paths)).not.toMatch(/karibu/i);
  const exampleOf = (path: string, method: string, status: number) =>
    current.paths[path][method].responses[status].content['application/json'].example;
  expect(exampleOf('/api/quotes', 'post', 201)).toMatchObject({
    direction: 'KES_TO_TZS',
    rate: '23.03',
    sourceAmount: '1000.00',
    sourceCurrency: 'KES',
    targetAmount: '23030.00',
    targetCurrency: 'TZS',
  });
  const amounts = { source_amount: '1000.00', target_amount: '23030.00', target_currency: 'TZS', status_reason: null };
  const { transaction: made } = exampleOf('/api/transactions/create', 'post', 201);
  expect(made).toMatchObject({ ...amounts, status: 'PENDING', updated_at: made.created_at });
  const { transaction: settled } = exampleOf('/api/transactions/{id}', 'get', 200);
  expect(settled).toMatchObject({ ...amounts, status: 'SETTLED', metadata: { transactionType: 'DEBIT' } });
  for (const transaction of [made, settled]) expect(transaction).not.toHaveProperty('status_reason_codes');
});

test('the errors of the feed are JSON, though its answer is a stream of events', () => {
  const { responses } = current.paths['/api/feed/transfers'].get;
  expect(Object.keys(responses['200'].content)).toEqual(['text/event-stream']);
  for (const status of ['400', '401', '429', '503'])
    expect(errorOf(responses, status).content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ErrorBody',
    });
});

test('no call promises that nothing was done when it answers 503, which may come before the work ends', () => {
  const promises = operationsOf(current)
    .map(({ responses }) => errorOf(responses, '503').description)
    .filter(
      (description) => /nothing was done/i.test(description) || !/same id or `Idempotency-Key`/.test(description),
    );
  expect(promises).toEqual([]);
});
