import { recordAction } from '@vuka/access/audit-trail';
import { adminOf, type Caller } from '@vuka/access/caller';
import { createReadRecorder } from '@vuka/access/reads';
import { IntegrationLogDetail, IntegrationLogs } from '@vuka/contracts/http/integration-logs';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import * as z from 'zod/mini';
import { testLogs } from './generate-test-logs.ts';
import { findLog, type LogReaderDeps, type LogWriter, listLogs } from './log.store.ts';

export interface LogsDeps extends LogReaderDeps {
  writer: Pick<LogWriter, 'insert'>;
  now: () => Date;
  kickRelay: () => void;
}

async function generateTestLogs(deps: LogsDeps, caller: Caller): Promise<void> {
  const now = deps.now();
  const calls = testLogs(now);
  const subject = { kind: 'logs' as const, id: calls[0]?.transactionId ?? 'test' };
  const action = { source: '/vuka/integration-log', caller, action: 'logs.generated' as const, subject };
  await deps.writer.insert(calls, (trx) => recordAction(trx, { ...action, after: { logs: calls.length } }, now));
  deps.kickRelay();
}

const Query = z.object({
  transactionId: z.optional(z.string().check(z.maxLength(100))),
  generate: z.optional(z.string()),
});
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function logsRoutes(app: HttpApp, deps: LogsDeps): void {
  const noteReading = createReadRecorder(deps, '/vuka/integration-log');
  app.get('/internal/logs', { schema: { querystring: Query, response: { 200: IntegrationLogs } } }, async (request) => {
    const { transactionId, generate } = request.query;
    const caller = adminOf(request, generate === 'true' ? 'logs.generate' : 'logs.read');
    if (generate === 'true') await generateTestLogs(deps, caller);
    // A UUID is stored in lower case; an older id is an opaque text.
    const id = transactionId && UUID.test(transactionId) ? transactionId.toLowerCase() : transactionId;
    const logs = await listLogs(deps, id || undefined);
    const subject = { kind: 'logs' as const, id: id || 'all' };
    await noteReading({ caller, action: 'provider-calls.viewed', subject, after: { shown: logs.length } });
    return { logs };
  });
  app.get(
    '/internal/logs/:id',
    { schema: { params: z.object({ id: z.string() }), response: { 200: IntegrationLogDetail } } },
    async (request) => {
      const caller = adminOf(request, 'logs.read');
      const { id } = request.params;
      const log = UUID.test(id) ? await findLog(deps, id) : undefined;
      if (!log) throw new AppError('log_not_found');
      await noteReading({ caller, action: 'provider-call.viewed', subject: { kind: 'logs', id } });
      return { log };
    },
  );
}
