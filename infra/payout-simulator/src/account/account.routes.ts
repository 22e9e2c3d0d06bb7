import type { HttpApp } from '@vuka/service-kit/http-app';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { failureReason } from '#answers/payout.view.ts';
import type { SigningKey } from '#callbacks/signing-key.ts';
import type { Db } from '#db/schema.ts';
import { COUNTRY_FACTS, NETWORKS, predictNetwork } from '#networks/network.domain.ts';
import type { Networks } from '#networks/networks.ts';

export interface AccountDeps {
  db: Db;
  networks: Networks;
  key: () => SigningKey;
  callbackUrl: URL | undefined;
}

const OPERATIONS = ['PAYOUT', 'REMITTANCE'];
const Filter = z.object({ country: z.optional(z.string()), operationType: z.optional(z.string()) });
type Filter = z.infer<typeof Filter>;

export function accountRoutes(app: HttpApp, deps: AccountDeps): void {
  app.get('/v2/active-conf', { schema: { querystring: Filter } }, async (request) => ({
    companyName: 'Vuka',
    signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
    countries: countriesOf(request.query).map(([country, { name, callingCode, currency }]) => ({
      country,
      displayName: { en: name },
      prefix: callingCode,
      providers: networksOf(country).map(({ network, displayName, decimals }) => ({
        provider: network,
        displayName,
        nameDisplayedToCustomer: 'Vuka',
        currencies: [{ currency, operationTypes: operationTypes(deps, request.query, { network, decimals }) }],
      })),
    })),
  }));
  app.get('/v2/availability', { schema: { querystring: Filter } }, async (request) =>
    countriesOf(request.query).map(([country]) => ({
      country,
      providers: networksOf(country).map(({ network }) => ({
        provider: network,
        operationTypes: Object.fromEntries(
          operationsOf(request.query).map((type) => [type, deps.networks.stateOf(network).status]),
        ),
      })),
    })),
  );
  app.post('/v2/predict-provider', async (request) => {
    const { phoneNumber } = (request.body ?? {}) as { phoneNumber?: unknown };
    const digits = String(phoneNumber ?? '').replace(/[\s+()-]/g, '');
    const found = predictNetwork(digits);
    if (!found) return failureReason('INVALID_PHONE_NUMBER', 'The provider of this number is not known');
    return { country: found.country, provider: found.network, phoneNumber: digits };
  });
  app.get('/v2/wallet-balances', { schema: { querystring: Filter } }, async (request) => {
    const { rows } = await sql<{ country: string; balance: string; currency: string }>`
      select country, (balance - reserved)::text as balance, currency from wallets order by country`.execute(deps.db);
    const { country } = request.query;
    return {
      balances: rows.filter((row) => !country || row.country === country).map((row) => ({ ...row, provider: '' })),
    };
  });
  app.get('/v2/public-key/http', async () => [{ id: deps.key().id, key: deps.key().publicPem }]);
}

function countriesOf({ country }: Filter) {
  return [...COUNTRY_FACTS].filter(([code]) => country === undefined || code === country);
}

function networksOf(country: string) {
  return NETWORKS.filter((network) => network.country === country);
}

function operationsOf({ operationType }: Filter) {
  return OPERATIONS.filter((type) => operationType === undefined || type === operationType);
}

function operationTypes(deps: AccountDeps, filter: Filter, of: { network: string; decimals: 0 | 2 }) {
  const { status, minAmount, maxAmount } = deps.networks.stateOf(of.network);
  const decimalsInAmount = of.decimals === 0 ? 'NONE' : 'TWO_PLACES';
  const type = { status, minAmount, maxAmount, decimalsInAmount, callbackUrl: deps.callbackUrl?.href ?? '' };
  return Object.fromEntries(operationsOf(filter).map((operation) => [operation, type]));
}
