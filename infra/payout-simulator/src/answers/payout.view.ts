import { COUNTRIES } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { countryOf } from '@vuka/money/directions';
import type { PayoutRow } from '#db/schema.ts';
import { type Effect, findEffect, textOf } from '#effects/effect.domain.ts';

const WRONG_NUMBER = `${COUNTRIES[countryOf(WALLET_CURRENCIES[0])].callingCode}700000000`;

/** pawaPay's name for the id of each kind. */
export const ID_FIELDS = { payout: 'payoutId', remittance: 'remittanceId' } as const;

const MESSAGES: Readonly<Record<string, string>> = {
  RECIPIENT_NOT_FOUND: 'The phone number does not belong to the provider',
  RECIPIENT_LIMIT_REACHED: 'The recipient has reached a limit on transactions',
  WALLET_LIMIT_REACHED: 'The recipient has reached the limit of the wallet',
  MANUALLY_CANCELLED: 'The payout was cancelled while it was enqueued',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'The balance of the wallet is too low',
  UNSPECIFIED_FAILURE: 'The provider gave no reason',
};

export function failureReason(code: string, message = MESSAGES[code] ?? code) {
  return { failureReason: { failureCode: code, failureMessage: message } };
}

/** The payout in the form of a status inquiry's answer. */
export function toPayout(row: PayoutRow): Record<string, unknown> {
  const { request } = row;
  return {
    [ID_FIELDS[row.kind]]: row.id,
    status: row.status,
    amount: amountOf(row),
    currency: row.currency,
    country: row.country,
    recipient: request.recipient,
    ...(request.sender ? { sender: request.sender } : {}),
    ...(request.customerMessage ? { customerMessage: request.customerMessage } : {}),
    ...(request.clientReferenceId ? { clientReferenceId: request.clientReferenceId } : {}),
    created: row.created_at.toISOString(),
    ...(row.provider_reference ? { providerTransactionId: row.provider_reference } : {}),
    ...(row.failure_code ? failureReason(row.failure_code) : {}),
    ...(request.metadata ? { metadata: flatten(request.metadata) } : {}),
  };
}

function amountOf(row: PayoutRow): string {
  if (!findEffect(row.effects, 'amount_format')) return row.amount;
  const [units, cents = ''] = row.amount.split('.');
  return `${units}.${cents.padEnd(4, '0')}`;
}

function flatten(metadata: unknown): Record<string, unknown> {
  const items = metadata as Record<string, unknown>[];
  return Object.fromEntries(items.flatMap((item) => Object.entries(item).filter(([name]) => name !== 'isPII')));
}

/** The payout in the form of a callback, with a scenario's errors. */
export function toCallback(row: PayoutRow, effects: readonly Effect[]): Record<string, unknown> {
  const { clientReferenceId: _, ...reported } = toPayout(row);
  const recipient = row.request.recipient as { accountDetails: Record<string, unknown> };
  const wrong = (name: Parameters<typeof findEffect>[1]) => findEffect(effects, name);
  return {
    ...reported,
    ...(wrong('wrong_amount') ? { amount: textOf(wrong('wrong_amount'), 'amount', `1${row.amount}`) } : {}),
    ...(wrong('wrong_currency') ? { currency: WALLET_CURRENCIES.find((other) => other !== row.currency) } : {}),
    ...(wrong('wrong_id') ? { [ID_FIELDS[row.kind]]: '00000000-0000-4000-8000-000000000000' } : {}),
    ...(wrong('unknown_status') ? { status: 'TELEPORTED' } : {}),
    ...lieOf(effects),
    ...(wrong('wrong_msisdn')
      ? { recipient: { ...recipient, accountDetails: { ...recipient.accountDetails, phoneNumber: WRONG_NUMBER } } }
      : {}),
  };
}

/** Effects by which somebody else has a callback say what is false. The provider itself signs what another customer has it send. */
const LIARS = ['forged_signature', 'unsigned', 'of_another_customer'] as const;

/** The false status in such a callback, if the parameter `says` names one. */
function lieOf(effects: readonly Effect[]): Record<string, unknown> {
  const liar = LIARS.map((name) => findEffect(effects, name)).find((effect) => effect !== undefined);
  const says = textOf(liar, 'says', '');
  if (says === '') return {};
  return says === 'FAILED' ? { status: says, ...failureReason('RECIPIENT_NOT_FOUND') } : { status: says };
}
