import { LedgerAudit } from '@vuka/contracts/http/ledger-audit';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { ApiDeps } from '#api/api-deps.ts';
import { ADMIN_TAG } from '#guards/admin-guard.ts';

const tags = [ADMIN_TAG];

/** Whether the ledger's invariants hold. */
export function ledgerAuditRoute(app: HttpApp, { sessions, services }: ApiDeps): void {
  app.get('/api/admin/ledger/audit', { schema: { tags, response: { 200: LedgerAudit } } }, async (request) => {
    const { caller } = await sessions.requireAdmin(request);
    return services.wallet.get('/internal/audit', LedgerAudit, { caller });
  });
}
