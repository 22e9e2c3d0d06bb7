import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient, PIN, registerMerchant, verifyPhone } from '@vuka/local/testing/api-client';
import { COUNTRIES, CURRENCIES, type WalletCurrency } from '@vuka/money/corridors';
import { byCurrency, WALLET_CURRENCIES } from '@vuka/money/currencies';
import { countryOf } from '@vuka/money/directions';
import { carriersOf } from '@vuka/money/networks';
import { prefixOf } from '@vuka/money/phones';
import type { HeldQuote } from './history.ts';
import type { Random } from './random.ts';

export interface Merchant {
  client: ApiClient;
  email: string;
  pin: string;
  /** Wrong PINs sent in the current session. */
  wrongPins: number;
  /** Set while an administrator blocks the merchant, until the unblocking begins. */
  isBlocked: boolean;
  userId: string;
  /** The id by which administrators credit the merchant. */
  merchantId: string;
  /** The ids of the linked phones that they withdraw to, and the numbers of these. */
  phones: Record<WalletCurrency, string>;
  numbers: Record<WalletCurrency, string>;
  /** The linked bank accounts. */
  banks: Record<WalletCurrency, string>;
  /** The number of both bank accounts. */
  bankAccount: string;
  /** Minor units at the start. */
  funds: Record<WalletCurrency, bigint>;
  /** Quotes that they have not used yet. */
  quotes: HeldQuote[];
  random: Random;
}

/** A merchant whose number is verified, so that money sent to it arrives in their wallet; with no money at the start. */
export interface Recipient {
  client: ApiClient;
  email: string;
  phone: string;
}

/** In units of about the same worth in each currency. */
const FUNDS_RICH = 100_000;
/** Too little for their orders, which compete for the last shillings. */
const FUNDS_POOR = 2;
/** Checking PINs is bound by the processor: more registrations at once would only wait for each other. */
const REGISTERED_AT_ONCE = 4;
const REGISTRATION_TRIES = 5;

/** Converts units of about the same value in each currency to whole units of one currency. */
export const worth = (currency: WalletCurrency, units: number): number =>
  Math.round(CURRENCIES[currency].limitUnit * units);

/** Registers merchants, signed in and funded; every eighth is poor. */
export async function registerMerchants(
  address: string,
  admin: ApiClient,
  random: Random,
  count: number,
): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let first = 0; first < count; first += REGISTERED_AT_ONCE) {
    const batch = Array.from({ length: Math.min(REGISTERED_AT_ONCE, count - first) }, (_, index) =>
      registerOne(address, admin, random, first + index),
    );
    merchants.push(...(await Promise.all(batch)));
  }
  return merchants;
}

/**
 * Retries if an overloaded product refuses a step. Each attempt registers a new merchant; the one of a failed attempt
 * sends nothing.
 */
async function registerOne(address: string, admin: ApiClient, random: Random, index: number): Promise<Merchant> {
  const units = index % 8 === 7 ? FUNDS_POOR : FUNDS_RICH;
  const funds = byCurrency(WALLET_CURRENCIES, (currency) => worth(currency, units));
  for (let tries = 1; ; tries++) {
    try {
      const { client, user } = await registerMerchant(address, admin, funds);
      return {
        client,
        email: user.email,
        pin: PIN,
        wrongPins: 0,
        isBlocked: false,
        userId: user.id,
        merchantId: user.merchantData.merchantId,
        ...(await linkAccounts(client, index)),
        funds: byCurrency(WALLET_CURRENCIES, (currency) => BigInt(funds[currency]) * 100n),
        quotes: [],
        random: random.fork(`merchant ${index}`),
      };
    } catch (error) {
      if (tries === REGISTRATION_TRIES) throw error;
      await delay(1_000);
    }
  }
}

type Accounts = Pick<Merchant, 'phones' | 'numbers' | 'banks' | 'bankAccount'>;

/** A phone and a bank account in each currency's country, to withdraw to. */
async function linkAccounts(client: ApiClient, index: number): Promise<Accounts> {
  const bankAccount = `00110${index}`;
  const phones = byCurrency(WALLET_CURRENCIES, () => '');
  const [banks, numbers] = [{ ...phones }, { ...phones }];
  for (const currency of WALLET_CURRENCIES) {
    const country = countryOf(currency);
    numbers[currency] = `${prefixOf(country)}7434${String(index).padStart(3, '0')}00`;
    phones[currency] = await linkAccount(client, {
      accountType: 'mobile_money',
      accountName: 'Own phone',
      phoneNumber: numbers[currency],
      carrier: carriersOf(country)[0],
    });
    banks[currency] = await linkAccount(client, {
      accountType: 'bank',
      accountName: 'Own account',
      currency,
      bankName: 'Bank of the Coast',
      accountNumber: bankAccount,
    });
  }
  return { phones, numbers, banks, bankAccount };
}

async function linkAccount(client: ApiClient, account: object): Promise<string> {
  const { status, body } = await client.post('/api/linked-accounts', { ...account, pin: PIN });
  if (status !== 201) throw new Error(`an account: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** One for each currency. */
export async function registerRecipients(address: string): Promise<Record<WalletCurrency, Recipient>> {
  const recipients = await Promise.all(WALLET_CURRENCIES.map((currency) => registerRecipient(address, currency)));
  return byCurrency(WALLET_CURRENCIES, (currency) => recipients[WALLET_CURRENCIES.indexOf(currency)] as Recipient);
}

async function registerRecipient(address: string, currency: WalletCurrency): Promise<Recipient> {
  const country = countryOf(currency);
  const phone = `${prefixOf(country)}7${String(Date.now()).slice(-8)}`;
  const client = createApiClient(address);
  const email = `${phone.slice(1)}@example.com`;
  const { status, body } = await client.post('/api/register', {
    name: 'Juma Said',
    email,
    phoneNumber: phone,
    pin: PIN,
    country: COUNTRIES[country].name,
    defaultCurrency: currency,
  });
  if (status !== 201) throw new Error(`registration: ${status} ${JSON.stringify(body)}`);
  await verifyPhone(client);
  return { client, email, phone };
}

/** Recipients are idle during a proof, so after a long one their sessions have expired. */
export async function signInRecipients(recipients: Record<WalletCurrency, Recipient>): Promise<void> {
  for (const { client, email } of Object.values(recipients)) {
    const { status } = await client.post('/api/login', { username: email, pin: PIN });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`);
  }
}
