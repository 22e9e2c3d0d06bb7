import type { Payment } from '@vuka/local/testing/booked';
import { readRecord } from './record-file.ts';

/** A request to pay, as it reached the provider, in the provider's spelling. */
export interface Asked {
  /** The payout's id. */
  id: string;
  /** The transfer that it names. */
  transferId: string;
  msisdn: string;
  amount: string;
  currency: string;
  /** When the recorder stored it, ms. */
  atMs: number;
  /** Whether the provider refused the payment. */
  isRefused: boolean;
}

/** What a payout pays, by its id. */
export type Figures = Pick<Payment, 'id' | 'msisdn' | 'amount' | 'currency'>;

/** The traffic between the product and the provider, recorded outside both. */
export interface ProviderRecord {
  /** Every request to pay, repeats included. */
  asked: Asked[];
  /** When the provider was asked about payouts and said that it did not know them, by payout, ms. */
  denials: Map<string, number[]>;
  /** Every payment, once, in the order in which they were recorded. */
  payments: Payment[];
  /** Each callback that a payout was completed and that the product answered with 200, repeats included. */
  completions: Figures[];
}

type Line = {
  at: string;
  what: string;
  exchange?: number;
  method?: string;
  path?: string;
  status?: number;
  body?: string;
} & Partial<Payment & { reference: string }>;

const PAY = '/v2/payouts';

export async function readProviderRecord(file: string): Promise<ProviderRecord> {
  const lines = await readRecord<Line>(file);
  const requests = lines.filter(({ what }) => what === 'request');
  const refusals = new Set(lines.filter(isRefusal).map(({ exchange }) => exchange));
  const asked = requests
    .filter(({ method, path }) => method === 'POST' && path === PAY)
    .map(({ body = '', at, exchange }) => {
      return { ...toAsked(JSON.parse(body)), atMs: Date.parse(at), isRefused: refusals.has(exchange) };
    });
  const denied = new Map(lines.filter(isDenial).map(({ exchange, at }) => [exchange, Date.parse(at)]));
  const denials = new Map<string, number[]>();
  for (const { method, path, exchange } of requests) {
    const [id, atMs] = [path?.split(`${PAY}/`)[1], denied.get(exchange)];
    if (method === 'GET' && id && atMs) denials.set(id, [...(denials.get(id) ?? []), atMs]);
  }
  // A report is repeated if its answer was lost; a second payment has a reference of its own.
  const payments = new Map(
    lines.filter(({ what }) => what === 'payment').map((line) => [line.reference, toPayment(line)]),
  );
  return { asked, denials, payments: [...payments.values()], completions: completionsIn(lines) };
}

function completionsIn(lines: readonly Line[]): Figures[] {
  const accepted = new Set(
    lines.filter(({ what, status }) => what === 'callback answered' && status === 200).map(({ exchange }) => exchange),
  );
  const callbacks = lines.filter(({ what, exchange }) => what === 'callback' && accepted.has(exchange));
  return callbacks
    .map(({ body = '' }) => JSON.parse(body) as Report)
    .filter(({ status }) => status === 'COMPLETED')
    .map(toFigures);
}

/** Refusals that the operator can end, such as with money: the payout is sent again, and its transfer does not fail. */
const FOR_THE_OPERATOR =
  /"failureCode":"(PAWAPAY_WALLET_OUT_OF_FUNDS|NO_AUTHENTICATION|AUTHENTICATION_ERROR|AUTHORISATION_ERROR|HTTP_SIGNATURE_ERROR|(PAYOUTS|REMITTANCES)_NOT_ALLOWED)"/;

const isRefusal = ({ what, body = '' }: Line) =>
  what === 'request answered' && body.includes('"REJECTED"') && !FOR_THE_OPERATOR.test(body);

const isDenial = ({ what, body = '' }: Line) => what === 'request answered' && body.includes('"NOT_FOUND"');

/** A payout in the provider's spelling. */
interface Report {
  payoutId: string;
  status: string;
  amount: string;
  currency: string;
  recipient: { accountDetails: { phoneNumber: string } };
}

function toFigures({ payoutId: id, amount, currency, recipient }: Omit<Report, 'status'>): Figures {
  return { id, msisdn: recipient.accountDetails.phoneNumber, amount, currency };
}

function toAsked(request: Omit<Report, 'status'> & { clientReferenceId: string }): Omit<Asked, 'atMs' | 'isRefused'> {
  return { ...toFigures(request), transferId: request.clientReferenceId };
}

function toPayment({ id = '', msisdn = '', amount = '', currency = '', paidAt = '' }: Line): Payment {
  return { id, msisdn, amount, currency, paidAt };
}
