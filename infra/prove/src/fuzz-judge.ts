import type { Schema } from './fuzz-values.ts';
import { type Secrets, secretsIn } from './secrets.ts';

export interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; schema?: Schema }[];
  body?: Schema;
  /** The statuses in the API description. */
  documented: string[];
}

export interface Outcome {
  /** 0 if no answer arrived. */
  status: number;
  text: string;
  headers: Headers;
  /** Why no answer arrived. */
  failure?: string;
}

/** Patterns that a public answer must never contain. The fuzzer sends nothing that matches them. */
const INTERNALS: readonly [string, RegExp][] = [
  ['a stack trace', /\n\s+at .+:\d+:\d+/],
  ['a path of our files', /node_modules|file:\/\/|\/(?:work|usr|home|tmp|app|services|packages)\/[\w./-]+\.[jt]s/],
  ['a database error', /syntax error at|violates \w+[\w ]* constraint|relation \\?"|SQLSTATE|duplicate key|pg_\w+\(/i],
  ['an internal address', /127\.0\.0\.1:\d+|localhost:\d+|ECONNREFUSED|ENOTFOUND|\/internal\//],
  ['a runtime error', /Cannot read propert|is not a function|undefined \(reading|Unexpected token/],
];
const KEYS_OF_ERRORS = ['error', 'code', 'reason', 'params', 'requestId', 'issues'];

interface Asked {
  operation: Operation;
  secrets: Secrets;
  cookies: readonly { value: string }[];
  /** The product's own port, which its answers may contain. */
  port: string;
}

/** The faults of an answer; empty if it is correct. */
export function judge(outcome: Outcome, { operation, secrets, cookies, port }: Asked): string[] {
  const { status, text, failure } = outcome;
  if (failure) return [failure.startsWith('TimeoutError') ? 'no answer within 10 s' : `no answer: ${failure}`];
  const found = secretsIn({ place: '', text }, secrets)
    .filter((what) => !(what === 'an API key' && isIssue(operation, status)))
    .map((what) => `tells ${what}`);
  if (cookies.some(({ value }) => value && text.includes(value))) found.push('contains a cookie');
  if (text.includes('vukaPolluted')) found.push('applies a prototype that was sent');
  return status < 400 ? [...found, ...judgeSuccess(status, operation)] : [...found, ...judgeError(outcome, port)];
}

/** The only answer that contains a key, sent to the administrator who issued it. */
function isIssue({ method, path }: Operation, status: number): boolean {
  return status === 201 && method === 'POST' && path === '/api/admin/api-keys';
}

function judgeSuccess(status: number, { documented }: Operation): string[] {
  const isDocumented = documented.some((each) => each === String(status) || each === 'default' || each === '2XX');
  return isDocumented || status === 304 ? [] : [`answers ${status}, which the API description does not list`];
}

function judgeError({ status, text, headers }: Outcome, port: string): string[] {
  const told = text.replaceAll(`localhost:${port}`, '');
  const found = INTERNALS.filter(([, shape]) => shape.test(told)).map(([what]) => `tells ${what} with ${status}`);
  if (status === 500) found.push('answers 500');
  if (status === 503 && !(Number(headers.get('retry-after')) > 0)) found.push('answers 503 without Retry-After');
  return [...found, ...misshapen(status, text, headers)];
}

function misshapen(status: number, text: string, headers: Headers): string[] {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return [`answers ${status} with something other than JSON`];
  }
  const isShaped = typeof body.error === 'string' && typeof body.code === 'string';
  if (!isShaped) return [`answers ${status} without the common error shape`];
  if (body.requestId !== headers.get('x-request-id')) return [`answers ${status} without its request id`];
  if (body.code === 'internal_error' && status !== 500) return [`answers internal_error with ${status}`];
  const strange = Object.keys(body).filter((key) => !KEYS_OF_ERRORS.includes(key) && !isDetail(key));
  return strange.length > 0 ? [`answers ${status} with ${strange.join(', ')} next to the error`] : [];
}

/** Some refusals have details: the new price, how long to wait. */
const isDetail = (key: string): boolean => /^[a-z]\w+$/i.test(key) && !/stack|cause|sql|query|trace/i.test(key);
