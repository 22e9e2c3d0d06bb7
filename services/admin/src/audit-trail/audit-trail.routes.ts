import { adminOf } from '@vuka/access/caller';
import { AuditTrail } from '@vuka/contracts/http/audit-trail';
import { AuditTrailSearch } from '@vuka/contracts/internal/admin';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { Db } from '#db/schema.ts';
import { createAuditSearch } from './search-audit-trail.ts';

export interface AuditTrailDeps {
  db: Db;
}

export function auditTrailRoutes(app: HttpApp, deps: AuditTrailDeps): void {
  const searchAuditTrail = createAuditSearch(deps.db);
  app.get(
    '/internal/audit-trail',
    { schema: { querystring: AuditTrailSearch, response: { 200: AuditTrail } } },
    (request) => {
      adminOf(request, 'audit-trail.read');
      return searchAuditTrail(request.query);
    },
  );
}
