import { order } from './api-client.ts';
import type { Accepted, Payee, Sender } from './steady-load.ts';

export interface OrderStream {
  accepted: Accepted[];
  /** Answers other than 201 or 200, and connection failures, with the time. No order is repeated. */
  failed: string[];
  /** Ends the stream once every open order is answered. */
  stop(): Promise<void>;
}

const BODY = { sourceAmount: '100', targetAmount: '2303' };

/**
 * Each sender orders again as soon as the last order was answered, and sends each order once. So there are never more orders
 * in progress than senders, and a slow machine refuses none for overload.
 */
export function streamOrders(senders: readonly Sender[], merchantPhone: string): OrderStream {
  const phones: [Payee, string][] = [
    ['phone', '+255763456700'],
    ['unknown phone', '+255713456089'],
    ['merchant', merchantPhone],
    ['phone', '+255754999888'],
  ];
  const stream = { accepted: [] as Accepted[], failed: [] as string[] };
  const stopping = new AbortController();
  const fail = (how: string) => stream.failed.push(`${new Date().toISOString()} ${how}`);

  async function send({ client, userId }: Sender, turn: number): Promise<void> {
    const [payee, recipientPhone] = phones[turn % phones.length] as [Payee, string];
    try {
      const { status, body } = await client.post('/api/transactions/create', order({ ...BODY, recipientPhone }));
      if (status === 201 || status === 200) {
        stream.accepted.push({ id: body.transaction.id, userId, payee, atMs: Date.now() });
      } else fail(`${status} ${JSON.stringify(body)}`);
    } catch (error) {
      fail(String((error as Error).cause ?? error));
    }
  }
  const sending = Promise.all(
    senders.map(async (sender, first) => {
      for (let turn = first; !stopping.signal.aborted; turn += 1) await send(sender, turn);
    }),
  );
  return {
    ...stream,
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}
