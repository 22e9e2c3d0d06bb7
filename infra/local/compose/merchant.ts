import { until } from '@vuka/test-kit/until';
import { expect } from 'vitest';
import type { Containers } from '#containers.ts';
import { type ApiClient, createApiClient, order, registerMerchant, setAnyRate } from '../test/api-client.ts';

const ADMINS = ['one@vuka.test', 'two@vuka.test'] as const;
const FUNDS = 1_000_000;
const LONGEST_MS = 300_000;

/** A merchant whose balance is known at every moment. */
export interface Merchant {
  client: ApiClient;
  /** Every transfer that was accepted. */
  accepted: string[];
  /**
   * Repeats an order until it is accepted, as the web app does: if an answer is lost, the order may have been
   * accepted. Returns how often it was sent.
   */
  send(): Promise<number>;
  untilSettled(): Promise<void>;
  /** 1,000 KES have left the wallet for each accepted transfer, and nothing else. */
  expectExactBalance(): Promise<void>;
}

/** What an operator does with new containers: two administrators, the exchange rate, and a merchant with money. */
export async function setUp(containers: Containers): Promise<{ admin: ApiClient; merchant: Merchant }> {
  const admins: ApiClient[] = [];
  for (const email of ADMINS) {
    const said = await containers.compose(
      ...['exec', '-T', 'identity', 'node', 'services/identity/src/create-admin.ts', '--email', email],
    );
    const pin = /The PIN is (\d{4})/.exec(said)?.[1] ?? '';
    const client = createApiClient(containers.address);
    expect((await client.post('/api/login', { username: email, pin })).status).toBe(200);
    admins.push(client);
  }
  const [admin, approver] = admins as [ApiClient, ApiClient];
  await admin.post('/api/admin/step-up', { pin: admin.pin });
  await setAnyRate([admin, approver], { buyRate: 23.5, markup: 2 });
  const { client } = await registerMerchant(containers.address, admin, { KES: FUNDS });
  return { admin, merchant: follow(client) };
}

function follow(client: ApiClient): Merchant {
  const accepted: string[] = [];
  return {
    client,
    accepted,
    async send() {
      const body = order();
      let sent = 0;
      const isAccepted = async () => {
        sent += 1;
        const answer = await client.post('/api/transactions/create', body);
        if (answer.status !== 201 && answer.status !== 200) return false;
        return accepted.push(answer.body.transaction.id);
      };
      await until(isAccepted, { timeoutMs: LONGEST_MS, everyMs: 500, what: 'an order to be accepted' });
      return sent;
    },
    async untilSettled() {
      for (const id of accepted) {
        const isSettled = async () =>
          (await client.get(`/api/transactions/${id}`)).body.transaction.status === 'SETTLED';
        await until(() => isSettled().catch(() => false), {
          timeoutMs: 180_000,
          everyMs: 500,
          what: `${id} to settle`,
        });
      }
    },
    async expectExactBalance() {
      const { body } = await client.get('/api/balances');
      expect(body.balances.KES).toBe(`${FUNDS - accepted.length * 1_000}.00`);
    },
  };
}

/** Resolves once the gateway and what it needs are ready. */
export const untilReady = ({ address }: Containers) =>
  until(async () => (await fetch(`${address}/health/ready`)).ok, {
    timeoutMs: LONGEST_MS,
    everyMs: 500,
    what: 'the gateway to be ready',
  });
