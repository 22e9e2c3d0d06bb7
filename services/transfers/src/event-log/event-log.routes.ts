import { TransferEvents, TransferEventsQuery } from '@vuka/contracts/internal/transfer-events';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { readEventLog } from './event-log.store.ts';

/** What other programs are told of transfers, asked for by the gateway on behalf of no person. */
export function eventLogRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.get(
    '/internal/transfer-events',
    { schema: { querystring: TransferEventsQuery, response: { 200: TransferEvents } } },
    (request) => readEventLog(db, request.query),
  );
}
