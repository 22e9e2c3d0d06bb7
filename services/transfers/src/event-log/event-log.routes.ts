import { TransferEvents, TransferEventsQuery } from '@vuka/contracts/internal/transfer-events';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { readEventLog } from './event-log.store.ts';

/** The transfer events for other programs. The gateway calls this on behalf of no user. */
export function eventLogRoutes(app: HttpApp, { db }: { db: Db }): void {
  app.get(
    '/internal/transfer-events',
    { schema: { querystring: TransferEventsQuery, response: { 200: TransferEvents } } },
    (request) => readEventLog(db, request.query),
  );
}
