import * as z from 'zod/mini';
import type { PayoutReport, StatusResult, SubmitResult } from '../payout-provider.ts';
import { failureOf, MAX_CODE, stateOf } from './pawapay.domain.ts';
import type { Answer } from './pawapay-http.ts';

const FailureFields = {
  failureReason: z.optional(z.object({ failureCode: z.string(), failureMessage: z.optional(z.string()) })),
  /** Version 1's name, still used in some examples of version 2. */
  rejectionReason: z.optional(z.object({ rejectionCode: z.string() })),
};
const IdFields = { payoutId: z.optional(z.uuid()), remittanceId: z.optional(z.uuid()) };

const Initiated = z.object({ ...IdFields, ...FailureFields, status: z.optional(z.string()) });

const Payout = z.object({
  ...IdFields,
  ...FailureFields,
  status: z.string(),
  amount: z.optional(z.string()),
  currency: z.optional(z.string()),
  recipient: z.optional(z.object({ accountDetails: z.optional(z.object({ phoneNumber: z.optional(z.string()) })) })),
  providerTransactionId: z.optional(z.string()),
});

const Status = z.union([
  z.object({ status: z.literal('FOUND'), data: Payout }),
  z.object({ status: z.literal('NOT_FOUND') }),
]);

/** HTTP statuses that refuse this request; they say nothing about an earlier one with the same id. */
const REFUSED = [400, 401, 403];

/** Reads what the answer to an initiation proves. */
export function readInitiation(clientPayoutId: string, answer: Answer): SubmitResult {
  const parsed = Initiated.safeParse(answer.json);
  if (!parsed.success) return { kind: 'ambiguous', reason: describe(answer) };
  const code = codeOf(parsed.data);
  const failure = code === undefined ? undefined : failureOf(code);
  if (REFUSED.includes(answer.status)) {
    if (failure && failure.class !== 'unspecified') return { kind: 'rejected', failure };
    // Without a code, 401 and 403 refuse us and not this payout: the operator can mend that.
    return code === undefined && answer.status !== 400
      ? { kind: 'ambiguous', reason: describe(answer) }
      : unclear(answer, code);
  }
  if (answer.status !== 200) return { kind: 'ambiguous', reason: describe(answer, code) };
  if (idOf(parsed.data) !== clientPayoutId)
    return { kind: 'ambiguous', reason: 'the answer is about another payout, or none' };
  switch (parsed.data.status) {
    case 'ACCEPTED':
      return { kind: 'accepted', state: 'accepted' };
    case 'DUPLICATE_IGNORED':
      return { kind: 'duplicate' };
    case 'REJECTED':
      return failure ? { kind: 'rejected', failure } : unclear(answer, code);
    default:
      return { kind: 'ambiguous', reason: `answered ${String(parsed.data.status)}` };
  }
}

/** A refusal that proves nothing: its code is not documented, or names no reason, or there is none. */
function unclear(answer: Answer, code: string | undefined): SubmitResult {
  const reason = describe(answer, code);
  const isUndocumented = code !== undefined && failureOf(code) === undefined;
  return { kind: 'ambiguous', reason, unknownFailure: (isUndocumented ? code : reason).slice(0, MAX_CODE) };
}

/** Reads what the answer to a status inquiry proves. */
export function readStatus(clientPayoutId: string, answer: Answer): StatusResult {
  const parsed = Status.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) return { kind: 'ambiguous', reason: describe(answer) };
  if (parsed.data.status === 'NOT_FOUND') return { kind: 'not_found' };
  const report = toReport(parsed.data.data);
  if (report?.clientPayoutId !== clientPayoutId) {
    return { kind: 'ambiguous', reason: 'the answer is about another payout, or none' };
  }
  return { kind: 'found', report };
}

/** The report in a callback's body; undefined if the body has none. */
export function readCallbackBody(body: unknown): PayoutReport | undefined {
  const parsed = Payout.safeParse(body);
  return parsed.success ? toReport(parsed.data) : undefined;
}

function toReport(payout: z.infer<typeof Payout>): PayoutReport | undefined {
  const clientPayoutId = idOf(payout);
  if (!clientPayoutId) return undefined;
  const msisdn = payout.recipient?.accountDetails?.phoneNumber;
  return {
    clientPayoutId,
    ...stateOf(payout.status, codeOf(payout)),
    ...(payout.providerTransactionId === undefined ? {} : { providerReference: payout.providerTransactionId }),
    ...(payout.amount === undefined ? {} : { amount: payout.amount }),
    ...(payout.currency === undefined ? {} : { currency: payout.currency }),
    ...(msisdn === undefined ? {} : { msisdn }),
  };
}

function idOf(body: { payoutId?: string | undefined; remittanceId?: string | undefined }): string | undefined {
  return (body.payoutId ?? body.remittanceId)?.toLowerCase();
}

function codeOf(body: z.infer<typeof Initiated>): string | undefined {
  return body.failureReason?.failureCode ?? body.rejectionReason?.rejectionCode;
}

function describe(answer: Answer, code?: string): string {
  return `answered ${answer.status}${code ? ` ${code.slice(0, 60)}` : ''}${answer.json === undefined ? ', not JSON' : ''}`;
}
