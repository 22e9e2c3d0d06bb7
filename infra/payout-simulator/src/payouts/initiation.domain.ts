import * as z from 'zod/mini';
import { findNetwork, isMobileOf, type Network, type NetworkState } from '#networks/network.domain.ts';

export type Kind = 'payout' | 'remittance';

const DUPLICATE = 'duplicate metadata field';
const name = z.string().check(z.minLength(1), z.maxLength(64));

const Metadata = z.array(z.record(z.string(), z.union([z.string(), z.boolean()]))).check(
  z.maxLength(10),
  z.refine((items) => items.every((item) => fieldsOf(item).length === 1)),
  z.refine((items) => new Set(items.flatMap(fieldsOf)).size === items.length, { error: DUPLICATE }),
);

function fieldsOf(item: Record<string, unknown>): string[] {
  return Object.keys(item).filter((field) => field !== 'isPII');
}

const accountDetails = z.strictObject({ phoneNumber: z.string(), provider: z.string() });
const shared = {
  amount: z.string().check(z.minLength(1), z.maxLength(23)),
  currency: z.string(),
  customerMessage: z.optional(z.string().check(z.regex(/^[a-zA-Z0-9 ]{4,22}$/))),
  clientReferenceId: z.optional(z.string().check(z.minLength(1), z.maxLength(400))),
  metadata: z.optional(Metadata),
};

const Payout = z.strictObject({
  ...shared,
  payoutId: z.uuidv4(),
  recipient: z.strictObject({ type: z.literal('MMO'), accountDetails }),
});

const PURPOSES =
  'FAMILY_SUPPORT MEDICAL_EXPENSES TUITION_FEES EDUCATION_SUPPORT GIFT_AND_OTHER_DONATIONS HOME_IMPROVEMENT DEBT_SETTLEMENT REAL_ESTATE TAXES SALARY SAVINGS PERSONAL_TRANSFER OTHER';
const SOURCES = 'SALARY SAVINGS LOTTERY LOAN BUSINESS_INCOME GIFT OTHER';

const Remittance = z.strictObject({
  ...shared,
  remittanceId: z.uuidv4(),
  recipient: z.strictObject({
    type: z.literal('MMO'),
    accountDetails,
    recipientDetails: z.strictObject({ firstName: name, lastName: name }),
  }),
  sender: z.object({
    transactionDetails: z.looseObject({
      transactionReference: name,
      purposeOfFunds: z.enum(PURPOSES.split(' ')),
      sourceOfFunds: z.enum(SOURCES.split(' ')),
    }),
    senderDetails: z.looseObject({
      firstName: name,
      lastName: name,
      nationality: z.string(),
      phoneNumber: z.string(),
      address: z.looseObject({ country: z.string() }),
      identification: z.looseObject({
        type: z.enum(['NATIONAL_ID', 'PASSPORT', 'DRIVING_LICENSE', 'SOCIAL_SECURITY_ID', 'RESIDENCE_PERMIT']),
        number: z.string(),
      }),
    }),
  }),
});

const SCHEMAS = { payout: Payout, remittance: Remittance };
const AMOUNT = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/** A parsed request. */
export interface Initiation {
  kind: Kind;
  id: string;
  amount: string;
  msisdn: string;
  network: Network;
  request: Record<string, unknown>;
}

/** `status` 400: the request is malformed. 200: it is well-formed, and rejected. */
export interface Refusal {
  status: 200 | 400;
  code: string;
  message: string;
  id?: string;
}

/** Parses a request, or says why it is rejected. */
export function readInitiation(
  kind: Kind,
  body: unknown,
  stateOf: (network: string) => NetworkState,
): Initiation | Refusal {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    return { status: 400, code: 'INVALID_INPUT', message: 'The body is not a JSON object' };
  }
  const parsed = SCHEMAS[kind].safeParse(body, { reportInput: true });
  if (!parsed.success) return toRefusal(parsed.error.issues[0]);
  const { amount, currency, recipient, ...rest } = parsed.data;
  const id = ('payoutId' in rest ? rest.payoutId : rest.remittanceId).toLowerCase();
  const { phoneNumber: msisdn, provider } = recipient.accountDetails;
  const network = findNetwork(provider);
  const refuse = (code: string, message: string): Refusal => ({ status: 200, code, message, id });
  if (!network) return refuse('INVALID_PROVIDER', `There is no provider ${provider}`);
  if (currency !== network.currency) return refuse('INVALID_CURRENCY', `${provider} does not pay ${currency}`);
  if (!isMobileOf(network.country, msisdn)) {
    return refuse('INVALID_PHONE_NUMBER', `${msisdn} is not a number of ${provider}`);
  }
  const problem = problemOfAmount(amount, network, stateOf(provider));
  if (problem) return refuse(problem, `The amount ${amount} is not possible for ${provider}`);
  if (stateOf(provider).status === 'CLOSED') return refuse('PROVIDER_TEMPORARILY_UNAVAILABLE', `${provider} is closed`);
  return { kind, id, amount, msisdn, network, request: body as Record<string, unknown> };
}

function toRefusal(issue: z.core.$ZodIssue | undefined): Refusal {
  const path = issue?.path.join('.') ?? '';
  const message = `${path || 'body'}: ${issue?.message ?? 'invalid'}`;
  if (issue?.message === DUPLICATE) return { status: 400, code: 'DUPLICATE_METADATA_FIELD', message };
  if (issue?.code === 'unrecognized_keys') return { status: 400, code: 'UNSUPPORTED_PARAMETER', message };
  if (issue && issue.code !== 'custom' && issue.input === undefined) {
    return { status: 400, code: 'MISSING_PARAMETER', message };
  }
  return { status: 400, code: 'INVALID_PARAMETER', message };
}

function problemOfAmount(amount: string, network: Network, state: NetworkState): string | undefined {
  const match = AMOUNT.exec(amount);
  if (!match || (match[2]?.length ?? 0) > network.decimals || Number(amount) === 0) return 'INVALID_AMOUNT';
  const isInBounds = minor(amount) >= minor(state.minAmount) && minor(amount) <= minor(state.maxAmount);
  return isInBounds ? undefined : 'AMOUNT_OUT_OF_BOUNDS';
}

/** A decimal string in minor units; further decimals are cut off. */
export function minor(amount: string): bigint {
  const [units = '0', cents = ''] = amount.split('.');
  return BigInt(units + cents.padEnd(2, '0').slice(0, 2));
}
