import { Ok } from '@vuka/contracts/http/common';
import {
  AdjustmentBooked,
  AdjustmentOrder,
  type CommandsBatchResults,
  WalletCommand,
  type WalletResult,
} from '@vuka/contracts/internal/wallet';
import { unavailable } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { traced } from '@vuka/service-kit/tracing';
import * as z from 'zod/mini';
import type { LedgerWriter } from './ledger-writer.ts';
import { toAdjustment, toOperation } from './operation.ts';

const ANSWER_WITHIN_MS = 6_000;
/** The call's envelope. Items are validated one by one, so that a malformed one does not fail the others. */
const Envelope = z.object({ items: z.array(z.unknown()).check(z.minLength(1), z.maxLength(500)) });

/** Only transfers may move users' money, since it knows the reason. */
const LEDGER_CALLERS = { calledBy: ['transfers'] };
/** Admin owns the register of adjustments, in which they are approved. */
const ADJUSTMENT_CALLERS = { calledBy: ['admin'] };

export function ledgerRoutes(app: HttpApp, deps: { writer: Pick<LedgerWriter, 'submit' | 'isConnected'> }): void {
  // Differs from `/health/ready`: without the bus, commands are still executed.
  app.get('/internal/commands/possible', { config: LEDGER_CALLERS, schema: { response: { 200: Ok } } }, async () => {
    if (!deps.writer.isConnected()) throw unavailable();
    return { ok: true as const };
  });
  app.route({
    method: 'POST',
    url: '/internal/commands-batch',
    config: LEDGER_CALLERS,
    schema: { body: Envelope },
    handler: async (request): Promise<CommandsBatchResults> => ({
      results: await withinDeadline(Promise.all(request.body.items.map((item) => run(deps.writer, item)))),
    }),
  });
}

/**
 * Books an adjustment between two of the operator's accounts; a repeat of its id is the same journal. Throws unavailable
 * if the outcome is unknown or nothing was written.
 */
export function adjustmentRoutes(app: HttpApp, deps: { writer: Pick<LedgerWriter, 'submit'> }): void {
  app.post(
    '/internal/adjustments',
    {
      config: ADJUSTMENT_CALLERS,
      schema: { body: AdjustmentOrder, response: { 201: AdjustmentBooked } },
    },
    async (request, reply) => {
      const result = await withinDeadline(deps.writer.submit(toAdjustment(request.body)));
      if (result.outcome === 'applied') return reply.code(201).send({ journalId: result.journalId });
      if (result.outcome === 'failed') throw unavailable(undefined, result.retryAfterSeconds);
      throw new Error(`the ledger rejects adjustment ${request.body.id}: ${result.reason}`);
    },
  );
}

async function run(writer: Pick<LedgerWriter, 'submit'>, item: unknown): Promise<WalletResult> {
  const command = WalletCommand.safeParse(item);
  if (!command.success) return { outcome: 'rejected', replayed: false, reason: 'mismatch' };
  const span = { name: `book: ${command.data.kind}`, kind: 'server' } as const;
  return traced(command.data.transferId, span, () => writer.submit(toOperation(command.data)));
}

/** If the database is lost during a batch, the outcome is unknown and the caller repeats the same keys. */
async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
