import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { DepositOrder } from '@vuka/contracts/internal/transfers';
import type { AdjustmentOrder } from '@vuka/contracts/internal/wallet';
import { ADMIN_REFUSALS } from '@vuka/contracts/texts/admin-refusals';
import { createServiceClient } from '@vuka/service-kit/service-client';
import type { ServiceTokens } from '@vuka/service-kit/service-tokens';

/** Fake identity, transfers and wallet services over HTTP, with switches for failures. */
export async function startNeighbours(tokens: ServiceTokens) {
  const holders = new Map<string, { userId: string; fullName: string }>();
  /** Every order received, and the one movement of each key. */
  const orders: DepositOrder[] = [];
  const movements = new Map<string, string>();
  /** Every adjustment received, and the one journal of each id. */
  const adjustments: AdjustmentOrder[] = [];
  const journals = new Map<string, string>();
  /** Adjustments that the ledger refuses to book. */
  const unbookable = new Set<string>();
  /** Accounts to which transfers makes no deposit. */
  const stopped = new Set<string>();
  /** Accounts that are closed for good. */
  const closed = new Set<string>();
  /** With `ledgerShut` the readiness check fails; with `ledgerAway` the ledger fails after that check. */
  const switches = { ledgerShut: false, ledgerAway: false, answersLost: 0 };

  function findHolder(id: string, response: ServerResponse): void {
    const holder = holders.get(id);
    if (holder) answer(response, 200, { ...holder, phone: '+254712345678', isBlocked: false });
    else answer(response, 404, { error: 'Merchant not found', code: 'not_found', requestId: 'x' });
  }

  function moveMoney(order: DepositOrder, response: ServerResponse): void {
    if (switches.ledgerAway || stopped.has(order.userId)) {
      answer(response, 503, { error: 'unavailable', code: 'unavailable', requestId: 'x' });
      return;
    }
    if (closed.has(order.userId) && !movements.has(order.key)) {
      const { code, text: error } = ADMIN_REFUSALS.credit_to_closed_account;
      answer(response, 404, { error, code, reason: 'credit_to_closed_account', requestId: 'x' });
      return;
    }
    orders.push(order);
    const transactionId = movements.get(order.key) ?? randomUUID();
    movements.set(order.key, transactionId);
    if (switches.answersLost > 0) {
      switches.answersLost -= 1;
      response.destroy();
    } else answer(response, 201, { transactionId });
  }

  function bookAdjustment(order: AdjustmentOrder, response: ServerResponse): void {
    if (switches.ledgerAway) {
      answer(response, 503, { error: 'unavailable', code: 'unavailable', requestId: 'x' });
      return;
    }
    if (unbookable.has(order.id)) {
      answer(response, 404, { error: 'No such account', code: 'not_found', requestId: 'x' });
      return;
    }
    adjustments.push(order);
    const journalId = journals.get(order.id) ?? String(journals.size + 1);
    journals.set(order.id, journalId);
    if (switches.answersLost > 0) {
      switches.answersLost -= 1;
      response.destroy();
    } else answer(response, 201, { journalId });
  }

  const server = createServer(async (request, response) => {
    if (request.url === '/internal/deposits/possible') {
      if (switches.ledgerShut) answer(response, 503, { error: 'unavailable', code: 'unavailable', requestId: 'x' });
      else answer(response, 200, { ok: true });
    } else if (request.method === 'GET') findHolder(request.url?.split('/').at(-1) ?? '', response);
    else if (request.url === '/internal/adjustments')
      bookAdjustment((await json(request)) as AdjustmentOrder, response);
    else moveMoney((await json(request)) as DepositOrder, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClient({ baseUrl, to: 'transfers', tokens });
  return {
    client,
    holders,
    stopped,
    closed,
    orders,
    movements,
    adjustments,
    journals,
    unbookable,
    switches,
    async stop() {
      await client.close();
      server.close();
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
