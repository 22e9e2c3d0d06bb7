import { Ok } from '@vuka/contracts/http/common';
import { type CommandsBatchResults, WalletCommand, type WalletResult } from '@vuka/contracts/internal/wallet';
import { unavailable } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import type { LedgerWriter } from './ledger-writer.ts';
import { toOperation } from './operation.ts';

const ANSWER_WITHIN_MS = 6_000;
/** The call's envelope. Items are validated one by one, so that a malformed one does not fail the others. */
const Envelope = z.object({ items: z.array(z.unknown()).check(z.minLength(1), z.maxLength(500)) });

/** Money is moved by the service that knows why. */
const LEDGER_CALLERS = { calledBy: ['transfers'] };

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

async function run(writer: Pick<LedgerWriter, 'submit'>, item: unknown): Promise<WalletResult> {
  const command = WalletCommand.safeParse(item);
  if (!command.success) return { outcome: 'rejected', replayed: false, reason: 'mismatch' };
  return writer.submit(toOperation(command.data));
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
