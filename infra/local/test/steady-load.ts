import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@vuka/test-kit/until';
import { type ApiClient, order, registerMerchant } from './api-client.ts';

export type Payee = 'phone' | 'unknown phone' | 'merchant';

/** An order that was answered with 201 or, after a lost answer, with 200. */
export interface Accepted {
  id: string;
  userId: string;
  payee: Payee;
  /** When the answer arrived, ms. */
  atMs: number;
}

export interface Sender {
  client: ApiClient;
  userId: string;
}

export interface SteadyLoad {
  accepted: Accepted[];
  /** The number of answers by status; `none` for broken connections. */
  answers: Map<string, number>;
  /** Answers that no client should see, such as `500 {...}`. */
  surprises: string[];
  /** Ends the load, after each open order has been accepted. */
  stop(): Promise<void>;
}

const ORDER = { sourceAmount: '100', targetAmount: '2303' };
const PAUSE_MS = 100;
const PATIENCE_MS = 45_000;

/** Sends orders, one after the other per sender, and repeats each until it is accepted, as the web app does. */
export function startLoad(senders: Sender[], merchantPhone: string): SteadyLoad {
  const phones: [Payee, string][] = [
    ['phone', '+255763456700'],
    ['unknown phone', '+255713456089'],
    ['merchant', merchantPhone],
    ['phone', '+255754999888'],
  ];
  const load = {
    accepted: [] as Accepted[],
    answers: new Map<string, number>(),
    surprises: [] as string[],
  };
  const stopping = new AbortController();

  async function sendUntilAccepted(sender: Sender, payee: Payee, recipientPhone: string) {
    const body = order({ ...ORDER, recipientPhone });
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
      const transfer = await sendOnce(load, sender.client, body);
      if (transfer) return void load.accepted.push({ id: transfer.id, userId: sender.userId, payee, atMs: Date.now() });
      await delay(PAUSE_MS);
    }
    load.surprises.push(`an order was not accepted within ${PATIENCE_MS} ms`);
  }
  async function send(sender: Sender, first: number) {
    for (let turn = first; !stopping.signal.aborted; turn++) {
      const [payee, phone] = phones[turn % phones.length] as [Payee, string];
      await sendUntilAccepted(sender, payee, phone);
      await delay(PAUSE_MS);
    }
  }
  const sending = Promise.all(senders.map(send));
  return {
    ...load,
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}

type Counts = Pick<SteadyLoad, 'answers' | 'surprises'>;

/** The transfer, if the order is accepted; undefined if it has to be repeated. */
async function sendOnce(counts: Counts, client: ApiClient, body: object): Promise<{ id: string } | undefined> {
  const { answers, surprises } = counts;
  const count = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1);
  try {
    const answer = await client.post('/api/transactions/create', body);
    count(String(answer.status));
    if (answer.status === 201 || answer.status === 200) return answer.body.transaction;
    const isClear = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0;
    if (!isClear) surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  } catch (error) {
    // An unavailable gateway may break connections, but an open connection without an answer is a violation.
    if ((error as Error).name === 'TimeoutError') surprises.push('no answer in time');
    count('none');
  }
  return undefined;
}

/** Two merchants with money, to send the load. */
export function registerSenders(address: string, admin: ApiClient): Promise<Sender[]> {
  return Promise.all(
    [1, 2].map(async () => {
      const { client, user } = await registerMerchant(address, admin);
      return { client, userId: user.id as string };
    }),
  );
}

/** Resolves once more orders than these have been accepted. */
export const moreThan = (load: SteadyLoad, count: number) =>
  until(() => load.accepted.length > count, { timeoutMs: 60_000, everyMs: 50, what: `${count} orders and more` });
