import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, order } from '@vuka/local/testing/api-client';
import { until } from '@vuka/test-kit/until';

/** One order of a steady load. */
export interface Sent {
  number: number;
  client: ApiClient;
  phone: string;
  body: ReturnType<typeof order>;
  /** When the request that was accepted was sent and answered, ms; undefined until then. */
  accepted: { sentMs: number; answeredMs: number } | undefined;
}

/** Each client sends its next order when its last one is accepted. */
export interface SteadyOrders {
  accepted(): Sent[];
  untilMore(count: number): Promise<unknown>;
  /** Resolves when every order that is in progress at the call is accepted. */
  untilAnswered(): Promise<unknown>;
  stop(): Promise<void>;
}

/** The prefix of each recipient's number. */
const NUMBERS = order().recipientPhone.slice(0, -5);
const PAUSE_MS = 50;
const ACCEPTED_MS = 120_000;

export const keyOf = ({ body }: Sent): string => body.clientTransactionId;

/** Repeats the order until it is accepted, as the web app does. */
export async function sendSteadily(sent: Sent): Promise<void> {
  const isClear = async () => {
    const sentMs = Date.now();
    const answer = await sent.client.post('/api/transactions/create', sent.body).catch(() => undefined);
    const isAccepted = answer?.status === 201 || answer?.status === 200;
    if (isAccepted) sent.accepted ??= { sentMs, answeredMs: Date.now() };
    return isAccepted;
  };
  await until(isClear, { timeoutMs: ACCEPTED_MS, everyMs: PAUSE_MS, what: `order ${sent.number} to be accepted` });
}

/** Sends each order to a different number, so that each payment can be matched regardless of its id. */
export function keepOrdering(clients: readonly ApiClient[]): SteadyOrders {
  const orders: Sent[] = [];
  const stopping = new AbortController();
  const sending = Promise.all(
    clients.map(async (client) => {
      while (!stopping.signal.aborted) {
        const number = orders.length;
        const phone = `${NUMBERS}${String(number).padStart(3, '0')}00`;
        const body = order({ sourceAmount: '100', targetAmount: '2303', recipientPhone: phone });
        const sent: Sent = { number, client, phone, body, accepted: undefined };
        orders.push(sent);
        await sendSteadily(sent);
        await delay(PAUSE_MS);
      }
    }),
  );
  const accepted = () => orders.filter((sent) => sent.accepted !== undefined);
  return {
    accepted,
    untilMore: (count) => {
      const before = accepted().length;
      const waited = { timeoutMs: ACCEPTED_MS, everyMs: 20, what: 'more orders' };
      return until(() => accepted().length >= before + count, waited);
    },
    untilAnswered() {
      const underWay = orders.filter((sent) => sent.accepted === undefined);
      const waited = { timeoutMs: ACCEPTED_MS, everyMs: 20, what: 'every order under way to be accepted' };
      return until(() => underWay.every((sent) => sent.accepted !== undefined), waited);
    },
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}
