import { traced, traceparentOf } from '@vuka/service-kit/tracing';
import type {
  CallbackRequest,
  CallbackResult,
  PayoutProvider,
  ProviderCall,
  RecordCall,
  SubmitResult,
} from '../payout-provider.ts';
import {
  checkCoverage,
  checkSignature,
  isDigestOf,
  parseSignature,
  type Refusal,
  signatureBase,
} from './http-signature.ts';
import { cutBody, maskBody, maskText } from './mask.ts';
import { failureOf, initiationBody, type PawapayProduct, PRODUCTS } from './pawapay.domain.ts';
import { readCallbackBody, readInitiation, readStatus } from './pawapay-answers.ts';
import { readBalances } from './pawapay-balances.ts';
import { createPawapayHttp, type Exchange, parseJson } from './pawapay-http.ts';
import { readPawapayStatement } from './pawapay-statement.ts';
import { createPublicKeys, type PublicKeys } from './public-keys.ts';

const ID = 'pawapay';

export interface PawapayOptions {
  baseUrl: string;
  token: string;
  product: PawapayProduct;
  /**
   * The host that pawaPay calls, as it signs it. Without it a signature may be of a callback to somebody else: it proves
   * nothing, and where signatures are required every callback is refused.
   */
  callbackAuthority?: string | undefined;
  signedCallbacks: boolean;
  timeoutMs?: number;
  now?: () => number;
}

/** pawaPay's Merchant API, version 2. */
export function createPawapayProvider(options: PawapayOptions): PayoutProvider {
  const { token, product, now = Date.now } = options;
  const { path } = PRODUCTS[product];
  const http = createPawapayHttp({
    baseUrl: options.baseUrl,
    token,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  const keys = createPublicKeys(http, now);
  const toCall = ({ operation, method, exchange, body }: Exchanged): ProviderCall => ({
    provider: ID,
    operation,
    url: exchange.url,
    requestMethod: method,
    requestBody: body === undefined ? null : toLoggedBody(body, token),
    responseBody:
      'answer' in exchange ? toLoggedBody(exchange.answer.text, token) : { error: withoutToken(exchange.error, token) },
    responseStatus: 'answer' in exchange ? exchange.answer.status : null,
    success: 'answer' in exchange && exchange.answer.status === 200,
  });

  /** A request that never left is not recorded as a call. */
  const recordCall = (record: RecordCall, exchanged: Exchanged, changes: Partial<ProviderCall> = {}) => {
    const { exchange } = exchanged;
    if ('answer' in exchange || exchange.isSent) record({ ...toCall(exchanged), ...changes });
  };

  return {
    id: ID,
    prepare: (request) => initiationBody(product, request),
    async submit(clientPayoutId, body, record, isTooLate) {
      const transferId = transferOf(body);
      const traceparent = traceparentOf(transferId);
      const send = () => http.request('POST', path, { body, isTooLate, traceparent });
      const exchange = await traced(transferId, { name: 'ask the provider: pay', kind: 'client' }, send);
      const result = 'answer' in exchange ? readInitiation(clientPayoutId, exchange.answer) : unanswered(exchange);
      const success = result.kind === 'accepted' || result.kind === 'duplicate';
      recordCall(record, { operation: `${product}.initiate`, method: 'POST', exchange, body }, { success });
      return result;
    },
    async status(clientPayoutId, record) {
      const exchange = await http.request('GET', `${path}/${encodeURIComponent(clientPayoutId)}`);
      recordCall(record, { operation: `${product}.status`, method: 'GET', exchange });
      return 'answer' in exchange
        ? readStatus(clientPayoutId, exchange.answer)
        : { kind: 'ambiguous', reason: exchange.error };
    },
    readFailure: failureOf,
    async readCallback(callback, record) {
      const reason = await refusalOf(callback, { ...options, keys, now });
      const isUnsigned = reason === 'no_signature' && !options.signedCallbacks;
      if (reason && !isUnsigned) return refuse(reason);
      const result = readReport(callback, !isUnsigned && options.callbackAuthority !== undefined);
      recordCallback(callback, { result, operation: `${product}.callback`, token }, record);
      return result;
    },
    statement: (period, needs, record) =>
      readPawapayStatement(
        {
          http,
          baseUrl: options.baseUrl,
          onExchange: (operation, method, exchange, body) => recordCall(record, { operation, method, exchange, body }),
        },
        period,
        needs,
      ),
    async balances() {
      const exchange = await http.request('GET', '/v2/wallet-balances');
      return 'answer' in exchange ? readBalances(exchange.answer) : { kind: 'unavailable', reason: exchange.error };
    },
    close: () => http.close(),
  };
}

interface Exchanged {
  operation: string;
  method: string;
  exchange: Exchange;
  body?: string | undefined;
}

function unanswered({ isSent, error }: { isSent: boolean; error: string }): SubmitResult {
  return { kind: isSent ? 'ambiguous' : 'not_sent', reason: error };
}

interface VerifyOptions {
  keys: PublicKeys;
  callbackAuthority?: string | undefined;
  signedCallbacks: boolean;
  now: () => number;
}

/**
 * Why a signature proves nothing; undefined if it is valid. A signed callback is verified even if signatures are
 * optional. The cheapest checks come first, then those that may have to fetch the provider's keys: without a fresh,
 * complete signature by a known key, no body is hashed and no signature is verified.
 */
async function refusalOf(
  callback: CallbackRequest,
  options: VerifyOptions,
): Promise<Refusal | 'wrong_method' | 'keys_unavailable' | undefined> {
  if (callback.method !== 'POST') return 'wrong_method';
  const headers = Object.fromEntries(
    Object.entries(callback.headers).map(([name, text]) => [name.toLowerCase(), text]),
  );
  const parsed = parseSignature(headers);
  if (typeof parsed === 'string') return parsed;
  const refusal = checkCoverage(parsed, Math.floor(options.now() / 1_000));
  if (refusal) return refusal;
  const key = await options.keys.find(parsed.keyId);
  if (!key) return 'unknown_key';
  if (key === 'unavailable') return 'keys_unavailable';
  if (!isDigestOf(headers['content-digest'] ?? '', callback.rawBody)) return 'bad_digest';
  const message = { ...callback, headers, authority: authorityOf(headers, options) };
  const base = signatureBase(message, parsed);
  return 'refusal' in base ? base.refusal : checkSignature(base.text, parsed, key);
}

/** When signatures are required, the caller's Host header is ignored. */
function authorityOf(headers: Record<string, string>, options: VerifyOptions): string {
  const fallback = options.signedCallbacks ? '' : (headers.host ?? '');
  return withoutDefaultPort(options.callbackAuthority ?? fallback);
}

function withoutDefaultPort(authority: string): string {
  return authority.replace(/:(80|443)$/, '');
}

function readReport(callback: CallbackRequest, isTrusted: boolean): CallbackResult {
  const report = readCallbackBody(parseJson(callback.rawBody.toString('utf8')));
  return report ? { ok: true, isTrusted, reports: [report], answer: { status: 200 } } : refuse('malformed_body');
}

/** 503 asks the provider to try again later, when the keys may be available; other refusals are final. */
function refuse(reason: string): CallbackResult {
  const status = reason === 'keys_unavailable' ? 503 : reason === 'malformed_body' ? 400 : 401;
  return { ok: false, reason, answer: { status } };
}

function recordCallback(
  callback: CallbackRequest,
  { result, operation, token }: { result: CallbackResult; operation: string; token: string },
  record: RecordCall,
): void {
  record({
    provider: ID,
    operation,
    url: callback.path,
    requestMethod: callback.method,
    requestBody: toLoggedBody(callback.rawBody.toString('utf8'), token),
    responseBody: result.ok ? null : { refused: result.reason },
    responseStatus: result.answer.status,
    success: result.ok,
  });
}

function toLoggedBody(text: string, token: string): unknown {
  const clean = withoutToken(text, token);
  const json = parseJson(clean);
  return cutBody(json === undefined ? maskText(clean) : maskBody(json));
}

function withoutToken(text: string, token: string): string {
  return text.replaceAll(token, '***');
}

/** The transfer that a stored request is about. */
const transferOf = (body: string) => /"clientReferenceId":"([^"]+)"/.exec(body)?.[1];
