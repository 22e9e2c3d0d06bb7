import { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { LedgerAuditor } from './audit-ledger.ts';

export function auditRoutes(app: HttpApp, deps: { auditor: LedgerAuditor }): void {
  app.route({
    method: 'GET',
    url: '/internal/audit',
    schema: { response: { 200: LedgerAudit } },
    handler: () => deps.auditor.audit(),
  });
}
