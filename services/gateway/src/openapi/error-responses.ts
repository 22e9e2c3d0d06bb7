import { ERROR_STATUS, type ErrorCode } from '@vuka/contracts/error-codes';
import { ID } from './sample-values.ts';
import { sampleOf } from './samples.ts';
import { type Node, PLACE_OF_SCHEMAS } from './schema-node.ts';

/** What each error code means to a program. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  validation_failed: 'A field is missing or not allowed; `issues` names each',
  unauthenticated: 'No session or key, or one that has ended',
  invalid_credentials: 'Wrong email or PIN',
  invalid_pin: 'Wrong PIN; it counts towards the lock. `attemptsLeft`, if present, says how many are left',
  account_blocked: 'The account is blocked',
  forbidden: 'The role does not allow this, or the request comes from another site',
  step_up_required: 'Give the PIN to /api/admin/step-up, then repeat the call',
  pin_required: 'This change needs `pin` in the body',
  not_found: 'It does not exist, or belongs to someone else',
  email_taken: 'An account with this email exists',
  idempotency_conflict: 'The key was used for a different request',
  rate_changed:
    'The price differs from the one in the request; `quote` has the current one. This request took no money. Order ' +
    'again with the same id: `idempotency_conflict` then means that an earlier request was accepted after all',
  not_retryable: 'The transfer has ended, or waits for a person',
  fee_changed:
    'The fee differs from the one in the request; `price` has the current one. This request took no money. Order ' +
    'again with the same id: `idempotency_conflict` then means that an earlier request was accepted after all',
  already_decided: 'It has been decided, verified or begun already',
  changed_meanwhile: 'Other values than `replaces` or `seen` are in force',
  already_linked: 'It is linked already',
  account_not_empty: 'The account still has money or open transfers',
  payload_too_large: 'The body is longer than 64 KiB',
  invalid_factor: 'The passkey or code is not right',
  insufficient_funds: 'The amount and fee exceed the available balance',
  limit_exceeded: 'The amount is above a limit of the account',
  rate_unavailable: 'No rate has been set',
  too_many_attempts: 'Too many wrong PINs: the account is locked for a while',
  rate_limited: 'Too many requests',
  internal_error: 'A fault of Vuka; it is logged under `requestId`',
  unavailable:
    'A service is unavailable, overloaded or slow. What was asked for may have been done, or still be: after ' +
    '`Retry-After`, repeat it with the same id or `Idempotency-Key`',
};

/** The fields that some errors have besides the common ones. */
export const ERROR_DETAILS: Node = {
  attemptsLeft: { type: 'integer', minimum: 0, description: 'With invalid_pin: how many wrong PINs are left' },
  price: { $ref: `${PLACE_OF_SCHEMAS}WithdrawalPrice`, description: 'With fee_changed: the current price' },
  quote: { $ref: `${PLACE_OF_SCHEMAS}Quote`, description: 'With rate_changed: the current price, held for 60 s' },
};
const DETAIL_OF: Readonly<Partial<Record<ErrorCode, string>>> = {
  fee_changed: 'price',
  invalid_pin: 'attemptsLeft',
  rate_changed: 'quote',
};

/** Statuses after which a header says when to repeat the request. */
const WITH_RETRY_AFTER = new Set([429, 503]);

const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
const PLACE_OF_ERROR = `${PLACE_OF_SCHEMAS}ErrorBody`;

/** The OpenAPI responses that calls refer to: one for each status and set of codes. */
export interface ErrorResponses {
  /** The errors of a call, code by code. */
  of(refusals: Iterable<ErrorCode>): Record<string, { $ref: string }>;
  /** Every response that `of` has referred to, by its name. */
  readonly components: Record<string, object>;
}

/** Calls with the same errors share their responses: written out, they would be most of the document. */
export function createErrorResponses(): ErrorResponses {
  const components: Record<string, object> = {};
  return {
    components,
    of(refusals) {
      const given = new Set(refusals);
      const responses: Record<string, { $ref: string }> = {};
      for (const status of new Set(Object.values(ERROR_STATUS))) {
        const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status && given.has(code));
        if (ofStatus.length === 0) continue;
        const name = ofStatus.join('-or-');
        components[name] ??= describeErrors(status, ofStatus);
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
      return responses;
    },
  };
}

function describeErrors(status: number, ofStatus: ErrorCode[]): object {
  const headers = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  const examples = Object.fromEntries(ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: ofStatus.map((code) => `\`${code}\`: ${MEANINGS[code]}.`).join(' '),
    ...(WITH_RETRY_AFTER.has(status) ? { headers } : {}),
    content: { 'application/json': { schema: { $ref: PLACE_OF_ERROR }, examples } },
  };
}

/** The response for any failure whose code a client does not know: it shows `error`. */
export const ANY_FAILURE = {
  description:
    'Any failure. `error` is English text for a person; `reason` is the key of that text, finer than `code`, and ' +
    '`params` has its values. A client that does not know a code or reason shows `error`.',
  content: { 'application/json': { schema: { $ref: PLACE_OF_ERROR } } },
};

/** The parts that the errors of all calls share. */
export function describeErrorParts(schemas: Node): { headers: Node; examples: Node } {
  const headers = {
    RetryAfter: {
      description: 'Seconds after which to repeat the request',
      schema: { type: 'integer', minimum: 0 },
    },
  };
  return { headers, examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, schemas)])) };
}

function exampleOf(code: ErrorCode, schemas: Node): object {
  const detail = DETAIL_OF[code];
  const details = detail === undefined ? {} : { [detail]: sampleOf(ERROR_DETAILS[detail], { schemas }, detail) };
  return { summary: MEANINGS[code], value: { error: MEANINGS[code], code, requestId: ID, ...details } };
}
